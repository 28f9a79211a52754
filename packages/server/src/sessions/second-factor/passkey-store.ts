import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { ChallengePurpose } from '../../platform/db/schema-factors.ts'

/** A passkey as its answers are checked against it. */
export interface StoredPasskey {
  readonly id: string
  readonly user_id: number
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly transports: string[]
  readonly name: string
}

const columns = ['id', 'user_id', 'credential_id', 'public_key', 'transports', 'name'] as const

export function passkeysOf(db: Db, userId: number): Promise<StoredPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The passkey with a credential id and its user's tenant, as long as the user is not deleted. */
export function findPasskey(
  db: Db,
  credentialId: Buffer,
): Promise<(StoredPasskey & { readonly tenant_id: number }) | undefined> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(columns.map((column) => `p.${column}` as const))
    .select('u.tenant_id')
    .where('p.credential_id', '=', credentialId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** False when there is one with this credential id already, of whomever. */
export async function addPasskey(
  trx: Db,
  passkey: StoredPasskey & {
    readonly counter: number
    readonly is_backed_up: boolean
    readonly created_at: Date
  },
): Promise<boolean> {
  const row = await trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
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
    .set({ counter: use.counter, is_backed_up: use.isBackedUp, last_used_at: use.at })
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
  challenge: Insertable<Schema['passkey_challenges']>,
): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute()
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
    .deleteFrom('passkey_challenges')
    .where('id', '=', id)
    .where('purpose', '=', use.purpose)
    .where('user_id', 'is not distinct from', use.userId ?? null)
    .where('session_id', 'is not distinct from', use.sessionId ?? null)
    .where('expires_at', '>', now)
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
    .selectFrom('passkey_challenges')
    .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.min('expires_at').as('first')])
    .where('ip', '=', ip)
    .where('user_id', 'is', null)
    .where('expires_at', '>', now)
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
    .deleteFrom('passkey_challenges')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('passkey_challenges')
        .select('id')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .orderBy('expires_at', 'desc')
        .limit(kept),
    )
    .execute()
}

/** Removes challenges that nobody answered, and code generators that nobody confirmed. */
export async function purgeChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute()
  await db.deleteFrom('second_factors').where('expires_at', '<', now).execute()
}
