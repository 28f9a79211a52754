import { tenantSettings } from '@gatehouse/contract/tenants'
import { AddressTaken } from '../accounts/create-user.ts'
import { parseEmailAddress } from '../accounts/email-address.ts'
import { normaliseDomain } from '../directory/domain-name.ts'
import type { Db } from '../platform/db/database.ts'
import { randomToken } from '../platform/ids.ts'
import { createTenant, TenantDomainTaken } from '../tenants/create-tenant.ts'
import { isPeriod, readSettlement } from '../tenants/settlement.ts'
import {
  listTenants,
  readLimits,
  readTenant,
  type TenantRow,
  tenantUsage,
  writeLimits,
  writeTenantSettings,
} from '../tenants/tenant-store.ts'
import { type Command, UsageError } from './command.ts'
import { readArguments, readNumber } from './options.ts'

const keys = tenantSettings.keyof().options
const kinds = ['users', 'storage', 'spend'] as const

/** Tenants: resellers with customers of their own. */
export const tenantCommands: readonly Command[] = [
  {
    name: 'tenant:create',
    usage:
      'tenant:create <address of the reseller> <domain> [--title=<title>] [--password=<password>] [--url=<url>]',
    summary: 'make a tenant with the present catalogue, a public domain and a first reseller',
    needs: 2,
    async run({ args, config, db, clock, hasher, print }) {
      const { words, options } = readArguments(args, ['title', 'password', 'url'])
      const reseller = parseEmailAddress(words[0] ?? '')
      if (reseller === undefined) throw new UsageError(`${words[0]} is no mail address.`)
      const domain = normaliseDomain(words[1] ?? '')
      if (domain === undefined) throw new UsageError(`${words[1]} is no domain name.`)
      const password = options.password ?? randomToken(12)
      const passwordHash = await hasher.hash(password)
      const tenant = {
        title: (options.title ?? domain).slice(0, 64),
        reseller,
        passwordHash,
        domain,
        url: options.url ?? config.APP_URL,
        language: config.APP_LOCALE,
        currency: config.APP_CURRENCY,
      }
      const id = await db
        .transaction()
        .execute((trx) => createTenant(trx, clock, tenant))
        .catch((error: unknown) => {
          if (error instanceof TenantDomainTaken) throw new UsageError(`${domain} exists already.`)
          if (error instanceof AddressTaken) throw new UsageError(`${reseller.full} is taken.`)
          throw error
        })
      print(`Tenant ${id}: ${reseller.full} may sign in with the password ${password}`)
    },
  },
  {
    name: 'tenant:list',
    usage: 'tenant:list',
    summary: 'tenants with what their customers have',
    needs: 0,
    async run({ db, print }) {
      for (const { id, title, balance, currency } of await listTenants(
        db,
        {},
        { limit: 10_000, offset: 0 },
      )) {
        const { users, storage, spend } = await tenantUsage(db, id)
        const wallet = balance === null ? 'no wallet' : `${balance} ${currency}`
        print(`${id}  ${title}  ${users} users  ${storage} GB  ${spend} a month  ${wallet}`)
      }
    },
  },
  {
    name: 'tenant:list-settings',
    usage: 'tenant:list-settings <tenant>',
    summary: 'settings and limits of a tenant',
    needs: 1,
    async run({ args, db, print }) {
      const tenant = await findTenant(db, args[0])
      for (const key of keys) print(`${key}=${tenant.settings[key] ?? ''}`)
      const limits = await readLimits(db, tenant.id)
      for (const kind of kinds) print(`limit ${kind}=${limits[kind] ?? ''}`)
    },
  },
  {
    name: 'tenant:set',
    usage: 'tenant:set <tenant> <setting> <value | none>',
    summary: 'change a setting of a tenant, or take it away',
    needs: 3,
    async run({ args, db, print }) {
      const tenant = await findTenant(db, args[0])
      const key = keys.find((name) => name === args[1])
      if (key === undefined) throw new UsageError(`${args[1]} is none of ${keys.join(', ')}.`)
      await writeTenantSettings(db, tenant.id, { [key]: args[2] === 'none' ? null : (args[2] ?? '') })
      print(`${tenant.title}: ${key}=${args[2]}`)
    },
  },
  {
    name: 'tenant:limit',
    usage: 'tenant:limit <tenant> <users | storage | spend> <number | none>',
    summary: 'what the customers of a tenant may have: users, gigabytes, cents of fees a month',
    needs: 3,
    async run({ args, db, print }) {
      const tenant = await findTenant(db, args[0])
      const kind = kinds.find((name) => name === args[1])
      if (kind === undefined) throw new UsageError(`${args[1]} is none of ${kinds.join(', ')}.`)
      const value = args[2] === 'none' ? null : (readNumber(args[2]) ?? null)
      await db.transaction().execute((trx) => writeLimits(trx, tenant.id, { [kind]: value }))
      print(`${tenant.title}: ${kind}=${args[2]}`)
    },
  },
  {
    name: 'tenant:settlement',
    usage: 'tenant:settlement <tenant> <YYYY-MM>',
    summary: 'what a tenant earned in a month, customer by customer, in cents',
    needs: 2,
    async run({ args, config, db, print }) {
      const tenant = await findTenant(db, args[0])
      const period = args[1] ?? ''
      if (!isPeriod(period)) throw new UsageError(`${period} is no month as 2026-03.`)
      const currency = tenant.currency ?? config.APP_CURRENCY
      const { lines, charged, fees, profit } = await readSettlement(db, tenant, period, currency)
      for (const line of lines) print(`${line.email}  ${line.charged}  ${line.fees}  ${line.profit}`)
      print(`together  ${charged}  ${fees}  ${profit}  ${currency}`)
    },
  },
]

async function findTenant(db: Db, text: string | undefined): Promise<TenantRow> {
  const tenant = /^\d{1,9}$/.test(text ?? '') ? await readTenant(db, Number(text)) : undefined
  if (tenant === undefined) throw new UsageError(`There is no tenant ${text}.`)
  return tenant
}
