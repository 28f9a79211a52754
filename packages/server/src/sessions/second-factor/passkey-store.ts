import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** `alone`: sign-in with a passkey only. */
export type ChallengePurpose = Schema['passkeyChallenges']['purpose']

/** A passkey with the data needed to verify responses. */
export interface StoredPasskey {
  readonly id: string
  readonly userId: number
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly transports: string[]
  readonly name: string
}

const columns = ['id', 'userId', 'credentialId', 'publicKey', 'transports', 'name'] as const

export function passkeysOf(db: Db, userId: number): Promise<StoredPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns the passkey with a credential id and its user's tenant, unless the user is deleted. */
export function findPasskey(
  db: Db,
  credentialId: Buffer,
): Promise<(StoredPasskey & { readonly tenantId: number }) | undefined> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .select(columns.map((column) => `p.${column}` as const))
    .select('u.tenantId')
    .where('p.credentialId', '=', credentialId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns false if any user already has this credential id. */
export async function addPasskey(
  trx: Db,
  passkey: StoredPasskey & {
    readonly counter: number
    readonly isBackedUp: boolean
    readonly createdAt: Date
  },
): Promise<boolean> {
  const row = await trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records a use; returns false if the counter did not increase, which indicates a cloned authenticator
 * (WebAuthn §6.1.1). A single conditional update, so that only one of two responses with the same counter is
 * accepted. Authenticators that don't count stay at 0.
 */
export async function notePasskeyUse(
  db: Db,
  id: string,
  use: { readonly counter: number; readonly isBackedUp: boolean; readonly at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ counter: use.counter, isBackedUp: use.isBackedUp, lastUsedAt: use.at })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('counter', '<', use.counter),
        where(where.val(use.counter), '=', 0).and('counter', '=', 0),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertChallenge(
  db: Db,
  challenge: Insertable<Schema['passkeyChallenges']>,
): Promise<void> {
  await db.insertInto('passkeyChallenges').values(challenge).execute()
}

/** Deletes an open challenge for this use and returns its bytes. */
export async function takeChallenge(
  db: Db,
  id: string,
  use: {
    readonly purpose: ChallengePurpose
    readonly userId?: number | undefined
    readonly sessionId?: string | undefined
  },
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeyChallenges')
    .where('id', '=', id)
    .where('purpose', '=', use.purpose)
    .where('userId', 'is not distinct from', use.userId ?? null)
    .where('sessionId', 'is not distinct from', use.sessionId ?? null)
    .where('expiresAt', '>', now)
    .returning('challenge')
    .executeTakeFirst()
  return row?.challenge
}

/** Returns how many challenges without a user an address has open, and when the first expires. */
export async function openChallengesFrom(
  db: Db,
  ip: string,
  now: Date,
): Promise<{ open: number; first: Date }> {
  const { open, first } = await db
    .selectFrom('passkeyChallenges')
    .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.min('expiresAt').as('first')])
    .where('ip', '=', ip)
    .where('userId', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return { open: Number(open), first }
}

/** Deletes all challenges of a user for one purpose except the newest `kept`. */
export async function keepNewestChallenges(
  db: Db,
  userId: number,
  purpose: ChallengePurpose,
  kept: number,
): Promise<void> {
  await db
    .deleteFrom('passkeyChallenges')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('passkeyChallenges')
        .select('id')
        .where('userId', '=', userId)
        .where('purpose', '=', purpose)
        .orderBy('expiresAt', 'desc')
        .limit(kept),
    )
    .execute()
}

/** Deletes expired challenges and unconfirmed authenticator apps. */
export async function purgeChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', now).execute()
  await db.deleteFrom('secondFactors').where('expiresAt', '<', now).execute()
}
