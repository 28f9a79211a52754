import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** `alone`: to sign in with a passkey and nothing else. */
export type ChallengePurpose = Schema['passkeyChallenges']['purpose']

/** A passkey as its answers are checked against it. */
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

/** The passkey with a credential id and its user's tenant, as long as the user is not deleted. */
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

/** False when there is one with this credential id already, of whomever. */
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
 * Notes a use; false when the authenticator counted no further than before, which two with the same key do (WebAuthn
 * §6.1.1). One conditional update, so that of two answers with one count only one is taken. Those that do not count
 * stay at 0.
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

/** Removes a challenge that is open for this use; its bytes. */
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

/** How many challenges for nobody in particular an address holds open, and when the first of them expires. */
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

/** Removes all challenges of a user for one purpose but the newest `kept`. */
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

/** Removes challenges that nobody answered, and code generators that nobody confirmed. */
export async function purgeChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', now).execute()
  await db.deleteFrom('secondFactors').where('expiresAt', '<', now).execute()
}
