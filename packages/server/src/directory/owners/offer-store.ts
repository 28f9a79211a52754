import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { userSetting } from '../../users/setting-store.ts'

export type StoredOffer = Selectable<Schema['accountOffers']>

/** An offer with what its recipient is shown. */
export interface OfferView extends StoredOffer {
  readonly tenantId: number
  readonly ownerId: number
  readonly ownerEmail: string
  /** Null: support staff. */
  readonly fromEmail: string | null
  /** The new owner of a hand-over. */
  readonly heirEmail: string | null
}

/** Writes an invitation and replaces an earlier one for the same address. */
export async function writeInvitation(db: Db, offer: StoredOffer): Promise<void> {
  await db
    .deleteFrom('accountOffers')
    .where('walletId', '=', offer.walletId)
    .where('email', '=', offer.email)
    .where('kind', '=', offer.kind)
    .execute()
  await db.insertInto('accountOffers').values(offer).execute()
}

/** Returns the open invitations of an account, by address. */
export function listInvitations(db: Db, walletId: string, now: Date): Promise<StoredOffer[]> {
  return db
    .selectFrom('accountOffers')
    .selectAll()
    .where('walletId', '=', walletId)
    .where('kind', '=', 'controller')
    .where('expiresAt', '>', now)
    .orderBy('email')
    .execute()
}

/** Writes the next step of a hand-over and replaces the account's earlier one. */
export async function writeHandOver(db: Db, offer: StoredOffer): Promise<void> {
  await deleteHandOver(db, offer.walletId)
  await db.insertInto('accountOffers').values(offer).execute()
}

/** Cancels the pending hand-over of an account; undefined if there is none. */
export async function deleteHandOver(db: Db, walletId: string): Promise<StoredOffer | undefined> {
  return db
    .deleteFrom('accountOffers')
    .where('walletId', '=', walletId)
    .where('kind', '!=', 'controller')
    .returningAll()
    .executeTakeFirst()
}

/** Returns the pending hand-over of an account. */
export function readHandOver(
  db: Db,
  walletId: string,
  now: Date,
): Promise<(StoredOffer & { readonly heirEmail: string }) | undefined> {
  return db
    .selectFrom('accountOffers as f')
    .innerJoin('users as h', 'h.id', 'f.heirId')
    .selectAll('f')
    .select('h.email as heirEmail')
    .where('f.walletId', '=', walletId)
    .where('f.expiresAt', '>', now)
    .executeTakeFirst()
}

/** Deletes an invitation of an account; undefined if there is none. */
export async function deleteInvitation(
  db: Db,
  walletId: string,
  id: string,
): Promise<StoredOffer | undefined> {
  return db
    .deleteFrom('accountOffers')
    .where('id', '=', id)
    .where('walletId', '=', walletId)
    .where('kind', '=', 'controller')
    .returningAll()
    .executeTakeFirst()
}

/** Consumes an offer. Returns false if it was consumed concurrently or withdrawn. */
export async function takeOffer(db: Db, id: string): Promise<boolean> {
  const row = await db.deleteFrom('accountOffers').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/**
 * Returns an open offer by id or code hash; undefined if it, its account or its recipient no longer exists.
 */
export function readOffer(
  db: Db,
  by: { readonly id: string } | { readonly codeHash: Buffer },
  now: Date,
): Promise<OfferView | undefined> {
  const offers = db
    .selectFrom('accountOffers as f')
    .innerJoin('wallets as w', 'w.id', 'f.walletId')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .innerJoin('users as u', 'u.id', 'f.userId')
    .leftJoin('users as i', 'i.id', 'f.invitedBy')
    .leftJoin('users as h', 'h.id', 'f.heirId')
    .selectAll('f')
    .select(['o.id as ownerId', 'o.email as ownerEmail', 'o.tenantId', 'i.email as fromEmail'])
    .select('h.email as heirEmail')
    .where('f.expiresAt', '>', now)
    .where('o.deletedAt', 'is', null)
    .where('u.deletedAt', 'is', null)
    .where('u.role', 'is', null)
  return (
    'id' in by ? offers.where('f.id', '=', by.id) : offers.where('f.codeHash', '=', by.codeHash)
  ).executeTakeFirst()
}

/** Returns language and name of an offer's recipient. */
export function offerReader(db: Db, userId: number) {
  return db
    .selectFrom('users as u')
    .select(['u.language', userSetting('first_name').as('firstName')])
    .select(userSetting('last_name').as('lastName'))
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Deletes expired offers. */
export async function deleteExpiredOffers(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('accountOffers').where('expiresAt', '<', now).execute()
}
