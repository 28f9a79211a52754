import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { readWalletSetting, writeWalletSetting } from '../wallet/wallet-settings.ts'
import type { DunParts } from './dun.ts'
import { tellHolders } from './wallet-mail.ts'

/** Days before the end of a trial, of whatever length, on which its owner is told. */
const daysBefore = 7

interface Ending {
  readonly walletId: string
  readonly endsAt: Date
}

/** Accounts whose trial ends soon and whose owner has not been told of that end. */
async function endingTrials(db: Db, now: Date): Promise<Ending[]> {
  const { rows } = await sql<Ending>`select w.id as "walletId", t.ends_at as "endsAt"
    from plans p
      join user_settings s on s.key = 'plan_id' and s.value = p.id::text
      join users o on o.id = s.user_id join wallets w on w.id = o.wallet_id and w.user_id = o.id
      cross join lateral (select add_months(w.created_at at time zone 'UTC', p.free_months,
        extract(day from w.created_at at time zone 'UTC')::int) at time zone 'UTC' as ends_at) t
      left join discounts d on d.id = w.discount_id
      left join wallet_settings n on n.wallet_id = w.id and n.key = 'trial_end_notice'
    where p.free_months > 0 and o.deleted_at is null and o.status & ${userStatus.imapReady}::int <> 0
      and t.ends_at > ${now} and t.ends_at <= ${now}::timestamptz + make_interval(days => ${daysBefore})
      and coalesce(d.discount, 0) < 100
      and (n.value is null or n.value::timestamptz <> t.ends_at)
    order by w.id`.execute(db)
  return rows
}

/** Tells owners once that their trial ends in a week; a day on which nothing ran is made up for. */
export async function tellTrialEnds(parts: DunParts): Promise<void> {
  for (const { walletId, endsAt } of await endingTrials(parts.db, parts.clock.now())) {
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
