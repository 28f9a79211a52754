import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { readWalletSetting, writeWalletSetting } from '../wallet/setting-store.ts'
import type { DunParts } from './dun.ts'
import { endingTrials } from './notice-store.ts'
import { tellHolders } from './wallet-mail.ts'

/** Days before the end of any trial on which its owner is notified. */
const daysBefore = 7

/** Notifies owners once that their trial ends in a week; catches up on missed days. */
export async function tellTrialEnds(parts: DunParts): Promise<void> {
  for (const { walletId, endsAt } of await endingTrials(parts.db, parts.clock.now(), daysBefore)) {
    await parts.db.transaction().execute(async (trx) => {
      await holdWallet(trx, walletId)
      const end = endsAt.toISOString()
      if ((await readWalletSetting(trx, walletId, 'trial_end_notice')) === end) return
      await writeWalletSetting(trx, walletId, 'trial_end_notice', end)
      const letter = { mail: 'TrialEnd', date: endsAt } as const
      await tellHolders(trx, parts.jobs, walletId, letter, parts.withLdap)
    })
  }
}
