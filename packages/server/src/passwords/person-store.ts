import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { PersonFacts } from './context-words.ts'

/** What is known of a user, and what the portal is called for that user's tenant. */
export interface KnownPerson extends PersonFacts {
  readonly product: string | null
}

/** Reads what a password of the user must not be made of. Throws NoResultError without such a user. */
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

/** What a tenant calls its portal; undefined: as the installation does. */
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
