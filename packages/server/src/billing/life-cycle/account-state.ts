import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import {
  degradeAccount,
  type StateAct,
  type StateActor,
  undegradeAccount,
  unrestrictAccount,
  unsuspendUser,
} from '../../users/account-state.ts'
import { walletsOf } from '../../users/member-store.ts'
import { readSuspensionReason } from '../../users/suspension.ts'
import { chargeWallet } from '../charging/charge.ts'
import { writeWalletSetting } from '../wallet/setting-store.ts'
import { hasMembersWith, ownerOf } from './debt-store.ts'

/** Billing has no user as actor; the comment in the audit log says why. */
const because = (comment: string): StateActor => ({ actor: {}, comment })

/** Degrades an account manually, after a pro rata settlement at its price. */
export const degradeSettled: StateAct = async (trx, clock, userId, by) => {
  await settle(trx, clock, userId)
  await degradeAccount(trx, clock, userId, by)
}

/** Restores an account manually: the time since degradation is settled at no cost, but its fees are owed. */
export const undegradeSettled: StateAct = async (trx, clock, userId, by) => {
  await settle(trx, clock, userId)
  await undegradeAccount(trx, clock, userId, by)
}

async function settle(trx: Db, clock: Clock, ownerId: number): Promise<void> {
  for (const walletId of await walletsOf(trx, ownerId)) {
    await holdWallet(trx, walletId)
    await chargeWallet(trx, walletId, { now: clock.now(), toTheDay: true })
  }
}

/**
 * Degrades an account that didn't pay: its usage is settled pro rata at its price, and costs nothing from then
 * on. The caller holds the wallet's lock.
 */
export async function degradeForDebt(trx: Db, clock: Clock, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  if (owner.isDeleted || hasBit(owner.status, userStatus.degraded)) return
  const now = clock.now()
  await chargeWallet(trx, walletId, { now, toTheDay: true })
  await degradeAccount(trx, clock, owner.id, because('balance below zero'))
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', now.toISOString())
}

/**
 * Restores an account after its debt was settled; the time since is settled at no cost, but its fees are owed.
 * Suspensions for other reasons than debt stay. The caller holds the wallet's lock, and its balance is no
 * longer negative.
 */
export async function recoverAccount(trx: Db, clock: Clock, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', null)
  if (owner.isDeleted) return
  const why = because('balance no longer below zero')
  if (hasBit(owner.status, userStatus.degraded)) {
    await chargeWallet(trx, walletId, { now: clock.now(), toTheDay: true })
    await undegradeAccount(trx, clock, owner.id, why)
  }
  if ((await readSuspensionReason(trx, owner.id)) === 'unpaid') await unsuspendUser(trx, clock, owner.id, why)
}

/** Lifts all restrictions of the account's users when money arrives. */
export async function liftRestrictions(trx: Db, clock: Clock, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  if (owner.isDeleted || !(await hasMembersWith(trx, walletId, owner.id, userStatus.restricted))) return
  await unrestrictAccount(trx, clock, owner.id, because('money came in'))
}
