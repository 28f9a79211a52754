import { maxCompanions } from '@gatehouse/contract/sessions/companions'
import { type Selectable, sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { CompanionTable } from '../../platform/db/schema-companions.ts'
import { newUuid } from '../../platform/ids.ts'
import { holdUser } from '../../users/member-store.ts'

export interface Companion
  extends Omit<Selectable<CompanionTable>, 'notification_token' | 'push_subscription'> {
  readonly tenant_id: number
  /** Of its owner. */
  readonly email: string
  readonly has_push: boolean
  /** Of the pairing secret that is still good. */
  readonly pairing_from: Date | null
  readonly pairing_until: Date | null
}

function companions(db: Db, now: Date) {
  return db
    .selectFrom('companions as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .leftJoin('companion_pairings as p', (join) =>
      join.onRef('p.companion_id', '=', 'c.id').on('p.expires_at', '>', now),
    )
    .select(['c.id', 'c.user_id', 'c.name', 'c.is_recovery', 'c.device_id', 'c.mfa_enabled'])
    .select(['c.paired_at', 'c.last_used_at', 'c.created_at', 'c.updated_at', 'u.tenant_id', 'u.email'])
    .select(['p.created_at as pairing_from', 'p.expires_at as pairing_until'])
    .select(sql<boolean>`c.push_subscription is not null`.as('has_push'))
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
    .where('c.user_id', '=', userId)
    .orderBy('c.created_at')
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
    .innerJoin('sessions as s', 's.companion_id', 'c.id')
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
    .where('user_id', '=', facts.userId)
    .executeTakeFirstOrThrow()
  if (count >= maxCompanions) return undefined
  const id = newUuid()
  const { userId: user_id, name, isRecovery: is_recovery } = facts
  await db
    .insertInto('companions')
    .values({ id, user_id, name, is_recovery, created_at: now, updated_at: now })
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
    .where('user_id', '=', userId)
    .where('mfa_enabled', '=', true)
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
    secret_hash: pairing.secretHash,
    code_hash: pairing.codeHash,
    created_at: pairing.from,
    expires_at: pairing.until,
  }
  await db
    .insertInto('companion_pairings')
    .values({ companion_id: pairing.companionId, ...facts })
    .onConflict((conflict) => conflict.column('companion_id').doUpdateSet(facts))
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
    .selectFrom('companion_pairings as p')
    .innerJoin('companions as c', 'c.id', 'p.companion_id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.user_id', 'c.is_recovery', 'u.email', 'u.tenant_id', 'u.password_hash'])
    .where(presented(secret))
    .where('p.expires_at', '>', now)
    .where('u.deleted_at', 'is', null)
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
      device_id: facts.deviceId,
      mfa_enabled: true,
      paired_at: sql<Date>`coalesce(paired_at, ${now}::timestamptz)`,
      last_used_at: now,
      updated_at: now,
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
    .set({ last_used_at: now })
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
    .where('companion_id', '=', companionId)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Devices of a user, by name. */
export async function devicesOf(db: Db, userId: number) {
  return db
    .selectFrom('companions')
    .select(['id', 'name', 'mfa_enabled'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute()
}

/** Where browsers of a user's devices are pushed to, sealed; not those that are kept for a recovery. */
export async function pushTargets(db: Db, userId: number, except?: string) {
  const rows = await db
    .selectFrom('companions')
    .select(['id', 'push_subscription'])
    .where('user_id', '=', userId)
    .where('mfa_enabled', '=', true)
    .where('is_recovery', '=', false)
    .where('push_subscription', 'is not', null)
    .where(sql<boolean>`id is distinct from ${except ?? null}::uuid`)
    .execute()
  return rows.flatMap(({ id, push_subscription: sealed }) => (sealed === null ? [] : [{ id, sealed }]))
}

export async function setSubscription(db: Db, id: string, sealed: Buffer | null): Promise<void> {
  await db.updateTable('companions').set({ push_subscription: sealed }).where('id', '=', id).execute()
}

/** Forgets a subscription that the push service does not know any more, unless there is a newer one. */
export async function dropSubscription(db: Db, id: string, sealed: Buffer): Promise<void> {
  await db
    .updateTable('companions')
    .set({ push_subscription: null })
    .where('id', '=', id)
    .where('push_subscription', '=', sealed)
    .execute()
}

/** Has a connection notified of every change of devices and of the sign-ins that wait for them. */
export async function listenForCompanions(client: PoolClient): Promise<void> {
  await client.query('listen companions')
}
