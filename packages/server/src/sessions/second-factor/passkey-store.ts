import type { Db } from '../../platform/db/database.ts'

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

/** The passkey with a credential id, as long as its user is not deleted. */
export function findPasskey(db: Db, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(columns.map((column) => `p.${column}` as const))
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
