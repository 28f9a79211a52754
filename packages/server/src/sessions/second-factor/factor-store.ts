import type { ProtectionKind } from '@gatehouse/contract/directory/users'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'

/** Kinds of factors that have names and a list. */
export type ListedKind = 'totp' | 'passkey'

export interface ListedFactor {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export async function listTotp(db: Db, userId: number): Promise<ListedFactor[]> {
  return db
    .selectFrom('second_factors')
    .select(['id', 'label as name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .where('active', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function listPasskeys(
  db: Db,
  userId: number,
): Promise<(ListedFactor & { readonly isBackedUp: boolean })[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select('is_backed_up as isBackedUp')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Factors of a user that count, recovery codes left out. */
export async function countFactors(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (
      (select count(*) from second_factors where user_id = ${userId} and active)
      + (select count(*) from passkeys where user_id = ${userId}))::integer as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** The name of the factor that was removed; undefined: the user does not have it. */
export async function removeFactor(
  trx: Db,
  kind: ListedKind,
  userId: number,
  id: string,
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  const row =
    kind === 'passkey'
      ? await trx
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('name')
          .executeTakeFirst()
      : await trx
          .deleteFrom('second_factors')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('active', '=', true)
          .returning('label as name')
          .executeTakeFirst()
  return row?.name
}

/** The name that the factor had; undefined: the user does not have it. Call it with the user held. */
export async function renameFactor(
  trx: Db,
  kind: ListedKind,
  userId: number,
  id: string,
  name: string,
): Promise<string | undefined> {
  const list = kind === 'passkey' ? await listPasskeys(trx, userId) : await listTotp(trx, userId)
  const before = list.find((factor) => factor.id === id)?.name
  if (before === undefined) return undefined
  if (kind === 'passkey') await trx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
  else await trx.updateTable('second_factors').set({ label: name }).where('id', '=', id).execute()
  return before
}

/** The kinds of second factors that a user (the table is called `u`) has, in the order of the contract. */
export const protectionKindsOf = sql<ProtectionKind[]>`array_remove(array[
  case when exists (select from passkeys p where p.user_id = u.id) then 'passkey' end,
  case when exists (select from second_factors f where f.user_id = u.id and f.active) then 'totp' end,
  case when exists (select from companions c where c.user_id = u.id and c.mfa_enabled) then 'companion' end], null)`

/** The same of one user. */
export async function readProtectionKinds(db: Db, userId: number): Promise<ProtectionKind[]> {
  const user = await db
    .selectFrom('users as u')
    .select(protectionKindsOf.as('kinds'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return user?.kinds ?? []
}

/** Removes every factor of a user with what hangs on them; how many there were, recovery codes left out. */
export async function wipeFactors(trx: Db, userId: number): Promise<number> {
  const count = await countFactors(trx, userId)
  await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return count
}
