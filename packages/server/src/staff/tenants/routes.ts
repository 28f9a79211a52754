import { type Tenant, tenantSettings } from '@gatehouse/contract/staff/tenants'
import { type Clock, wireDate } from '../../platform/clock.ts'
import { amountCell, csvRow } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { systemTenant } from '../../platform/tenant.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { changeLimits } from '../../tenants/change-limits.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { mayChangeLimits, mayChangeTenant, mayConfirmNames } from '../../tenants/policy.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import type { AddressRules } from '../../tenants/tenant-address.ts'
import { presentNames } from '../../tenants/tenant-names.ts'
import { mailSender } from '../../tenants/tenant-site.ts'
import { listTenants, readLimits, type TenantRow, tenantUsage } from '../../tenants/tenant-store.ts'
import { actorOf } from '../../users/actor.ts'
import { createDiscount, switchDiscount } from './change-discounts.ts'
import { changeSettings, presentSettings, SettingsRefused } from './change-settings.ts'
import { serveNames } from './name-routes.ts'
import { isPeriod, readSettlement, settlementPeriods } from './settlement-store.ts'

export interface TenantParts {
  readonly config: Pick<SiteConfig, 'APP_CURRENCY'>
  readonly db: Db
  readonly clock: Clock
  readonly dns: DnsClient
  readonly throttle: Throttle
  readonly addressRules: AddressRules
  /** Names of the available themes. */
  readonly themes: readonly string[]
}

const pageSize = 20
const settingKeys = tenantSettings.keyof().options

/** Tenants, their catalogues and their earnings; reference api-billing-admin §17. */
export function serveTenants(api: Api, parts: TenantParts): void {
  serveSettings(api, parts)
  serveNames(api, parts)
  serveDiscounts(api, parts)
  serveSettlements(api, parts)
}

function serveSettings(api: Api, parts: TenantParts): void {
  const { db, themes } = parts
  const present = async (row: TenantRow, principal: Principal): Promise<Tenant> => {
    const { id, title, walletId, currency, balance } = row
    return {
      id,
      title,
      created_at: wireDate(row.createdAt),
      settings: presentSettings(row.settings),
      names: await presentNames(db, row),
      sender: await presentSender(db, row, parts.addressRules),
      limits: await readLimits(db, id),
      offerLimits: await readOfferLimits(db, id),
      usage: await tenantUsage(db, id),
      wallet: walletId === null ? null : { id: walletId, currency: currency ?? '', balance: balance ?? 0 },
      themes: [...themes].sort(),
      canChangeSettings: mayChangeTenant(principal, id),
      canChangeLimits: mayChangeLimits(principal),
      canConfirmNames: mayConfirmNames(principal),
    }
  }

  api.serve('GET /api/v4/tenants', async ({ principal, query }) => {
    const page = query.page ?? 1
    const size = query.size ?? pageSize
    const only = principal.role === 'admin' ? undefined : principal.tenantId
    const filter = { search: query.search, ...(only !== undefined && { only }) }
    const rows = await listTenants(db, filter, { limit: size + 1, offset: (page - 1) * size })
    const list = await Promise.all(rows.slice(0, size).map((row) => present(row, principal)))
    return { list, count: list.length, hasMore: rows.length > size, page }
  })

  api.serve('GET /api/v4/tenants/{id}', async ({ principal, params }) =>
    present(await requireTenant(db, principal, params.id), principal),
  )

  api.serveLate('PUT /api/v4/tenants/{id}', async ({ principal, params, read, t, ip }) => {
    const tenant = await requireTenant(db, principal, params.id)
    const body = read()
    const named = settingKeys.filter((key) => body[key] !== undefined)
    const theme = body['app.theme']
    if (theme != null && !themes.includes(theme))
      throw ValidationError.at('app.theme', 'tenants.theme-unknown')
    const changes = Object.fromEntries(named.map((key) => [key, body[key] ?? null]))
    await changeSettings(parts, tenant.id, changes, { actor: actorOf(principal, { ip }) }).catch(tellFields)
    return { status: 'success', message: t('tenants.updated') }
  })

  api.serve('PUT /api/v4/tenants/{id}/limits', async ({ principal, params, body, t, ip }) => {
    const tenant = await requireTenant(db, principal, params.id)
    await changeLimits(parts, tenant.id, body, actorOf(principal, { ip }))
    return { status: 'success', message: t('tenants.limits-updated') }
  })
}

async function presentSender(
  db: Db,
  { id, settings }: TenantRow,
  rules: AddressRules,
): Promise<Tenant['sender']> {
  const { from, replyTo } = id === systemTenant ? {} : await mailSender(db, id, settings)
  return {
    address: from?.address ?? rules.sender,
    isOwn: from !== undefined,
    replyTo: replyTo?.address ?? null,
  }
}

function tellFields(error: unknown): never {
  if (!(error instanceof SettingsRefused)) throw error
  const fields = Object.entries(error.problems).map(([key, text]) => [key, message(text)])
  throw new ValidationError(Object.fromEntries(fields))
}

function serveDiscounts(api: Api, parts: Pick<TenantParts, 'db' | 'clock'>): void {
  const { db } = parts
  api.serveLate(
    'POST /api/v4/tenants/{id}/discounts',
    async ({ principal, params, read, t, ip, language }) => {
      const tenant = await requireTenant(db, principal, params.id)
      const body = read()
      const discount = { tenantId: tenant.id, language, ...body }
      const id = await createDiscount(parts, discount, actorOf(principal, { ip }))
      return { status: 'success', message: t('tenants.discount-created'), id }
    },
  )

  api.serveLate(
    'PUT /api/v4/tenants/{id}/discounts/{discount}',
    async ({ principal, params, read, t, ip }) => {
      const tenant = await requireTenant(db, principal, params.id)
      if (!isUuid(params.discount)) throw new NotFound()
      const { active } = read()
      await switchDiscount(parts, tenant.id, { id: params.discount, active }, actorOf(principal, { ip }))
      return { status: 'success', message: t('tenants.discount-changed') }
    },
  )
}

function serveSettlements(api: Api, { config, db }: TenantParts): void {
  const read = async (principal: Principal, params: { readonly id: string; readonly period: string }) => {
    const tenant = await requireTenant(db, principal, params.id)
    if (!isPeriod(params.period)) throw new NotFound()
    return readSettlement(db, tenant, params.period, tenant.currency ?? config.APP_CURRENCY)
  }

  api.serve('GET /api/v4/tenants/{id}/settlements', async ({ principal, params, query }) => {
    const tenant = await requireTenant(db, principal, params.id)
    const page = query.page ?? 1
    const size = query.size ?? pageSize
    const part = { limit: size + 1, offset: (page - 1) * size }
    const periods = await settlementPeriods(db, tenant.walletId, part)
    const currency = tenant.currency ?? config.APP_CURRENCY
    const list = await Promise.all(
      periods.slice(0, size).map(async (period) => {
        const { lines: _, ...sums } = await readSettlement(db, tenant, period, currency)
        return sums
      }),
    )
    return { list, count: list.length, hasMore: periods.length > size, page }
  })

  api.serve('GET /api/v4/tenants/{id}/settlements/{period}', ({ principal, params }) =>
    read(principal, params),
  )

  api.serveDownload('GET /api/v4/tenants/{id}/settlements/{period}/csv', async ({ principal, params, t }) => {
    const { lines, currency, period } = await read(principal, params)
    const rows = lines.map(({ userId, email, ...cents }) =>
      csvRow([
        ...[userId, email, amountCell(cents.charged)],
        ...[amountCell(cents.fees), amountCell(cents.profit), currency],
      ]),
    )
    const head = csvRow([
      t('tenants.csv-customer'),
      t('tenants.csv-address'),
      t('tenants.csv-charged'),
      t('tenants.csv-fees'),
      t('tenants.csv-profit'),
      t('tenants.csv-currency'),
    ])
    return { filename: `settlement-${period}.csv`, parts: inParts([head, ...rows]) }
  })
}

async function* inParts(rows: readonly string[]): AsyncGenerator<string> {
  yield rows.join('')
}
