import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'

/** `awaitsPayment` in SQL; the owner's table has the alias `o` and may be outer-joined. */
export const ownerAwaitsPayment = `(o.status & ${userStatus.active} = 0 and exists (
  select from user_settings plan_setting join plans on plans.id::text = plan_setting.value
  where plan_setting.user_id = o.id and plan_setting.key = 'plan_id' and plans.mode = 'mandate')) is true`

/**
 * Whether the account of a user (table alias `u`) is not closed. Members are deleted by a job after their
 * owner and have no access meanwhile.
 */
export const isAccountOpen = sql<boolean>`not exists (select from wallets account_wallet
  join users account_owner on account_owner.id = account_wallet.user_id
  where account_wallet.id = u.wallet_id and account_owner.deleted_at is not null)`
