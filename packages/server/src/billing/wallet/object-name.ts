import { type RawBuilder, sql } from 'kysely'

/** Address or name of the object of an entitlement, as a column of a query in which those are called `alias`. */
export function objectName(alias: string): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case ${column('object_type')}
    when 'user' then (select email from users where id = ${column('object_id')})
    when 'domain' then (select namespace from domains where id = ${column('object_id')})
    else (select address from addresses where kind = ${column('object_type')}
      and object_id = ${column('object_id')} order by address limit 1) end`
}
