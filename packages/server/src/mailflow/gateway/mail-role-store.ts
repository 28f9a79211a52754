import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Creates a role that may read the views in schema `mail` and nothing else, or sets the password of an existing one. The
 * database user needs the right to create roles.
 */
export async function grantMailRole(db: Db, name: string, password: string): Promise<'created' | 'changed'> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(trx)
    const isNew = rows.length === 0
    const role = sql.id(name)
    const { rows: databases } = await sql<{ name: string }>`select current_database() as name`.execute(trx)
    await sql`${sql.raw(isNew ? 'create' : 'alter')} role ${role} login password ${sql.lit(password)}`.execute(
      trx,
    )
    await sql`grant connect on database ${sql.id(databases[0]?.name ?? '')} to ${role}`.execute(trx)
    await sql`grant usage on schema mail to ${role}`.execute(trx)
    await sql`grant select on all tables in schema mail to ${role}`.execute(trx)
    // views that later versions add
    await sql`alter default privileges in schema mail grant select on tables to ${role}`.execute(trx)
    return isNew ? 'created' : 'changed'
  })
}
