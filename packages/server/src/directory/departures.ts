import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { provisionAll } from '../platform/provision/provision.ts'
import {
  deleteMembers,
  deleteMemberships,
  type MemberRow,
  objectsTrusting,
  returnMembers,
  withdrawMembers,
} from './departure-store.ts'
import { holdNesting, listsAbove } from './groups/member-store.ts'
import type { Departure } from './objects/object.ts'

/**
 * Removes a deleted user or object from everything in the account that refers to it: list recipients, folder
 * rights, invitations to decide on. Everything is kept so that `returnToDirectory` can restore it. A list may
 * lose its last recipient this way; only clients must name one. Call it in the transaction that holds the
 * wallet.
 */
export async function leaveDirectory(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  const rows = await withdrawMembers(trx, who, clock.now())
  await noteLists(trx, clock, who, rows, 'group.members-withdrawn', by)
  if (who.userId !== undefined) await provisionTrusting(trx, who.userId)
}

/**
 * Undoes `leaveDirectory` on restoration. A list is not returned to lists where it would now close a loop.
 */
export async function returnToDirectory(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  const rows = await returnMembers(trx, who)
  await noteLists(trx, clock, who, await openLoops(trx, rows), 'group.members-returned', by)
  if (who.userId !== undefined) await provisionTrusting(trx, who.userId)
}

/** Removes addresses that are given up permanently, such as aliases, from the account's lists. */
export async function forgetAddresses(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  if (who.addresses.length === 0) return
  const rows = await deleteMembers(trx, who)
  await noteLists(trx, clock, who, rows, 'group.members-withdrawn', by)
}

/** Returns the memberships that can be restored without creating a mail loop. Deletes the others. */
async function openLoops(trx: Db, rows: readonly MemberRow[]): Promise<MemberRow[]> {
  const looping = new Set<string>()
  if (rows.length > 0) await holdNesting(trx)
  for (const address of new Set(rows.map((row) => row.address))) {
    if ((await listsAbove(trx, address, [address])).has(address)) looping.add(address)
  }
  const closed = rows.filter((row) => looping.has(row.address))
  if (closed.length > 0) {
    const lists = closed.map((row) => row.id)
    await deleteMemberships(trx, lists, [...looping])
  }
  return rows.filter((row) => !looping.has(row.address))
}

/** Logs who left or rejoined each list and provisions the lists. */
async function noteLists(
  trx: Db,
  clock: Clock,
  { tenantId }: Departure,
  rows: readonly MemberRow[],
  event: string,
  actor: Actor,
): Promise<void> {
  const byList = new Map<number, string[]>()
  for (const { id, address } of rows) byList.set(id, [...(byList.get(id) ?? []), address])
  for (const [objectId, addresses] of byList) {
    await audit(trx, clock, { tenantId, objectType: 'group', objectId, event, actor, data: { addresses } })
  }
  await provisionAll(trx, 'group', [...byList.keys()])
}

/**
 * Provisions the objects that refer to a user: folders the user has rights in and resources the user manages.
 */
async function provisionTrusting(trx: Db, userId: number): Promise<void> {
  const { folders, resources } = await objectsTrusting(trx, userId)
  await provisionAll(trx, 'shared-folder', folders)
  await provisionAll(trx, 'resource', resources)
}
