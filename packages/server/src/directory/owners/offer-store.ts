import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { AccountOfferTable } from '../../platform/db/schema.ts'
import { userSetting } from '../../users/setting-store.ts'

export type StoredOffer = Selectable<AccountOfferTable>

/** An offer with what its reader is told of it. */
export interface OfferView extends StoredOffer {
  readonly tenant_id: number
  readonly owner_id: number
  readonly owner_email: string
  /** Null: support staff. */
  readonly from_email: string | null
  /** The new owner of a hand-over. */
  readonly heir_email: string | null
}

/** Writes an invitation; an earlier one for the same address ends. */
export async function writeInvitation(db: Db, offer: StoredOffer): Promise<void> {
  await db
    .deleteFrom('account_offers')
    .where('wallet_id', '=', offer.wallet_id)
    .where('email', '=', offer.email)
    .where('kind', '=', offer.kind)
    .execute()
  await db.insertInto('account_offers').values(offer).execute()
}

/** The open invitations of an account, by address. */
export function listInvitations(db: Db, walletId: string, now: Date): Promise<StoredOffer[]> {
  return db
    .selectFrom('account_offers')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .where('kind', '=', 'controller')
    .where('expires_at', '>', now)
    .orderBy('email')
    .execute()
}

/** Writes the next step of a hand-over; an earlier one of the account ends. */
export async function writeHandOver(db: Db, offer: StoredOffer): Promise<void> {
  await deleteHandOver(db, offer.wallet_id)
  await db.insertInto('account_offers').values(offer).execute()
}

/** Ends the hand-over of an account that is under way; undefined when there is none. */
export async function deleteHandOver(db: Db, walletId: string): Promise<StoredOffer | undefined> {
  return db
    .deleteFrom('account_offers')
    .where('wallet_id', '=', walletId)
    .where('kind', '!=', 'controller')
    .returningAll()
    .executeTakeFirst()
}

/** The hand-over of an account that is under way. */
export function readHandOver(
  db: Db,
  walletId: string,
  now: Date,
): Promise<(StoredOffer & { readonly heir_email: string }) | undefined> {
  return db
    .selectFrom('account_offers as f')
    .innerJoin('users as h', 'h.id', 'f.heir_id')
    .selectAll('f')
    .select('h.email as heir_email')
    .where('f.wallet_id', '=', walletId)
    .where('f.expires_at', '>', now)
    .executeTakeFirst()
}

/** Ends an invitation of an account; undefined when there is none. */
export async function deleteInvitation(
  db: Db,
  walletId: string,
  id: string,
): Promise<StoredOffer | undefined> {
  return db
    .deleteFrom('account_offers')
    .where('id', '=', id)
    .where('wallet_id', '=', walletId)
    .where('kind', '=', 'controller')
    .returningAll()
    .executeTakeFirst()
}

/** Uses an offer up; false when another was faster, or it was withdrawn. */
export async function takeOffer(db: Db, id: string): Promise<boolean> {
  const row = await db.deleteFrom('account_offers').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** An open offer by its number or the hash of its code; undefined where it, its account or its reader is gone. */
export function readOffer(
  db: Db,
  by: { readonly id: string } | { readonly codeHash: Buffer },
  now: Date,
): Promise<OfferView | undefined> {
  const offers = db
    .selectFrom('account_offers as f')
    .innerJoin('wallets as w', 'w.id', 'f.wallet_id')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .leftJoin('users as i', 'i.id', 'f.invited_by')
    .leftJoin('users as h', 'h.id', 'f.heir_id')
    .selectAll('f')
    .select(['o.id as owner_id', 'o.email as owner_email', 'o.tenant_id', 'i.email as from_email'])
    .select('h.email as heir_email')
    .where('f.expires_at', '>', now)
    .where('o.deleted_at', 'is', null)
    .where('u.deleted_at', 'is', null)
    .where('u.role', 'is', null)
  return (
    'id' in by ? offers.where('f.id', '=', by.id) : offers.where('f.code_hash', '=', by.codeHash)
  ).executeTakeFirst()
}

/** The language and name of the user whom an offer is for. */
export function offerReader(db: Db, userId: number) {
  return db
    .selectFrom('users as u')
    .select(['u.language', userSetting('first_name').as('first_name')])
    .select(userSetting('last_name').as('last_name'))
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Removes offers that have expired. */
export async function deleteExpiredOffers(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('account_offers').where('expires_at', '<', now).execute()
}
