import type { ObjectCosts, walletRoutes } from '@gatehouse/contract/billing/wallets'
import type { Language } from '@gatehouse/contract/language'
import type { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { type CostRow, readCosts } from './cost-store.ts'

type Query = z.output<(typeof walletRoutes)['GET /api/v4/wallets/{id}/costs']['query']>

const pageSize = 20

export interface CostPage {
  readonly list: ObjectCosts[]
  readonly count: number
  readonly hasMore: boolean
  readonly total: number
  /** Cents per month of all matches. */
  readonly monthly: number
}

/**
 * Monthly costs of an account's objects in the requested order; a single query regardless of their number.
 */
export async function listCosts(
  db: Db,
  wallet: { readonly id: string; readonly discount: number },
  query: Query,
  language: Language,
): Promise<CostPage> {
  const size = query.size ?? pageSize
  const offset = ((query.page ?? 1) - 1) * size
  const pattern = query.search == null ? null : foldedPattern(query.search)
  const byName = query.sort === 'name'
  const direction = query.order ?? (byName ? 'asc' : 'desc')
  const rows = await readCosts(db, wallet, { pattern, byName, direction, size, offset })
  // an empty page is a single row with the totals
  const list = rows.flatMap((row) =>
    row.objectType === null ? [] : [present(row.objectType, row, language)],
  )
  const { total = 0, allMonthly: monthly = 0 } = rows[0] ?? {}
  return { list, count: list.length, hasMore: total > offset + list.length, total, monthly }
}

function present(objectType: string, row: CostRow, language: Language): ObjectCosts {
  return {
    objectType,
    objectId: row.objectId,
    name: row.name,
    monthly: row.monthly,
    skus: row.skus.map((sku) => ({ ...sku, name: localised(sku.name, language) })),
  }
}
