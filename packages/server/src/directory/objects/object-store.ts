import type { FolderType } from '@gatehouse/contract/directory/folders'
import { groupStatus, mailboxStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newObjectId } from '../../platform/ids.ts'
import type { ProcessDomain, StepWork } from '../../users/account-view/setup-process.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'

interface Row {
  id: number
  kind: DirectoryKind
  tenantId: number
  walletId: string
  domain: string
  email: string
  name: string
  status: number
  members: number
  senderPolicy: string[]
  membersMaySend: boolean
  invitationPolicy: DirectoryObject['invitationPolicy']
  invitationOwner: string | null
  folderType: FolderType | null
  hasLmtpAlias: boolean
  aliases: string[]
  ownerId: number
  ownerStatus: number
  controllerIds: number[]
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Selects objects with related data by a condition on `o`. */
async function select(db: Db, condition: RawBuilder<unknown>): Promise<DirectoryObject[]> {
  const { rows } =
    await sql<Row>`select o.id, o.kind, o.tenant_id, o.wallet_id, o.domain, o.email, o.name, o.status, o.members,
      o.sender_policy, o.members_may_send, o.invitation_policy, o.folder_type, o.has_lmtp_alias, o.created_at, o.updated_at, o.deleted_at,
      (select u.email from users u where u.id = o.invitation_owner_id and u.deleted_at is null) as invitation_owner,
      array(select a.address from addresses a
        where a.kind = 'folder-alias' and a.object_id = o.id order by 1) as aliases,
      w.user_id as owner_id, w_owner.status as owner_status,
      array(select c.user_id from wallet_controllers c where c.wallet_id = o.wallet_id) as controller_ids
    from directory_objects o join wallets w on w.id = o.wallet_id join users w_owner on w_owner.id = w.user_id
    where ${condition}`.execute(db)
  return rows.map(toObject)
}

function toObject(row: Row): DirectoryObject {
  return {
    id: row.id,
    kind: row.kind,
    tenantId: row.tenantId,
    walletId: row.walletId,
    domain: row.domain,
    email: row.email,
    name: row.name,
    status: row.status,
    members: row.members,
    senderPolicy: row.senderPolicy,
    membersMaySend: row.membersMaySend,
    invitationPolicy: row.invitationPolicy,
    invitationOwner: row.invitationOwner,
    folderType: row.folderType,
    hasLmtpAlias: row.hasLmtpAlias,
    aliases: row.aliases,
    ownerId: row.ownerId,
    ownerStatus: row.ownerStatus,
    controllerIds: row.controllerIds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
  }
}

/** Returns an object of a kind, deleted or not, or undefined if there is none. */
export async function readObject(
  db: Db,
  kind: DirectoryKind,
  id: number,
): Promise<DirectoryObject | undefined> {
  const [found] = await select(db, sql`o.id = ${id} and o.kind = ${kind}`)
  return found
}

/** Returns objects of a kind, including deleted ones. */
export function readObjects(db: Db, kind: DirectoryKind, ids: readonly number[]): Promise<DirectoryObject[]> {
  return select(db, sql`o.id = any(${ids}::bigint[]) and o.kind = ${kind}`)
}

/** Returns the objects of a wallet that aren't deleted, by address. */
export function objectsOfWallet(db: Db, walletId: string): Promise<DirectoryObject[]> {
  return select(db, sql`o.wallet_id = ${walletId} and o.deleted_at is null order by o.email`)
}

/** Returns a distribution list by address. */
export async function findGroup(db: Db, email: string): Promise<DirectoryObject | undefined> {
  const [found] = await select(db, sql`o.email = ${email} and o.kind = 'group' and o.deleted_at is null`)
  return found
}

/** Returns some active objects in an owner's wallets. */
export function objectsOfOwner(db: Db, ownerId: number, limit: number): Promise<DirectoryObject[]> {
  return select(
    db,
    sql`o.wallet_id in (select id from wallets where user_id = ${ownerId}) and o.deleted_at is null
      order by o.id limit ${limit}`,
  )
}

/**
 * Locks an object until the transaction ends and returns its current state, or undefined if there is none.
 */
export async function holdObject(
  trx: Db,
  kind: DirectoryKind,
  id: number,
): Promise<DirectoryObject | undefined> {
  const row = await trx
    .selectFrom('directoryObjects')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row && readObject(trx, kind, row.id)
}

export interface NewObject {
  readonly kind: DirectoryKind
  readonly tenantId: number
  readonly walletId: string
  readonly domain: string
  /** Derives the address from the id. */
  readonly email: (id: number) => string
  readonly name: string
  readonly folderType?: FolderType
  readonly hasLmtpAlias?: boolean
}

/**
 * Inserts a new object. Fails with a violation of `directory_objects_name` if the name is taken in the domain.
 */
export async function insertObject(trx: Db, clock: Clock, object: NewObject): Promise<number> {
  const now = clock.now()
  for (;;) {
    const id = newObjectId()
    const row = await trx
      .insertInto('directoryObjects')
      .values({
        id,
        kind: object.kind,
        tenantId: object.tenantId,
        walletId: object.walletId,
        domain: object.domain,
        email: object.email(id),
        name: object.name,
        status: groupStatus.new,
        invitationOwnerId: null,
        folderType: object.folderType ?? null,
        hasLmtpAlias: object.hasLmtpAlias ?? false,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      })
      // ids are random; on a collision another one is drawn
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
  }
}

/** Columns of an object that can change, apart from addresses and members. */
export interface ObjectChange {
  readonly name?: string
  readonly senderPolicy?: string[]
  readonly membersMaySend?: boolean
  readonly invitationPolicy?: DirectoryObject['invitationPolicy']
  readonly invitationOwnerId?: number | null
  readonly hasLmtpAlias?: boolean
}

/** Updates an object and its modification time. */
export async function writeObject(trx: Db, clock: Clock, id: number, change: ObjectChange): Promise<void> {
  await trx
    .updateTable('directoryObjects')
    .set({ ...change, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

/**
 * Sets and clears status bits in one statement, so that concurrent writers keep each other's bits. Returns
 * false if there is no object in the deletion state that `step` requires.
 */
export async function changeObjectStatus(
  db: Db,
  now: Date,
  kinds: readonly DirectoryKind[],
  id: number,
  { add, remove, ofDeleted }: { readonly add: number; readonly remove: number; readonly ofDeleted?: true },
): Promise<boolean> {
  const changed = await db
    .updateTable('directoryObjects')
    .set({ status: sql<number>`(status | ${add}::int) & ~${remove}::int`, updatedAt: now })
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where('deletedAt', ofDeleted ? 'is not' : 'is', null)
    // all kinds use the same bit for removed objects
    .where(sql<boolean>`status & ${groupStatus.deleted}::int = 0`)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Marks an object as deleted. */
export async function markObjectDeleted(trx: Db, clock: Clock, id: number): Promise<void> {
  const now = clock.now()
  await trx
    .updateTable('directoryObjects')
    .set({ deletedAt: now, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Restores a deleted object as new. Only the suspension of a list is kept. */
export async function unmarkObjectDeleted(trx: Db, clock: Clock, id: number): Promise<void> {
  await trx
    .updateTable('directoryObjects')
    .set({
      deletedAt: null,
      updatedAt: clock.now(),
      status: sql<number>`${groupStatus.new}::int | (status & ${groupStatus.suspended}::int)`,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns true if an active object of this kind in the domain has the name, regardless of case. */
export async function isNameTaken(
  db: Db,
  kind: DirectoryKind,
  domain: string,
  name: string,
  except?: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('directoryObjects')
    .select('id')
    .where('domain', '=', domain)
    .where('kind', '=', kind)
    .where(sql<boolean>`lower(name collate "und-x-icu") = lower(${name} collate "und-x-icu")`)
    .where('deletedAt', 'is', null)
    .where('id', '!=', except ?? 0)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the active users of an account by address. */
export async function usersOfWallet(
  db: Db,
  walletId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'in', [...emails])
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.email, row.id]))
}

/**
 * Objects of a kind that the back end has not created or removed yet. The bits for active and deleted are the
 * same for all kinds.
 */
export function unsettledObjects(kind: DirectoryKind): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select o.id from directory_objects o where o.kind = ${sql.lit(kind)}
    and ((o.deleted_at is not null and o.status & ${sql.lit(mailboxStatus.deleted)} = 0)
      or (o.deleted_at is null and o.status & ${sql.lit(mailboxStatus.active)} = 0))`
}

/** Set-up progress of an object and its domain. */
export interface ObjectSetup {
  readonly domain: ProcessDomain | undefined
  readonly work: StepWork
}

/** Reads the set-up progress of an object and its domain. */
export async function readSetup(db: Db, object: DirectoryObject): Promise<ObjectSetup> {
  const domain = await db
    .selectFrom('domains')
    .select(['id', 'status', 'type'])
    .where('namespace', '=', object.domain)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('provisioning')
    .select(['kind', 'step', 'state'])
    .where((eb) =>
      eb.or([
        eb('kind', '=', object.kind).and('objectId', '=', object.id),
        eb('kind', '=', 'domain').and('objectId', '=', domain?.id ?? 0),
      ]),
    )
    .execute()
  return { domain, work: Object.fromEntries(rows.map((row) => [`${row.kind}-${row.step}`, row.state])) }
}
