import type { StoredReason } from '@gatehouse/contract/staff/staff-views'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import { tenantOf } from './member-store.ts'
import { activateMembers, membersWithOwner, unrestrictMembers } from './state-store.ts'
import { forgetSuspension, noteSuspension, readSuspensionReason } from './suspension.ts'
import { transition, type UserTransition } from './user-state.ts'

/** Who acts on somebody's state, and why. Billing has no actor. */
export interface StateActor {
  readonly actor: Actor
  readonly comment?: string
  /** Why somebody is suspended; `other` when it is left out. */
  readonly reason?: StoredReason
}

/** Acts on the state of a user or account. Each is recorded, and the back end is told, in the caller's transaction. */
export type StateAct = (trx: Db, clock: Clock, userId: number, by: StateActor) => Promise<void>

/** Lets a user send and sign in to the groupware no longer, and keeps why. Throws IllegalTransition for one who is gone. */
export const suspendUser: StateAct = async (trx, clock, userId, by) => {
  const { reason = 'other' } = by
  await noteSuspension(trx, userId, reason)
  await change(trx, clock, userId, 'suspend', { ...by, reason })
  await provision(trx, { kind: 'user', id: userId })
}

/** Takes a suspension back. Throws IllegalTransition for one who is gone. */
export const unsuspendUser: StateAct = async (trx, clock, userId, by) => {
  const reason = await readSuspensionReason(trx, userId)
  await change(trx, clock, userId, 'unsuspend', { ...by, ...(reason !== undefined && { reason }) })
  await forgetSuspension(trx, userId)
  await provision(trx, { kind: 'user', id: userId })
}

/**
 * Leaves an account that has not paid with the least: quota and roles of all its users shrink. Of somebody who
 * owns no account, the user alone is meant. Throws IllegalTransition for one who is gone.
 */
export const degradeAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'degrade', by)
  await provisionAccount(trx, userId)
}

/** Gives an account that has paid everything back. Throws IllegalTransition for an owner who is gone. */
export const undegradeAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'undegrade', by)
  await provisionAccount(trx, userId)
}

/**
 * Makes the owner of an account active, which the first payment does in mandate mode, and with the owner everybody
 * whose mailbox was only waiting for that. Throws IllegalTransition for an owner who is gone.
 */
export const activateAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'activate', by)
  await activateMembers(trx, userId, clock.now())
  await provisionAccount(trx, userId)
}

/** Lifts the limits of accounts that never paid from an owner and all users. Throws IllegalTransition. */
export const unrestrictAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'unrestrict', by)
  await unrestrictMembers(trx, userId, clock.now())
  await provisionAccount(trx, userId)
}

async function change(
  trx: Db,
  clock: Clock,
  userId: number,
  name: UserTransition,
  { actor, comment, reason }: StateActor,
): Promise<void> {
  await transition(trx, clock, userId, name)
  const tenantId = await tenantOf(trx, userId)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: userId,
    event: `user.${name}`,
    actor,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && {
      data: { [name === 'unsuspend' ? 'before' : 'after']: { suspensionReason: reason } },
    }),
  })
}

async function provisionAccount(trx: Db, ownerId: number): Promise<void> {
  const members = await membersWithOwner(trx, ownerId)
  // somebody who belongs to another account owns none, and is meant alone
  await provisionAll(trx, 'user', [ownerId, ...members])
}
