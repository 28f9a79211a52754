import { readDomain } from '../directory/domains/domain-store.ts'
import { restoreDomainIn } from '../directory/domains/restore-domain.ts'
import { readObject } from '../directory/objects/object-store.ts'
import { restoreObjectIn } from '../directory/objects/restore-object.ts'
import { restoreRoomIn } from '../meetings/rooms/end-room.ts'
import { readRoom, roomsDeletedWith } from '../meetings/rooms/room-store.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/database.ts'
import { HttpError, NotFound } from '../platform/http/errors.ts'
import {
  domainsDeletedWith,
  membersDeletedWith,
  objectsDeletedWith,
  readDeletedUsers,
} from './deleted-user-store.ts'
import { type RestoreParts, restoreUserIn } from './restore-user.ts'

/** Users read at once. */
const batch = 50

/** Actor and reason, for the audit log. */
interface Why {
  readonly by: Actor
  readonly comment?: string
}

/** What was restored of an account, and the IDs of what couldn't be, with reasons. */
export interface RestoredAccount {
  readonly users: number
  readonly domains: number
  /** Lists, resources, shared folders and rooms. */
  readonly objects: number
  readonly failed: readonly string[]
}

/**
 * Restores a deleted user for the operator; an account owner is restored with everything deleted at the same
 * time. Works in idempotent steps; if interrupted, the remaining objects must be restored individually. The
 * comment is stored with each audit log entry. Throws NotFound, ValidationError.
 */
export async function restoreAccount(
  parts: RestoreParts,
  ownerId: number,
  by: Actor = {},
  comment?: string,
): Promise<RestoredAccount> {
  const { db } = parts
  const why: Why = { by, ...(comment !== undefined && { comment }) }
  const [owner] = await readDeletedUsers(db, [ownerId], parts.retention.since())
  await db.transaction().execute((trx) => restoreUserIn(trx, parts, undefined, ownerId, by, comment))
  if (owner === undefined) throw new NotFound()
  const domains = await restoreDomains(parts, ownerId, owner.deletedAt, why)
  const members = await restoreMembers(parts, ownerId, owner.deletedAt, why)
  const objects = await restoreObjects(parts, ownerId, owner.deletedAt, why)
  return {
    users: 1 + members.restored,
    domains: domains.restored,
    objects: objects.restored,
    failed: [...domains.failed, ...members.failed, ...objects.failed],
  }
}

async function restoreDomains(
  parts: RestoreParts,
  ownerId: number,
  since: Date,
  { by, comment }: Why,
): Promise<{ restored: number; failed: string[] }> {
  const { db, clock } = parts
  const failed: string[] = []
  const domains = await domainsDeletedWith(db, ownerId, since)
  for (const id of domains) {
    const problem = await tryToRestore(db, id, async (trx) => {
      const domain = await readDomain(trx, id)
      if (domain !== undefined) await restoreDomainIn(trx, clock, domain, by, { isOperator: true, comment })
    })
    if (problem !== undefined) failed.push(problem)
  }
  return { restored: domains.length - failed.length, failed }
}

async function restoreMembers(
  parts: RestoreParts,
  ownerId: number,
  since: Date,
  { by, comment }: Why,
): Promise<{ restored: number; failed: string[] }> {
  const failed: string[] = []
  let restored = 0
  let last = 0
  for (;;) {
    const ids = await membersDeletedWith(parts.db, ownerId, since, last, batch)
    for (const id of ids) {
      const problem = await tryToRestore(parts.db, id, (trx) =>
        restoreUserIn(trx, parts, undefined, id, by, comment),
      )
      if (problem === undefined) restored++
      else failed.push(problem)
      last = id
    }
    if (ids.length < batch) return { restored, failed }
  }
}

async function restoreObjects(
  parts: RestoreParts,
  ownerId: number,
  since: Date,
  { by, comment }: Why,
): Promise<{ restored: number; failed: string[] }> {
  const { clock, db, retention } = parts
  const failed: string[] = []
  const objects = await objectsDeletedWith(db, ownerId, since)
  for (const { id, kind } of objects) {
    const problem = await tryToRestore(db, id, async (trx) => {
      const object = await readObject(trx, kind, id)
      if (object !== undefined)
        await restoreObjectIn(trx, clock, object, by, retention.days, { isOperator: true, comment })
    })
    if (problem !== undefined) failed.push(problem)
  }
  const rooms = await roomsDeletedWith(db, ownerId, since)
  for (const id of rooms) {
    const problem = await tryToRestore(db, id, async (trx) => {
      const room = await readRoom(trx, id)
      const options = { retention: retention.days, isOperator: true, comment }
      if (room !== undefined) await restoreRoomIn(trx, clock, room, by, options)
    })
    if (problem !== undefined) failed.push(problem)
  }
  return { restored: objects.length + rooms.length - failed.length, failed }
}

/** Returns the ID of what can't be restored, with the reason. */
async function tryToRestore(
  db: Db,
  id: number,
  restore: (trx: Db) => Promise<void>,
): Promise<string | undefined> {
  try {
    await db.transaction().execute(restore)
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return `${id}: ${error.message}`
    throw error
  }
}
