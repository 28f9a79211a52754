import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { PersonFacts } from './context-words.ts'

/** Facts about a user, with the name of their tenant's portal. */
export interface KnownPerson extends PersonFacts {
  readonly product: string | null
}

/** Reads what a user's password must not be based on. Throws NoResultError if there is no such user. */
export async function readPerson(db: Db, userId: number): Promise<KnownPerson> {
  return db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenantId')
    .select([
      setting('first_name').as('firstName'),
      setting('last_name').as('lastName'),
      setting('organization').as('organization'),
      sql<(string | null)[]>`array[u.email, ${setting('external_email')}] || array(
        select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id limit 25)`.as(
        'addresses',
      ),
      productName.as('product'),
    ])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Returns a tenant's name for its portal; undefined: the installation's. */
export async function readProductName(db: Db, tenantId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('tenants as t')
    .select(productName.as('product'))
    .where('id', '=', tenantId)
    .executeTakeFirst()
  return row?.product ?? undefined
}

const productName = sql<string | null>`t.settings->>'app.name'`

const setting = (key: string) =>
  sql<string | null>`(select s.value from user_settings s where s.user_id = u.id and s.key = ${key})`
