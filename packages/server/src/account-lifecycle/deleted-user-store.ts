import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'
import type { OwnedObject } from '../users/policy.ts'
import { transition } from '../users/user-state.ts'

/** A deleted user with everything that decides whether they can be restored. */
export interface DeletedUser extends OwnedObject {
  readonly userId: number
  readonly email: string
  readonly status: number
  readonly deletedAt: Date
  /** The wallet of the user's account. */
  readonly walletId: string
  readonly ownerStatus: number
  readonly isOwnerDeleted: boolean
  readonly aliases: readonly string[]
  /** The address is still reserved for the user. */
  readonly hasAddress: boolean
  /** The domain of the address still exists in the account. */
  readonly hasDomain: boolean
}

interface Row {
  id: number
  tenantId: number
  email: string
  role: Role | null
  status: number
  deletedAt: Date
  walletId: string
  ownerId: number
  ownerStatus: number
  ownerDeleted: boolean
  controllerIds: number[]
  aliases: string[]
  hasAddress: boolean
  hasDomain: boolean
}

/** Returns which of these users were deleted after the given time. */
export async function readDeletedUsers(db: Db, ids: readonly number[], since: Date): Promise<DeletedUser[]> {
  if (ids.length === 0) return []
  const { rows } =
    await sql<Row>`select u.id, u.tenant_id, u.email, u.role, u.status, u.deleted_at, u.wallet_id,
      o.id as owner_id, o.status as owner_status, o.deleted_at is not null as owner_deleted,
      array(select c.user_id from wallet_controllers c where c.wallet_id = u.wallet_id) as controller_ids,
      array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
      exists (select from addresses a
        where a.address = u.email and a.kind = 'user' and a.object_id = u.id) as has_address,
      exists (select from domains d left join wallets dw on dw.id = d.wallet_id
        where d.namespace = split_part(u.email, '@', 2) and d.tenant_id = u.tenant_id and d.deleted_at is null
          and (d.type & ${domainType.public}::int <> 0 or dw.user_id = o.id)) as has_domain
    from users u join wallets w on w.id = u.wallet_id join users o on o.id = w.user_id
    where u.id = any(${ids}::bigint[]) and u.deleted_at > ${since}::timestamptz
      and u.forgotten_at is null`.execute(db)
  return rows.map((row) => ({
    userId: row.id,
    tenantId: row.tenantId,
    email: row.email,
    role: row.role,
    status: row.status,
    deletedAt: row.deletedAt,
    walletId: row.walletId,
    ownerId: row.ownerId,
    ownerStatus: row.ownerStatus,
    isOwnerDeleted: row.ownerDeleted,
    controllerIds: row.controllerIds,
    aliases: row.aliases,
    hasAddress: row.hasAddress,
    hasDomain: row.hasDomain,
  }))
}

/** Undeletes a user; returns false if the user isn't deleted. */
export async function markRestored(db: Db, clock: Clock, userId: number): Promise<boolean> {
  const held = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) return false
  await transition(db, clock, userId, 'restore')
  await db.updateTable('users').set({ deletedAt: null }).where('id', '=', userId).execute()
  return true
}

/** Finds a deleted account owner by their former address. */
export async function findDeletedUser(db: Db, email: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst()
  return row?.id
}

/** Users of an owner's accounts who were deleted with the owner or later. */
export async function membersDeletedWith(
  db: Db,
  ownerId: number,
  since: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('wallets as w', 'w.id', 'u.walletId')
    .select('u.id')
    .where('w.userId', '=', ownerId)
    .where('u.id', '>', after)
    .where('u.id', '!=', ownerId)
    .where('u.deletedAt', '>=', since)
    .where('u.forgottenAt', 'is', null)
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Domains of an owner's accounts that were deleted with the owner or later. */
export async function domainsDeletedWith(db: Db, ownerId: number, since: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('domains as d')
    .innerJoin('wallets as w', 'w.id', 'd.walletId')
    .select('d.id')
    .where('w.userId', '=', ownerId)
    .where('d.deletedAt', '>=', since)
    .orderBy('d.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Lists, resources and folders of an owner's accounts that were deleted with the owner or later. */
export async function objectsDeletedWith(
  db: Db,
  ownerId: number,
  since: Date,
): Promise<{ id: number; kind: DirectoryKind }[]> {
  return db
    .selectFrom('directoryObjects as o')
    .innerJoin('wallets as w', 'w.id', 'o.walletId')
    .select(['o.id', 'o.kind'])
    .where('w.userId', '=', ownerId)
    .where('o.deletedAt', '>=', since)
    .orderBy('o.id')
    .execute()
}
