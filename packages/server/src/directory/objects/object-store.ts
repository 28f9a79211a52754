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

/** Objects with what belongs to them, those that the condition on `o` names. */
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

/** An object of a kind, deleted or not; undefined when there is none. */
export async function readObject(
  db: Db,
  kind: DirectoryKind,
  id: number,
): Promise<DirectoryObject | undefined> {
  const [found] = await select(db, sql`o.id = ${id} and o.kind = ${kind}`)
  return found
}

/** Some objects of a kind, deleted ones too. */
export function readObjects(db: Db, kind: DirectoryKind, ids: readonly number[]): Promise<DirectoryObject[]> {
  return select(db, sql`o.id = any(${ids}::bigint[]) and o.kind = ${kind}`)
}

/** A distribution list by its address. */
export async function findGroup(db: Db, email: string): Promise<DirectoryObject | undefined> {
  const [found] = await select(db, sql`o.email = ${email} and o.kind = 'group' and o.deleted_at is null`)
  return found
}

/** Some living objects of the wallets of an owner. */
export function objectsOfOwner(db: Db, ownerId: number, limit: number): Promise<DirectoryObject[]> {
  return select(
    db,
    sql`o.wallet_id in (select id from wallets where user_id = ${ownerId}) and o.deleted_at is null
      order by o.id limit ${limit}`,
  )
}

/** Holds an object for the rest of the transaction, then reads it as it is now; undefined when there is none. */
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
  /** From the number, for addresses that are made of it. */
  readonly email: (id: number) => string
  readonly name: string
  readonly folderType?: FolderType
  readonly hasLmtpAlias?: boolean
}

/**
 * Writes a new object. Fails with a violation of `directory_objects_name` when the name is taken in the domain.
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
      // numbers are random; one that exists is drawn again
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
  }
}

/** What may change of an object beside its addresses and members. */
export interface ObjectChange {
  readonly name?: string
  readonly senderPolicy?: string[]
  readonly membersMaySend?: boolean
  readonly invitationPolicy?: DirectoryObject['invitationPolicy']
  readonly invitationOwnerId?: number | null
  readonly hasLmtpAlias?: boolean
}

/** Changes an object and notes when. */
export async function writeObject(trx: Db, clock: Clock, id: number, change: ObjectChange): Promise<void> {
  await trx
    .updateTable('directoryObjects')
    .set({ ...change, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

/**
 * Adds and removes status bits in one statement, so that two writers never undo each other's bits. False when no such
 * object is deleted, or not deleted, as `step` wants.
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
    // all kinds have the same bit for removed objects
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

/** Brings a deleted object back as a new one; all but the suspension of a list is forgotten. */
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

/** True when a living object of that kind in the domain has the name, whatever its case. */
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

/** The users of an account by address, as far as they live. */
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

/** Objects of a kind that the back end has not created or removed yet. All kinds share the bits of activity and deletion. */
export function unsettledObjects(kind: DirectoryKind): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select o.id from directory_objects o where o.kind = ${sql.lit(kind)}
    and ((o.deleted_at is not null and o.status & ${sql.lit(mailboxStatus.deleted)} = 0)
      or (o.deleted_at is null and o.status & ${sql.lit(mailboxStatus.active)} = 0))`
}

/** How far an object and its domain are set up. */
export interface ObjectSetup {
  readonly domain: ProcessDomain | undefined
  readonly work: StepWork
}

/** Reads how far an object and its domain are set up. */
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
