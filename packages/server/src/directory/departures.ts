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
 * Takes who is deleted out of everything in the account that names them: recipients of lists, rights in folders,
 * invitations that they decide on. Nothing of it is lost, so that `returnToDirectory` can bring it back. A list
 * may lose its last recipient so; only people must name one. Call it in the transaction that holds the wallet.
 */
export async function leaveDirectory(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  const rows = await withdrawMembers(trx, who, clock.now())
  await noteLists(trx, clock, who, rows, 'group.members-withdrawn', by)
  if (who.userId !== undefined) await provisionTrusting(trx, who.userId)
}

/**
 * Undoes `leaveDirectory` for who is restored. A list that would close a loop of lists by now stays out of those
 * that named it.
 */
export async function returnToDirectory(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  const rows = await returnMembers(trx, who)
  await noteLists(trx, clock, who, await openLoops(trx, rows), 'group.members-returned', by)
  if (who.userId !== undefined) await provisionTrusting(trx, who.userId)
}

/** Takes addresses that are given up for good, as aliases, out of the lists of the account. */
export async function forgetAddresses(trx: Db, clock: Clock, who: Departure, by: Actor): Promise<void> {
  if (who.addresses.length === 0) return
  const rows = await deleteMembers(trx, who)
  await noteLists(trx, clock, who, rows, 'group.members-withdrawn', by)
}

/** The memberships that may stay; the others would send mail around in a circle and end. */
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

/** Writes into the record of each list who left or came back, and has the back end told. */
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

/** Has the back end told of what names a user: folders with rights of the user, resources that the user manages. */
async function provisionTrusting(trx: Db, userId: number): Promise<void> {
  const { folders, resources } = await objectsTrusting(trx, userId)
  await provisionAll(trx, 'shared-folder', folders)
  await provisionAll(trx, 'resource', resources)
}
