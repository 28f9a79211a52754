import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { removeMandate } from '../auto-payment/change-mandate.ts'
import { chargeWallet } from '../charging/charge.ts'
import { post } from '../ledger/post.ts'
import { closingWallet, entryAmount } from './debt-store.ts'
import { tellFormerOwner } from './wallet-mail.ts'

interface Parts {
  readonly clock: Clock
  readonly jobs: Jobs
}

const forfeitKey = (walletId: string, closedAt: Date) => `forfeit:${walletId}:${closedAt.getTime()}`

/**
 * Closes the wallet of a deleted owner: charges the days since the last charge and forfeits the rest, with a
 * ledger entry and a mail. The caller holds the wallet's lock.
 */
export async function closeWallet(trx: Db, parts: Parts, walletId: string, by: Actor): Promise<void> {
  const { clock, jobs } = parts
  await removeMandate(trx, parts, walletId, { actor: by })
  const charged = await chargeWallet(trx, walletId, { now: clock.now() })
  const { ownerId, tenantId, balance, currency, closedAt } = await closingWallet(trx, walletId)
  // the wallet of a user billed to another one was never used
  if (charged === undefined && balance === 0) return
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: ownerId,
    event: 'wallet.closed',
    actor: by,
    data: { charged: charged?.cost ?? 0, balance, currency },
  })
  if (balance <= 0 || closedAt === null) return
  await post(trx, clock, {
    walletId,
    type: 'penalty',
    account: 'forfeits',
    amount: balance,
    key: forfeitKey(walletId, closedAt),
    text: 'forfeit',
    actor: by,
  })
  await tellFormerOwner(trx, jobs, walletId, balance)
}

/**
 * Returns what was forfeited when the account was closed at that time. The caller holds the wallet's lock.
 */
export async function returnForfeit(
  trx: Db,
  clock: Clock,
  walletId: string,
  closedAt: Date,
  by: Actor,
): Promise<void> {
  const key = forfeitKey(walletId, closedAt)
  const forfeited = await entryAmount(trx, key)
  if (forfeited === undefined) return
  await post(trx, clock, {
    walletId,
    type: 'award',
    account: 'forfeits',
    amount: -forfeited,
    key: `back:${key}`,
    text: 'forfeit-back',
    actor: by,
  })
}
