import type { ProtectionKind } from '@gatehouse/contract/directory/users'
import type { FactorKind } from '@gatehouse/contract/sessions/proofs'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'

/** Kinds of factors with names and a list. */
export type ListedKind = 'totp' | 'passkey'

export interface ListedFactor {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The data needed to check an authenticator app's codes. */
export interface Generator {
  readonly id: string
  readonly secret: Buffer
  readonly algorithm: string
  readonly digits: number
  readonly period: number
}

export async function listTotp(db: Db, userId: number): Promise<ListedFactor[]> {
  return db
    .selectFrom('secondFactors')
    .select(['id', 'label as name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .where('active', '=', true)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function listPasskeys(
  db: Db,
  userId: number,
): Promise<(ListedFactor & { readonly isBackedUp: boolean })[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .select('isBackedUp')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Counts a user's active factors, except recovery codes. */
export async function countFactors(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (
      (select count(*) from second_factors where user_id = ${userId} and active)
      + (select count(*) from passkeys where user_id = ${userId}))::integer as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the name of the removed factor; undefined if the user doesn't have it. */
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
          .where('userId', '=', userId)
          .returning('name')
          .executeTakeFirst()
      : await trx
          .deleteFrom('secondFactors')
          .where('id', '=', id)
          .where('userId', '=', userId)
          .where('active', '=', true)
          .returning('label as name')
          .executeTakeFirst()
  return row?.name
}

/** Returns the factor's previous name; undefined if the user doesn't have it. Lock the user first. */
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
  else await trx.updateTable('secondFactors').set({ label: name }).where('id', '=', id).execute()
  return before
}

/** The kinds of second factors of a user (table alias `u`), in the order of the contract. */
export const protectionKindsOf = sql<ProtectionKind[]>`array_remove(array[
  case when exists (select from passkeys p where p.user_id = u.id) then 'passkey' end,
  case when exists (select from second_factors f where f.user_id = u.id and f.active) then 'totp' end,
  case when exists (select from companions c where c.user_id = u.id and c.mfa_enabled) then 'companion' end], null)`

/** The same for one user. */
export async function readProtectionKinds(db: Db, userId: number): Promise<ProtectionKind[]> {
  const user = await db
    .selectFrom('users as u')
    .select(protectionKindsOf.as('kinds'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return user?.kinds ?? []
}

/** Removes all factors of a user with dependent rows; returns their number without recovery codes. */
export async function wipeFactors(trx: Db, userId: number): Promise<number> {
  const count = await countFactors(trx, userId)
  await trx.deleteFrom('secondFactors').where('userId', '=', userId).execute()
  await trx.deleteFrom('passkeys').where('userId', '=', userId).execute()
  await trx.deleteFrom('passkeyChallenges').where('userId', '=', userId).execute()
  await deleteRecoveryCodes(trx, userId)
  return count
}

/** Returns which kinds of proof a user has. */
export async function kindsOf(db: Db, userId: number): Promise<Readonly<Record<FactorKind, boolean>>> {
  const has = await db
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('passkeys').select('id').where('userId', '=', userId)).as('passkey'),
      eb
        .exists(
          eb.selectFrom('secondFactors').select('id').where('userId', '=', userId).where('active', '=', true),
        )
        .as('totp'),
      eb
        .exists(
          eb
            .selectFrom('recoveryCodes')
            .select('userId')
            .where('userId', '=', userId)
            .where('usedAt', 'is', null),
        )
        .as('recovery'),
    ])
    .executeTakeFirstOrThrow()
  return { passkey: Boolean(has.passkey), totp: Boolean(has.totp), recovery: Boolean(has.recovery) }
}

/** Returns the number of remaining recovery codes and when they were created. */
export async function recoveryCodesOf(
  db: Db,
  userId: number,
): Promise<{ left: number; createdAt: Date | null }> {
  const { rows, since } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('usedAt', 'is', null).as('rows'),
      eb.fn.max('createdAt').as('since'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return { left: Number(rows), createdAt: since }
}

export async function insertRecoveryCodes(
  trx: Db,
  userId: number,
  hashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await trx
    .insertInto('recoveryCodes')
    .values(hashes.map((hash) => ({ userId, hash, createdAt: now })))
    .execute()
}

/** Consumes a recovery code; returns false if the user has none with this hash or it was used. */
export async function spendRecoveryCode(db: Db, userId: number, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteRecoveryCodes(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}

/** Stores a pending authenticator app. */
export async function insertGenerator(
  trx: Db,
  made: Omit<Generator, 'algorithm'> & {
    readonly userId: number
    readonly label: string
    readonly createdAt: Date
    readonly expiresAt: Date
  },
): Promise<void> {
  const state = { kind: 'totp', algorithm: 'SHA1', active: false, lastStep: null } as const
  await trx
    .insertInto('secondFactors')
    .values({ ...made, ...state })
    .execute()
}

/** Locks a pending authenticator app. */
export async function holdPendingGenerator(
  trx: Db,
  userId: number,
  id: string,
  now: Date,
): Promise<(Generator & { readonly label: string }) | undefined> {
  return trx
    .selectFrom('secondFactors')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('active', '=', false)
    .where('expiresAt', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

export async function activateGenerator(trx: Db, id: string, step: number): Promise<void> {
  await trx
    .updateTable('secondFactors')
    .set({ active: true, expiresAt: null, lastStep: step })
    .where('id', '=', id)
    .execute()
}

export async function activeGenerators(db: Db, userId: number): Promise<Generator[]> {
  return db
    .selectFrom('secondFactors')
    .select(['id', 'secret', 'algorithm', 'digits', 'period'])
    .where('userId', '=', userId)
    .where('active', '=', true)
    .execute()
}

/** Returns a user's active and pending authenticator apps, newest first. */
export async function generatorsOf(trx: Db, userId: number): Promise<{ id: string; active: boolean }[]> {
  return trx
    .selectFrom('secondFactors')
    .select(['id', 'active'])
    .where('userId', '=', userId)
    .where((where) => where.or([where('active', '=', true), where('expiresAt', 'is not', null)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function deleteGenerators(trx: Db, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('secondFactors').where('id', 'in', ids).execute()
}

/** Records the time step as used; returns false if it or a later one was. */
export async function spendStep(db: Db, id: string, step: number, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('secondFactors')
    .set({ lastStep: step, lastUsedAt: now })
    .where('id', '=', id)
    .where((where) => where.or([where('lastStep', 'is', null), where('lastStep', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
