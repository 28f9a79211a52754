import type { ObjectCosts, walletRoutes } from '@gatehouse/contract/billing/wallets'
import type { Language } from '@gatehouse/contract/language'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { objectName } from './object-name.ts'

type Query = z.output<(typeof walletRoutes)['GET /api/v4/wallets/{id}/costs']['query']>

const pageSize = 20

interface Row {
  total: number
  all_monthly: number
  object_type: string | null
  object_id: number
  name: string | null
  monthly: number
  skus: { skuId: string; title: string; name: Localised; quantity: number; monthly: number }[]
}

export interface CostPage {
  readonly list: ObjectCosts[]
  readonly count: number
  readonly hasMore: boolean
  readonly total: number
  /** Cents a month of everything found. */
  readonly monthly: number
}

/** What each object of an account costs a month, in the wanted order; one statement however many there are. */
export async function listCosts(
  db: Db,
  wallet: { readonly id: string; readonly discount: number },
  query: Query,
  language: Language,
): Promise<CostPage> {
  const size = query.size ?? pageSize
  const offset = ((query.page ?? 1) - 1) * size
  const pattern = query.search == null ? null : `%${query.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const byName = query.sort === 'name'
  const direction = (query.order ?? (byName ? 'asc' : 'desc')) === 'asc' ? sql`asc` : sql`desc`
  const order = (of: RawBuilder<unknown>) =>
    byName
      ? sql`${of}name ${direction}, ${of}object_type, ${of}object_id`
      : sql`${of}monthly ${direction}, ${of}name, ${of}object_id`
  const { rows } = await sql<Row>`with units as materialized (
      select object_type, object_id, sku_id, count(*) as quantity,
        sum((cost / months)::bigint * ${100 - wallet.discount}::int / 100)::bigint as monthly
      from entitlements where wallet_id = ${wallet.id} and deleted_at is null group by 1, 2, 3
    ), named as materialized (
      select o.*, ${objectName('o')} as name
      from (select object_type, object_id, sum(monthly)::bigint as monthly from units group by 1, 2) o
    ), found as materialized (
      select * from named ${pattern === null ? sql`` : sql`where name ilike ${pattern}`}
    ), page as (select * from found order by ${order(sql``)} limit ${size} offset ${offset})
    select t.total, t.all_monthly, p.object_type, p.object_id, p.name, p.monthly,
      (select json_agg(json_build_object('skuId', k.id, 'title', k.title, 'name', k.name, 'quantity', u.quantity,
          'monthly', u.monthly) order by u.monthly desc, k.title)
        from units u join skus k on k.id = u.sku_id
        where u.object_type = p.object_type and u.object_id = p.object_id) as skus
    from (select count(*) as total, coalesce(sum(monthly), 0)::bigint as all_monthly from found) t
      left join page p on true
    order by ${order(sql`p.`)}`.execute(db)
  // an empty page is one row of the totals alone
  const list = rows.flatMap((row) =>
    row.object_type === null ? [] : [present(row.object_type, row, language)],
  )
  const { total = 0, all_monthly: monthly = 0 } = rows[0] ?? {}
  return { list, count: list.length, hasMore: total > offset + list.length, total, monthly }
}

function present(objectType: string, row: Row, language: Language): ObjectCosts {
  return {
    objectType,
    objectId: row.object_id,
    name: row.name,
    monthly: row.monthly,
    skus: row.skus.map((sku) => ({ ...sku, name: localised(sku.name, language) })),
  }
}
