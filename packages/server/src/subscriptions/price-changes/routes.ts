import type { priceChangeInput } from '@gatehouse/contract/billing/price-changes'
import type { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { isUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import type { TenantRow } from '../../tenants/tenant-store.ts'
import { actorOf } from '../../users/actor.ts'
import { monthsOf } from '../prices/pricing.ts'
import { readSkus, readSkusById } from '../sku-store.ts'
import { mayChangeFees, mayChangePrices } from './policy.ts'
import { presentPriceChange, presentWallet } from './present.ts'
import { concernedWallets, individualPrices, previewWallets } from './preview-store.ts'
import { dayOf } from './rules.ts'
import {
  cancelPriceChange,
  type PriceChangeWish,
  planChange,
  type ScheduleParts,
  schedulePriceChange,
} from './schedule.ts'
import { listPriceChanges, openChanges, type PriceChangeRow, readPriceChange } from './store.ts'

export interface PriceChangeParts extends ScheduleParts {
  readonly db: Db
}

const pageSize = 20

/** Price changes in the cockpits. */
export function servePriceChanges(api: Api, parts: PriceChangeParts): void {
  const { db, clock, config } = parts

  const required = async (id: string, principal: Principal): Promise<PriceChangeRow> => {
    const row = isUuid(id) ? await readPriceChange(db, id) : undefined
    if (row === undefined || !mayChangePrices(principal, row.tenantId)) throw new NotFound()
    return row
  }

  api.serve('GET /api/v4/price-changes', async ({ principal, query, language }) => {
    const only = query.tenant ?? (principal.role === 'admin' ? undefined : principal.tenantId)
    if (only !== undefined) await tenantOf(db, principal, only)
    const { page, limit, offset } = partOf(query)
    const rows = await listPriceChanges(
      db,
      { tenantId: only, state: query.state },
      { limit: limit + 1, offset },
    )
    const now = clock.now()
    const list = rows.slice(0, limit).map((row) => presentPriceChange(row, language, now))
    return { status: 'success', list, count: list.length, hasMore: rows.length > limit, page }
  })

  api.serve('GET /api/v4/price-changes/skus', async ({ principal, query, language }) => {
    const tenant = await tenantOf(db, principal, query.tenant)
    const open = await openChanges(db, tenant.id)
    const skus = await readSkus(db, tenant.id)
    return {
      status: 'success',
      tenant: { id: tenant.id, title: tenant.title },
      list: skus.map((sku) => ({
        id: sku.id,
        title: sku.title,
        name: localised(sku.name, language),
        cost: sku.cost,
        fee: sku.fee,
        months: monthsOf(sku),
        openChange: open.get(sku.id) ?? null,
      })),
      currency: config.APP_CURRENCY,
      noticeDays: config.PRICE_NOTICE_DAYS,
      canChangeFee: mayChangeFees(principal),
    }
  })

  api.serveLate('POST /api/v4/price-changes/preview', async ({ principal, read }) => {
    const body = read()
    const wish = await wishOf(db, principal, body)
    const plan = await planChange(db, parts, wish)
    const { errors } = plan.outcome
    if (errors !== undefined) throw new ValidationError(errors)
    const { page, limit, offset } = partOf(body)
    const { sku, months, steps } = plan
    const concerned = { skuId: sku.id, months, steps }
    const { lines, totals } = await previewWallets(db, concerned, { limit, offset })
    return {
      status: 'success',
      list: lines.map(presentWallet),
      count: lines.length,
      hasMore: offset + lines.length < totals.wallets,
      page,
      currency: config.APP_CURRENCY,
      months,
      from: sku.cost,
      to: wish.cost,
      earliest: dayOf(plan.earliest),
      wallets: totals.wallets,
      subscriptions: totals.units,
      before: totals.before,
      after: totals.after,
      individual: await individualPrices(db, { id: sku.id, cost: sku.cost, months }),
    }
  })

  api.serveLate('POST /api/v4/price-changes', async ({ principal, read, t, ip, language }) => {
    const wish = await wishOf(db, principal, read())
    const actor = actorOf(principal, { ip })
    const id = await schedulePriceChange(db, parts, wish, actor)
    const change = presentPriceChange(await required(id, principal), language, clock.now())
    return { status: 'success', message: t('price-changes.scheduled'), id, change }
  })

  api.serve('GET /api/v4/price-changes/{id}', async ({ principal, params, language }) => {
    const change = await required(params.id, principal)
    return { status: 'success', change: presentPriceChange(change, language, clock.now()) }
  })

  api.serve('GET /api/v4/price-changes/{id}/wallets', async ({ principal, params, query }) => {
    const change = await required(params.id, principal)
    const { page, limit, offset } = partOf(query)
    const lines = await concernedWallets(db, change.id, { limit: limit + 1, offset })
    const list = lines.slice(0, limit).map(presentWallet)
    return { status: 'success', list, count: list.length, hasMore: lines.length > limit, page }
  })

  api.serveLate('POST /api/v4/price-changes/{id}/cancel', async ({ principal, params, t, ip, language }) => {
    const { id } = await required(params.id, principal)
    const actor = actorOf(principal, { ip })
    await cancelPriceChange(db, clock, id, actor)
    const change = presentPriceChange(await required(id, principal), language, clock.now())
    return { status: 'success', message: t('price-changes.cancelled'), change }
  })
}

/** Returns the tenant of a call: for admins the service, unless another is named. Throws NotFound. */
function tenantOf(db: Db, principal: Principal, id: number | null | undefined): Promise<TenantRow> {
  const own = principal.role === 'admin' ? systemTenant : principal.tenantId
  return requireTenant(db, principal, String(id ?? own))
}

/** Parses the requested change. Throws NotFound for a SKU the caller doesn't sell, Forbidden for its fee. */
async function wishOf(
  db: Db,
  principal: Principal,
  body: z.output<typeof priceChangeInput>,
): Promise<PriceChangeWish> {
  const [row] = await readSkusById(db, [body.sku])
  if (row === undefined || !mayChangePrices(principal, row.tenantId)) throw new NotFound()
  if (body.fee != null && body.fee !== row.fee && !mayChangeFees(principal)) throw new Forbidden()
  const reason = Object.entries(body.reason ?? {}).filter(([, text]) => text !== '')
  return {
    tenantId: row.tenantId,
    skuId: body.sku,
    cost: body.cost,
    fee: body.fee ?? null,
    date: body.date ?? null,
    newSubscriptions: body.newSubscriptions ?? 'same-date',
    individual: body.individual ?? [],
    reason: Object.fromEntries(reason),
  }
}

function partOf(query: {
  readonly page?: number | null | undefined
  readonly size?: number | null | undefined
}) {
  const page = query.page ?? 1
  const limit = query.size ?? pageSize
  return { page, limit, offset: (page - 1) * limit }
}
