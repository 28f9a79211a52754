import { maxCompanions } from '@gatehouse/contract/sessions/companions'
import { type Selectable, sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import { holdUser } from '../../users/member-store.ts'

export interface Companion
  extends Omit<Selectable<Schema['companions']>, 'notificationToken' | 'pushSubscription'> {
  readonly tenantId: number
  /** The owner's. */
  readonly email: string
  readonly hasPush: boolean
  /** Creation time of the current pairing secret. */
  readonly pairingFrom: Date | null
  readonly pairingUntil: Date | null
}

function companions(db: Db, now: Date) {
  return db
    .selectFrom('companions as c')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .leftJoin('companionPairings as p', (join) =>
      join.onRef('p.companionId', '=', 'c.id').on('p.expiresAt', '>', now),
    )
    .select(['c.id', 'c.userId', 'c.name', 'c.isRecovery', 'c.deviceId', 'c.mfaEnabled'])
    .select(['c.pairedAt', 'c.lastUsedAt', 'c.createdAt', 'c.updatedAt', 'u.tenantId', 'u.email'])
    .select(['p.createdAt as pairingFrom', 'p.expiresAt as pairingUntil'])
    .select(sql<boolean>`c.push_subscription is not null`.as('hasPush'))
}

/** Returns a device, regardless of its owner. */
export async function findCompanion(db: Db, id: string, now: Date): Promise<Companion | undefined> {
  return companions(db, now).where('c.id', '=', id).executeTakeFirst()
}

/** Returns a user's devices, oldest first. */
export async function listCompanions(
  db: Db,
  userId: number,
  now: Date,
  part: { readonly limit: number; readonly offset: number },
): Promise<Companion[]> {
  return companions(db, now)
    .where('c.userId', '=', userId)
    .orderBy('c.createdAt')
    .orderBy('c.id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

/** Returns the device that a session belongs to. */
export async function companionOfSession(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<Companion | undefined> {
  return companions(db, now)
    .innerJoin('sessions as s', 's.companionId', 'c.id')
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
}

/** Creates an unpaired device; undefined if the user has the maximum number of devices. */
export async function createCompanion(
  db: Db,
  now: Date,
  facts: { readonly userId: number; readonly name: string; readonly isRecovery: boolean },
): Promise<string | undefined> {
  // serializes concurrent calls, so that they can't exceed the limit
  await holdUser(db, facts.userId)
  const { count } = await db
    .selectFrom('companions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', facts.userId)
    .executeTakeFirstOrThrow()
  if (count >= maxCompanions) return undefined
  const id = newUuid()
  const { userId, name, isRecovery } = facts
  await db
    .insertInto('companions')
    .values({ id, userId, name, isRecovery, createdAt: now, updatedAt: now })
    .execute()
  return id
}

/** Removes a device; returns false if it no longer exists. */
export async function deleteCompanion(db: Db, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('companions').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/** Counts a user's paired devices, except the given one. */
export async function countPaired(db: Db, userId: number, except?: string): Promise<number> {
  const { count } = await db
    .selectFrom('companions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('mfaEnabled', '=', true)
    .where(sql<boolean>`id is distinct from ${except ?? null}::uuid`)
    .executeTakeFirstOrThrow()
  return count
}

/** Replaces a device's pairing secret. */
export async function replacePairing(
  db: Db,
  pairing: {
    readonly companionId: string
    readonly secretHash: Buffer
    readonly codeHash: Buffer
    readonly from: Date
    readonly until: Date
  },
): Promise<void> {
  const facts = {
    secretHash: pairing.secretHash,
    codeHash: pairing.codeHash,
    createdAt: pairing.from,
    expiresAt: pairing.until,
  }
  await db
    .insertInto('companionPairings')
    .values({ companionId: pairing.companionId, ...facts })
    .onConflict((conflict) => conflict.column('companionId').doUpdateSet(facts))
    .execute()
}

/** A pairing secret as presented: together with its device, or as the code to type. */
export type PresentedSecret =
  | { readonly companionId: string; readonly secretHash: Buffer }
  | { readonly codeHash: Buffer }

function presented(secret: PresentedSecret) {
  return 'codeHash' in secret
    ? sql<boolean>`p.code_hash = ${secret.codeHash}`
    : sql<boolean>`p.companion_id = ${secret.companionId}::uuid and p.secret_hash = ${secret.secretHash}`
}

/** Returns the device that a secret pairs, with its owner's password hash. */
export async function findPairing(db: Db, secret: PresentedSecret, now: Date) {
  return db
    .selectFrom('companionPairings as p')
    .innerJoin('companions as c', 'c.id', 'p.companionId')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .select(['c.id', 'c.userId', 'c.isRecovery', 'u.email', 'u.tenantId', 'u.passwordHash'])
    .where(presented(secret))
    .where('p.expiresAt', '>', now)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Consumes a secret; returns false if it was used meanwhile or has expired. */
export async function takePairing(db: Db, secret: PresentedSecret, now: Date): Promise<boolean> {
  const taken = await sql`delete from companion_pairings p
    where ${presented(secret)} and p.expires_at > ${now} returning companion_id`.execute(db)
  return taken.rows.length === 1
}

/** Records that a device is paired, or updates its details. Returns its name. */
export async function registerCompanion(
  db: Db,
  id: string,
  now: Date,
  facts: { readonly deviceId: string; readonly name?: string; readonly notificationToken?: string },
): Promise<string> {
  const { name } = await db
    .updateTable('companions')
    .set({
      deviceId: facts.deviceId,
      mfaEnabled: true,
      pairedAt: sql<Date>`coalesce(paired_at, ${now}::timestamptz)`,
      lastUsedAt: now,
      updatedAt: now,
      ...(facts.name !== undefined && { name: facts.name }),
      ...(facts.notificationToken !== undefined && { notification_token: facts.notificationToken }),
    })
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow()
  return name
}

/** Records that a device was just used, at most once a minute. */
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('companions')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where(sql<boolean>`last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute'`)
    .execute()
}

/** Links a token's session to its device. */
export async function tieSession(db: Db, tokenHash: Buffer, companionId: string): Promise<void> {
  await sql`update sessions set companion_id = ${companionId}::uuid
    where id = (select session_id from access_tokens where hash = ${tokenHash})`.execute(db)
}

/** Returns a device's active sessions. */
export async function sessionsOf(db: Db, companionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('companionId', '=', companionId)
    .where('revokedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns a user's devices, by name. */
export async function devicesOf(db: Db, userId: number) {
  return db
    .selectFrom('companions')
    .select(['id', 'name', 'mfaEnabled'])
    .where('userId', '=', userId)
    .orderBy('name')
    .execute()
}

/** Returns the sealed push subscriptions of a user's browsers, except recovery devices. */
export async function pushTargets(db: Db, userId: number, except?: string) {
  const rows = await db
    .selectFrom('companions')
    .select(['id', 'pushSubscription'])
    .where('userId', '=', userId)
    .where('mfaEnabled', '=', true)
    .where('isRecovery', '=', false)
    .where('pushSubscription', 'is not', null)
    .where(sql<boolean>`id is distinct from ${except ?? null}::uuid`)
    .execute()
  return rows.flatMap(({ id, pushSubscription: sealed }) => (sealed === null ? [] : [{ id, sealed }]))
}

export async function setSubscription(db: Db, id: string, sealed: Buffer | null): Promise<void> {
  await db.updateTable('companions').set({ pushSubscription: sealed }).where('id', '=', id).execute()
}

/** Deletes a subscription that the push service no longer knows, unless there is a newer one. */
export async function dropSubscription(db: Db, id: string, sealed: Buffer): Promise<void> {
  await db
    .updateTable('companions')
    .set({ pushSubscription: null })
    .where('id', '=', id)
    .where('pushSubscription', '=', sealed)
    .execute()
}

/** Subscribes a connection to changes of devices and of pending sign-ins. */
export async function listenForCompanions(client: PoolClient): Promise<void> {
  await client.query('listen companions')
}
