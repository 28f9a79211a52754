import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'

/** Column with the display name of an entitlement's object, in a query with the entitlements as `alias`. */
export function objectName(alias: string): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case ${column('object_type')}
    when 'user' then (select email from users where id = ${column('object_id')})
    when 'domain' then (select display_name from domains where id = ${column('object_id')})
    when 'room' then (select coalesce(nullif(description, ''), name) from rooms where id = ${column('object_id')})
    when 'group' then (select email from directory_objects where id = ${column('object_id')})
    else (select name from directory_objects where id = ${column('object_id')}) end`
}

/** Column with other searchable names of an object: its address, or the name in its URL. */
function objectAddress(alias: string): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case ${column('object_type')}
    when 'domain' then (select namespace from domains where id = ${column('object_id')})
    when 'room' then (select name from rooms where id = ${column('object_id')})
    when 'user' then null
    else (select email from directory_objects where id = ${column('object_id')}) end`
}

/** An object with its costs, and the totals of all matches. */
export interface CostRow {
  total: number
  allMonthly: number
  objectType: string | null
  objectId: number
  name: string | null
  monthly: number
  skus: { skuId: string; title: string; name: Localised; quantity: number; monthly: number }[]
}

/** A page of the costs of a wallet's objects; an empty page is a single row with the totals. */
export async function readCosts(
  db: Db,
  wallet: { readonly id: string; readonly discount: number },
  {
    pattern,
    byName,
    direction: way,
    size,
    offset,
  }: {
    readonly pattern: string | null
    readonly byName: boolean
    readonly direction: 'asc' | 'desc'
    readonly size: number
    readonly offset: number
  },
): Promise<CostRow[]> {
  const direction = sql.raw(way)
  const order = (of: RawBuilder<unknown>) =>
    byName
      ? sql`${of}name ${direction}, ${of}object_type, ${of}object_id`
      : sql`${of}monthly ${direction}, ${of}name, ${of}object_id`
  const { rows } = await sql<CostRow>`with units as materialized (
      select object_type, object_id, sku_id, count(*) as quantity,
        sum((cost / months)::bigint * ${100 - wallet.discount}::int / 100)::bigint as monthly
      from entitlements where wallet_id = ${wallet.id} and deleted_at is null group by 1, 2, 3
    ), named as materialized (
      select o.*, ${objectName('o')} as name
      from (select object_type, object_id, sum(monthly)::bigint as monthly from units group by 1, 2) o
    ), found as materialized (
      select * from named n ${pattern === null ? sql`` : sql`where fold_text(name) like ${pattern} or fold_text(${objectAddress('n')}) like ${pattern}`}
    ), page as (select * from found order by ${order(sql``)} limit ${size} offset ${offset})
    select t.total, t.all_monthly, p.object_type, p.object_id, p.name, p.monthly,
      (select json_agg(json_build_object('skuId', k.id, 'title', k.title, 'name', k.name, 'quantity', u.quantity,
          'monthly', u.monthly) order by u.monthly desc, k.title)
        from units u join skus k on k.id = u.sku_id
        where u.object_type = p.object_type and u.object_id = p.object_id) as skus
    from (select count(*) as total, coalesce(sum(monthly), 0)::bigint as all_monthly from found) t
      left join page p on true
    order by ${order(sql`p.`)}`.execute(db)
  return rows
}
