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
  /** Of its owner. */
  readonly email: string
  readonly hasPush: boolean
  /** Of the pairing secret that is still good. */
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

/** A device, whoever has it. */
export async function findCompanion(db: Db, id: string, now: Date): Promise<Companion | undefined> {
  return companions(db, now).where('c.id', '=', id).executeTakeFirst()
}

/** Devices of a user, oldest first. */
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

/** The device that a session belongs to. */
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

/** A new device, not paired; undefined when the user has as many as one may have. */
export async function createCompanion(
  db: Db,
  now: Date,
  facts: { readonly userId: number; readonly name: string; readonly isRecovery: boolean },
): Promise<string | undefined> {
  // so that many at once do not all find room
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

/** Removes a device; false when it is gone already. */
export async function deleteCompanion(db: Db, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('companions').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/** How many paired devices a user has, this one left out. */
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

/** Puts a new pairing secret in the place of an older one. */
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

/** A pairing secret as somebody presents it: with the device that it is for, or as the code for typing. */
export type PresentedSecret =
  | { readonly companionId: string; readonly secretHash: Buffer }
  | { readonly codeHash: Buffer }

function presented(secret: PresentedSecret) {
  return 'codeHash' in secret
    ? sql<boolean>`p.code_hash = ${secret.codeHash}`
    : sql<boolean>`p.companion_id = ${secret.companionId}::uuid and p.secret_hash = ${secret.secretHash}`
}

/** The device that a secret is good for, with what its owner's password is held against. */
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

/** Uses a secret up; false when somebody was first or it is over. */
export async function takePairing(db: Db, secret: PresentedSecret, now: Date): Promise<boolean> {
  const taken = await sql`delete from companion_pairings p
    where ${presented(secret)} and p.expires_at > ${now} returning companion_id`.execute(db)
  return taken.rows.length === 1
}

/** Writes down that a device is paired, or what it tells of itself again. Gives its name. */
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

/** Notes that a device was used just now, at most once in a minute. */
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('companions')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where(sql<boolean>`last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute'`)
    .execute()
}

/** Ties the session of a token to its device. */
export async function tieSession(db: Db, tokenHash: Buffer, companionId: string): Promise<void> {
  await sql`update sessions set companion_id = ${companionId}::uuid
    where id = (select session_id from access_tokens where hash = ${tokenHash})`.execute(db)
}

/** Sessions of a device that have not ended. */
export async function sessionsOf(db: Db, companionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('companionId', '=', companionId)
    .where('revokedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Devices of a user, by name. */
export async function devicesOf(db: Db, userId: number) {
  return db
    .selectFrom('companions')
    .select(['id', 'name', 'mfaEnabled'])
    .where('userId', '=', userId)
    .orderBy('name')
    .execute()
}

/** Where browsers of a user's devices are pushed to, sealed; not those that are kept for a recovery. */
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

/** Forgets a subscription that the push service does not know any more, unless there is a newer one. */
export async function dropSubscription(db: Db, id: string, sealed: Buffer): Promise<void> {
  await db
    .updateTable('companions')
    .set({ pushSubscription: null })
    .where('id', '=', id)
    .where('pushSubscription', '=', sealed)
    .execute()
}

/** Has a connection notified of every change of devices and of the sign-ins that wait for them. */
export async function listenForCompanions(client: PoolClient): Promise<void> {
  await client.query('listen companions')
}
