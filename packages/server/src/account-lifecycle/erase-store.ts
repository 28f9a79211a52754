import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** A deleted user whose personal data still exist. */
export interface DeletedPerson {
  readonly id: number
  readonly tenantId: number
  readonly status: number
  readonly walletId: string | null
  /** Primary address, aliases and external address. */
  readonly addresses: readonly string[]
}

/** The wallet that a user is billed to, deleted or not; undefined if the user doesn't exist or was erased. */
export async function walletOfPerson(db: Db, id: number): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('users')
    .select('walletId')
    .where('id', '=', id)
    .where('forgottenAt', 'is', null)
    .executeTakeFirst()
  return row?.walletId
}

/** Locks a deleted user until the end of the transaction; undefined if not deleted, or erased. */
export async function holdDeletedPerson(trx: Db, id: number): Promise<DeletedPerson | undefined> {
  const row = await trx
    .selectFrom('users')
    .select(['tenantId', 'status', 'walletId', 'email'])
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .where('forgottenAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { rows } = await sql<{ address: string }>`
    select address from addresses where kind in ('user', 'alias') and object_id = ${id}
    union select lower(value) from user_settings where user_id = ${id} and key = 'external_email'
    union select ${row.email}`.execute(trx)
  const addresses = rows.map(({ address }) => address)
  return { id, tenantId: row.tenantId, status: row.status, walletId: row.walletId, addresses }
}

/** True if a user's accounts contain anything not erased yet, except the owner. */
export async function ownsRemains(db: Db, ownerId: number): Promise<boolean> {
  const owned = sql`(select id from wallets where user_id = ${ownerId})`
  const { rows } = await sql<{ owns: boolean }>`select
    exists (select from users where wallet_id in ${owned} and id <> ${ownerId} and forgotten_at is null)
    or exists (select from domains where wallet_id in ${owned})
    or exists (select from directory_objects where wallet_id in ${owned})
    or exists (select from rooms where wallet_id in ${owned})
    or exists (select from entitlements where wallet_id in ${owned} and deleted_at is null) as owns`.execute(
    db,
  )
  return rows[0]?.owns === true
}

/**
 * Removes references to a user in the account beyond their own row: list memberships, rights, details of other
 * entries.
 */
export async function removeTraces(trx: Db, { id, walletId, addresses }: DeletedPerson): Promise<void> {
  await sql`delete from folder_acl where user_id = ${id}`.execute(trx)
  await sql`update directory_objects set invitation_policy = 'accept', invitation_owner_id = null
    where invitation_owner_id = ${id}`.execute(trx)
  await sql`delete from impersonations where user_id = ${id}`.execute(trx)
  await sql`update event_log set comment = null where object_type = 'user' and object_id = ${id}`.execute(trx)
  await sql`delete from mail_log where recipients && ${addresses}::text[]`.execute(trx)
  if (walletId !== null) await removeAddresses(trx, walletId, addresses)
}

/** Removes addresses from an account's lists, its users' mail policies and its audit log details. */
export async function removeAddresses(
  trx: Db,
  walletId: string,
  addresses: readonly string[],
): Promise<void> {
  await sql`delete from group_members m using directory_objects g
    where g.id = m.group_id and g.wallet_id = ${walletId}::uuid and m.address = any(${addresses}::text[])`.execute(
    trx,
  )
  await sql`delete from mail_correspondents c using users u
    where u.id = c.user_id and u.wallet_id = ${walletId}::uuid and c.address = any(${addresses}::text[])`.execute(
    trx,
  )
  await sql`delete from mail_allowed_senders s using users u
    where u.id = s.user_id and u.wallet_id = ${walletId}::uuid and s.entry = any(${addresses}::text[])`.execute(
    trx,
  )
  await sql`update event_log e set data = null where e.wallet_id = ${walletId}::uuid
    and exists (select from unnest(${addresses}::text[]) a where strpos(e.data::text, a) > 0)`.execute(trx)
}

/** Reduces an object's audit log to event, time and actor. */
export async function removeObjectFacts(
  trx: Db,
  type: DirectoryKind | 'domain' | 'room',
  ids: readonly number[],
): Promise<void> {
  await sql`update event_log set data = null, ip = null, comment = null
    where object_type = ${type} and object_id = any(${ids}::bigint[])`.execute(trx)
}

/** Deletes a domain permanently; its ID stays in the books. */
export async function removeDomain(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('domains').where('id', '=', id).execute()
}

/** True if a domain still has addresses, deleted or not. */
export async function holdsAddresses(db: Db, namespace: string): Promise<boolean> {
  const row = await db
    .selectFrom('addresses')
    .select('address')
    .where('domain', '=', namespace)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Some deleted users of a user's accounts who aren't erased yet, except the owner. */
export async function deletedMembersOf(db: Db, ownerId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('wallets as w', 'w.id', 'u.walletId')
    .select('u.id')
    .where('w.userId', '=', ownerId)
    .where('u.id', '!=', ownerId)
    .where('u.deletedAt', 'is not', null)
    .where('u.forgottenAt', 'is', null)
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Deleted lists, resources and folders of a user's accounts. */
export function deletedObjectsOf(db: Db, ownerId: number): Promise<{ id: number; kind: DirectoryKind }[]> {
  return db
    .selectFrom('directoryObjects as o')
    .innerJoin('wallets as w', 'w.id', 'o.walletId')
    .select(['o.id', 'o.kind'])
    .where('w.userId', '=', ownerId)
    .where('o.deletedAt', 'is not', null)
    .orderBy('o.id')
    .execute()
}

/** Deleted domains of a user's accounts. */
export async function deletedDomainsOf(db: Db, ownerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('domains as d')
    .innerJoin('wallets as w', 'w.id', 'd.walletId')
    .select('d.id')
    .where('w.userId', '=', ownerId)
    .where('d.deletedAt', 'is not', null)
    .orderBy('d.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Permanently deletes the deleted rooms of a user's accounts. Returns their IDs. */
export async function removeRoomsOf(trx: Db, ownerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`delete from rooms r using wallets w
    where w.id = r.wallet_id and w.user_id = ${ownerId} and r.deleted_at is not null returning r.id`.execute(
    trx,
  )
  return rows.map((row) => row.id)
}
