import { hasBit, userStatus } from '@gatehouse/contract/status'
import { z } from 'zod'
import { transition, type UserTransition } from '../../accounts/user-state.ts'
import { provisionAll } from '../../groupware/provision.ts'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { chargeWallet } from '../charging/charge.ts'
import { writeWalletSetting } from '../wallet/wallet-settings.ts'
import { membersAfter, membersWith, ownerOf } from './debt-store.ts'

export interface StateParts {
  readonly clock: Clock
  readonly jobs: Jobs
}

/** Tells the back ends about every user of an account, whose state hangs on that of the owner. */
export const refreshAccountJob = defineJob('account:refresh', z.object({ walletId: z.uuid() }), 24)

/** Users that one step of the job enqueues. */
const batch = 500

/** Takes on the job that passes the state of an owner on to the account. */
export function handleAccountRefresh(jobs: Jobs, db: Db): void {
  jobs.handle(refreshAccountJob, async ({ walletId }) => {
    let last = 0
    for (;;) {
      const members = await membersAfter(db, walletId, last, batch)
      await provisionAll(db, 'user', members)
      const end = members.at(-1)
      if (end === undefined) return
      last = end
    }
  })
}

/**
 * The one place where billing changes the state of a user: state, record and what the back ends are told, in the
 * caller's transaction.
 */
async function changeState(
  trx: Db,
  { clock }: StateParts,
  user: { readonly id: number; readonly tenantId: number },
  name: UserTransition,
  comment: string,
): Promise<void> {
  await transition(trx, clock, user.id, name)
  const event = `user.${name}`
  const { tenantId } = user
  await audit(trx, clock, { tenantId, objectType: 'user', objectId: user.id, event, actor: {}, comment })
}

function refresh(trx: Db, { jobs }: StateParts, walletId: string): Promise<void> {
  return jobs.enqueue(trx, refreshAccountJob, { walletId }, { key: `account:refresh:${walletId}` })
}

/**
 * Degrades an account that did not pay: what it used is settled to the day at its price, and from here on nothing
 * costs anything. The caller holds the wallet.
 */
export async function degradeAccount(trx: Db, parts: StateParts, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  if (owner.isDeleted || hasBit(owner.status, userStatus.degraded)) return
  const now = parts.clock.now()
  await chargeWallet(trx, walletId, { now, toTheDay: true })
  await changeState(trx, parts, owner, 'degrade', 'balance below zero')
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', now.toISOString())
  await refresh(trx, parts, walletId)
}

/**
 * Gives an account back what it lost when it owed; the time since is settled at no cost, its fees are owed. Who was
 * suspended for another reason than debt stays so. The caller holds the wallet, whose balance is no longer negative.
 */
export async function recoverAccount(trx: Db, parts: StateParts, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', null)
  if (owner.isDeleted) return
  const isDegraded = hasBit(owner.status, userStatus.degraded)
  if (isDegraded) {
    await chargeWallet(trx, walletId, { now: parts.clock.now(), toTheDay: true })
    await changeState(trx, parts, owner, 'undegrade', 'balance no longer below zero')
  }
  const isFreed = hasBit(owner.status, userStatus.suspended) && (await isSuspendedForDebt(trx, owner.id))
  if (isFreed) {
    await changeState(trx, parts, owner, 'unsuspend', 'balance no longer below zero')
    await trx
      .deleteFrom('user_settings')
      .where('user_id', '=', owner.id)
      .where('key', '=', suspensionReason)
      .execute()
  }
  if (isDegraded || isFreed) await refresh(trx, parts, walletId)
}

/** Setting of a user that says why he is suspended; only `unpaid` ends with the debt. */
const suspensionReason = 'suspension_reason'

async function isSuspendedForDebt(trx: Db, userId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('user_settings')
    .select('value')
    .where('user_id', '=', userId)
    .where('key', '=', suspensionReason)
    .executeTakeFirst()
  return row?.value === 'unpaid'
}

/** Money came in: nobody of the account is restricted any more. */
export async function liftRestrictions(trx: Db, parts: StateParts, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  const members = await membersWith(trx, walletId, owner.id, userStatus.restricted)
  for (const id of members) await transition(trx, parts.clock, id, 'unrestrict')
  if (members.length === 0) return
  const { tenantId } = owner
  const event = 'user.unrestrict'
  const entry = { tenantId, objectType: 'user', objectId: owner.id, event, actor: {} }
  await audit(trx, parts.clock, { ...entry, comment: 'money came in' })
  await refresh(trx, parts, walletId)
}
