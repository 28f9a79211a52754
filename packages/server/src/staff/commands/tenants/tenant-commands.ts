import { tenantRoutes, tenantSettings } from '@gatehouse/contract/staff/tenants'
import { UsageError } from '../../../platform/cli/command.ts'
import { readArguments } from '../../../platform/cli/options.ts'
import { refuseSecretArgument } from '../../../platform/cli/read-secret.ts'
import type { Db } from '../../../platform/db/database.ts'
import { DnsClient } from '../../../platform/dns/dns-client.ts'
import { NotFound, ValidationError } from '../../../platform/http/errors.ts'
import { createTranslator } from '../../../platform/i18n/translator.ts'
import { randomToken } from '../../../platform/ids.ts'
import { changeLimits } from '../../../tenants/change-limits.ts'
import { HostTaken } from '../../../tenants/name-store.ts'
import { offerLimitKeys, readOfferLimits } from '../../../tenants/offer-limit-store.ts'
import {
  AddressRefused,
  addressRules,
  parseTenantUrl,
  type TenantUrl,
} from '../../../tenants/tenant-address.ts'
import { checkName, confirmName, NameReserved, presentNames } from '../../../tenants/tenant-names.ts'
import {
  listTenants,
  readLimits,
  readTenant,
  type TenantRow,
  tenantUsage,
} from '../../../tenants/tenant-store.ts'
import { normaliseDomain } from '../../../users/addresses/domain-name.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { AddressTaken } from '../../../users/create-user.ts'
import { changeSettings, SettingsRefused } from '../../tenants/change-settings.ts'
import { createTenant, TenantDomainTaken } from '../../tenants/create-tenant.ts'
import { isPeriod, readSettlement } from '../../tenants/settlement-store.ts'
import type { StaffCommand, StaffContext } from '../staff-command.ts'

const keys = tenantSettings.keyof().options
const kinds = ['users', 'storage', 'spend'] as const

/** Tenants: resellers with their own customers. */
export const tenantCommands: readonly StaffCommand[] = [
  {
    name: 'tenant:create',
    usage: 'tenant:create <address of the reseller> <domain> [--title=<title>] [--url=<url>]',
    summary:
      'create a tenant with the current catalogue, a public domain and a first reseller; prints the password of the reseller',
    needs: 2,
    async run({ args, config, db, clock, hasher, answer }) {
      const { words, options } = readArguments(args, ['title', 'password', 'url'])
      refuseSecretArgument(options.password, 'tenant:create')
      const reseller = parseEmailAddress(words[0] ?? '')
      if (reseller === undefined) throw new UsageError(`${words[0]} is not a valid e-mail address.`)
      const domain = normaliseDomain(words[1] ?? '')
      if (domain === undefined) throw new UsageError(`${words[1]} is not a valid domain name.`)
      const url = options.url && readUrl(options.url, config)
      const password = randomToken(12)
      const passwordHash = await hasher.hash(password, 'background')
      const tenant = {
        title: (options.title ?? domain).slice(0, 64),
        reseller,
        passwordHash,
        domain,
        ...(url && { url }),
        language: config.APP_LOCALE,
        currency: config.APP_CURRENCY,
      }
      const id = await db
        .transaction()
        .execute((trx) => createTenant(trx, clock, tenant))
        .catch((error: unknown) => {
          if (error instanceof TenantDomainTaken) throw new UsageError(`${domain} already exists.`)
          if (error instanceof AddressTaken) throw new UsageError(`${reseller.full} is already taken.`)
          return refuse(error)
        })
      answer.record({ id, reseller: reseller.full, password }, [
        `Tenant ${id}: ${reseller.full} can sign in with the password ${password}`,
      ])
    },
  },
  {
    name: 'tenant:list',
    usage: 'tenant:list',
    summary: 'list tenants with the users, storage and spending of their customers',
    needs: 0,
    async run({ db, answer }) {
      const row = answer.list()
      for (const { id, title, balance, currency } of await listTenants(
        db,
        {},
        { limit: 10_000, offset: 0 },
      )) {
        const { users, storage, spend } = await tenantUsage(db, id)
        const wallet = balance === null ? 'no wallet' : `${balance} ${currency}`
        row(
          { id, title, users, storage, spend, balance, currency },
          `${id}  ${title}  ${users} users  ${storage} GB  ${spend} a month  ${wallet}`,
        )
      }
    },
  },
  {
    name: 'tenant:list-settings',
    usage: 'tenant:list-settings <tenant>',
    summary: 'list the settings and limits of a tenant',
    needs: 1,
    async run({ args, db, answer }) {
      const tenant = await findTenant(db, args[0])
      const limits = await readLimits(db, tenant.id)
      const offer = await readOfferLimits(db, tenant.id)
      const offered = offer === null ? [] : offerLimitKeys
      answer.record({ id: tenant.id, settings: tenant.settings, limits: { ...limits, ...offer } }, [
        ...keys.map((key) => `${key}=${tenant.settings[key] ?? ''}`),
        ...kinds.map((kind) => `limit ${kind}=${limits[kind] ?? ''}`),
        ...offered.map((key) => `limit ${key}=${String(offer?.[key])}`),
      ])
    },
  },
  {
    name: 'tenant:set',
    usage: 'tenant:set <tenant> <setting> <new value | none>',
    summary: 'change or remove a setting of a tenant',
    needs: 3,
    async run({ args, config, db, clock, print }) {
      const tenant = await findTenant(db, args[0])
      const key = keys.find((name) => name === args[1])
      if (key === undefined) throw new UsageError(`${args[1]} is not one of ${keys.join(', ')}.`)
      const value = args[2] === 'none' ? null : (args[2] ?? '')
      const { body } = tenantRoutes['PUT /api/v4/tenants/{id}']
      if (!body.safeParse({ [key]: value }).success)
        throw new UsageError(`${value} is not a valid value for ${key}.`)
      const parts = { db, clock, addressRules: addressRules(config) }
      await changeSettings(parts, tenant.id, { [key]: value }, byOperator).catch(refuse)
      print(`${tenant.title}: ${key}=${args[2]}`)
    },
  },
  {
    name: 'tenant:names',
    usage: 'tenant:names <tenant>',
    summary: 'list the hosts and mail domains of a tenant with their states and verification records',
    needs: 1,
    async run({ args, db, answer }) {
      const tenant = await findTenant(db, args[0])
      const row = answer.list()
      for (const { name, isHost, state, reason, record } of await presentNames(db, tenant)) {
        const lines = [
          `${name}  ${isHost ? 'portal' : 'mail'}  ${state}${reason === null ? '' : ` (${reason})`}`,
        ]
        if (state !== 'confirmed') lines.push(`  ${record.name}. IN ${record.type} "${record.value}"`)
        row({ name, isHost, state, reason, record }, lines)
      }
    },
  },
  {
    name: 'tenant:check',
    usage: 'tenant:check <tenant> <host or domain>',
    summary: 'look up the DNS record that verifies a host or mail domain of a tenant',
    needs: 2,
    async run({ args, config, db, clock, answer }) {
      const tenant = await findTenant(db, args[0])
      const dns = new DnsClient({ servers: config.DNS_SERVERS, timeout: config.DNS_TIMEOUT })
      const parts = { db, clock, dns, addressRules: addressRules(config) }
      const { name, state, reason } = await checkName(parts, tenant.id, args[1] ?? '', {}).catch(refuse)
      const line = `${name}  ${state}${reason === null ? '' : ` (${reason})`}`
      answer.record({ name, state, reason }, [line])
    },
  },
  {
    name: 'tenant:confirm',
    usage: 'tenant:confirm <tenant> <host or domain> <reason>',
    summary: 'confirm a host or mail domain of a tenant without a DNS record',
    needs: 3,
    async run({ args, config, db, clock, print }) {
      const tenant = await findTenant(db, args[0])
      const [, name = '', ...words] = args
      const parts = { db, clock, addressRules: addressRules(config) }
      await confirmName(parts, tenant.id, name, { ...byOperator, reason: words.join(' ') }).catch(refuse)
      print(`${name} was confirmed for ${tenant.title}.`)
    },
  },
  {
    name: 'tenant:limit',
    usage: 'tenant:limit <tenant> <limit> <new value | none>',
    summary: `set a limit of a tenant; limits are ${[...kinds, ...offerLimitKeys].join(', ')}`,
    needs: 3,
    async run({ args, db, clock, print }) {
      const tenant = await findTenant(db, args[0])
      const [, name = '', value = ''] = args
      const change = readLimit(name, value)
      await changeLimits({ db, clock }, tenant.id, change, {}).catch((error: unknown) => {
        if (error instanceof ValidationError)
          throw new UsageError('The service itself does not have this limit.')
        throw error
      })
      print(`${tenant.title}: ${name}=${value}`)
    },
  },
  {
    name: 'tenant:settlement',
    usage: 'tenant:settlement <tenant> <YYYY-MM>',
    summary: 'show the earnings of a tenant in a month by customer, in cents',
    needs: 2,
    async run({ args, config, db, answer }) {
      const tenant = await findTenant(db, args[0])
      const period = args[1] ?? ''
      if (!isPeriod(period)) throw new UsageError(`${period} is not a month such as 2026-03.`)
      const currency = tenant.currency ?? config.APP_CURRENCY
      const { lines, charged, fees, profit } = await readSettlement(db, tenant, period, currency)
      answer.record({ period, currency, charged, fees, profit, customers: lines }, [
        ...lines.map((line) => `${line.email}  ${line.charged}  ${line.fees}  ${line.profit}`),
        `total  ${charged}  ${fees}  ${profit}  ${currency}`,
      ])
    },
  },
]

/** Parses one limit as in the API; modes are separated by commas. Throws UsageError. */
function readLimit(name: string, text: string) {
  const { body } = tenantRoutes['PUT /api/v4/tenants/{id}/limits']
  if (!Object.hasOwn(body.shape, name))
    throw new UsageError(`${name} is not one of ${[...kinds, ...offerLimitKeys].join(', ')}.`)
  const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined
  const candidates = [text === 'none' ? null : undefined, number, text === 'yes', text.split(',')]
  const isOther = (value: unknown) => value === undefined || (value === false && text !== 'no')
  for (const value of candidates.filter((one) => !isOther(one))) {
    const parsed = body.safeParse({ [name]: value })
    if (parsed.success) return parsed.data
  }
  throw new UsageError(`${text} is not a valid value for ${name}.`)
}

async function findTenant(db: Db, text: string | undefined): Promise<TenantRow> {
  const tenant = /^\d{1,9}$/.test(text ?? '') ? await readTenant(db, Number(text)) : undefined
  if (tenant === undefined) throw new UsageError(`There is no tenant ${text}.`)
  return tenant
}

/** Operators may place tenants below the installation's host. */
const byOperator = { actor: {}, isBelowAllowed: true }

function readUrl(text: string, config: StaffContext['config']): TenantUrl {
  try {
    return parseTenantUrl(text, addressRules(config), byOperator.isBelowAllowed)
  } catch (error) {
    return refuse(error)
  }
}

/** Rethrows a rejected host, domain or setting with the portal's error text. */
function refuse(error: unknown): never {
  const t = createTranslator('en')
  if (error instanceof AddressRefused) throw new UsageError(t(error.key))
  if (error instanceof SettingsRefused) {
    throw new UsageError(
      Object.entries(error.problems)
        .map(([key, text]) => `${key}: ${t(text)}`)
        .join('\n'),
    )
  }
  if (error instanceof HostTaken) throw new UsageError(t('tenants.host-taken'))
  if (error instanceof NameReserved) throw new UsageError(t('tenants.host-own'))
  if (error instanceof NotFound) throw new UsageError('The settings of the tenant do not contain it.')
  throw error
}
