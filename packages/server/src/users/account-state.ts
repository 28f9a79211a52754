import type { StoredReason } from '@gatehouse/contract/staff/staff-views'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import { tenantOf } from './member-store.ts'
import { activateMembers, membersWithOwner, unrestrictMembers } from './state-store.ts'
import { forgetSuspension, noteSuspension, readSuspensionReason } from './suspension.ts'
import { transition, type UserTransition } from './user-state.ts'

/** Who changes a user's state, and why. Billing has no actor. */
export interface StateActor {
  readonly actor: Actor
  readonly comment?: string
  /** Reason of a suspension; default `other`. */
  readonly reason?: StoredReason
}

/** Changes the state of a user or account. Records it and enqueues a sync in the caller's transaction. */
export type StateAct = (trx: Db, clock: Clock, userId: number, by: StateActor) => Promise<void>

/**
 * Stops a user from sending and from signing in to the groupware, and stores the reason. Throws
 * IllegalTransition for a deleted user.
 */
export const suspendUser: StateAct = async (trx, clock, userId, by) => {
  const { reason = 'other' } = by
  await noteSuspension(trx, userId, reason)
  await change(trx, clock, userId, 'suspend', { ...by, reason })
  await provision(trx, { kind: 'user', id: userId })
}

/** Unsuspends a user. Throws IllegalTransition for a deleted user. */
export const unsuspendUser: StateAct = async (trx, clock, userId, by) => {
  const reason = await readSuspensionReason(trx, userId)
  await change(trx, clock, userId, 'unsuspend', { ...by, ...(reason !== undefined && { reason }) })
  await forgetSuspension(trx, userId)
  await provision(trx, { kind: 'user', id: userId })
}

/**
 * Degrades an unpaid account: reduces quota and roles of all its users. For a user who owns no account, only
 * the user is degraded. Throws IllegalTransition for a deleted user.
 */
export const degradeAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'degrade', by)
  await provisionAccount(trx, userId)
}

/** Restores a degraded account once it has paid. Throws IllegalTransition for a deleted owner. */
export const undegradeAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'undegrade', by)
  await provisionAccount(trx, userId)
}

/**
 * Activates the owner of an account in mandate mode, as the first payment does, and all users whose mailboxes
 * are ready. Throws IllegalTransition for a deleted owner.
 */
export const activateAccount: StateAct = async (trx, clock, userId, by) => {
  await change(trx, clock, userId, 'activate', by)
  await activateMembers(trx, userId, clock.now())
  await provisionAccount(trx, userId)
}

/** Lifts the restrictions of never-paid accounts from an owner and all users. Throws IllegalTransition. */
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
  // a member of another account owns none, so only that user is affected
  await provisionAll(trx, 'user', [ownerId, ...members])
}
