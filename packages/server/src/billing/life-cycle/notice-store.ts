import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { userSetting } from '../../users/setting-store.ts'

/** A user who is notified about a wallet. */
export interface HolderRow {
  id: number
  email: string
  status: number
  language: string | null
  isOwner: boolean
  external: string | null
  firstName: string | null
  lastName: string | null
  hasMailbox: boolean
}

/** The owner of a wallet first, then its other controllers. */
export async function readHolders(db: Db, walletId: string): Promise<HolderRow[]> {
  const setting = (key: string) =>
    sql`(select value from user_settings where user_id = u.id and key = ${key})`
  const { rows } =
    await sql<HolderRow>`select u.id, u.email, u.status, u.language, u.id = w.user_id as is_owner,
      ${setting('external_email')} as external, ${setting('first_name')} as first_name,
      ${setting('last_name')} as last_name,
      exists (select from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'user'
        and e.object_id = u.id and e.deleted_at is null and k.handler = 'Mailbox') as has_mailbox
    from wallets w join users u on u.id = w.user_id
      or u.id in (select user_id from wallet_controllers c where c.wallet_id = w.id)
    where w.id = ${walletId} and u.deleted_at is null
    order by u.id = w.user_id desc, u.id`.execute(db)
  return rows
}

/** The owner of a wallet with their external address. */
export function readOwner(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as u', 'u.id', 'w.userId')
    .select(['u.id', 'u.email', 'u.language'])
    .select([
      userSetting('external_email').as('external'),
      userSetting('first_name').as('firstName'),
      userSetting('last_name').as('lastName'),
    ])
    .where('w.id', '=', walletId)
    .executeTakeFirstOrThrow()
}

/** A wallet's properties for mails. */
export function mailedWallet(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .leftJoin('walletMandates as m', 'm.walletId', 'w.id')
    .select(['w.balance', 'w.currency', 'o.email', 'o.id', 'o.tenantId', 'o.deletedAt', 'm.disabledAt'])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
}

interface Ending {
  readonly walletId: string
  readonly endsAt: Date
}

/** Accounts whose trial ends within the given days and whose owner hasn't been notified. */
export async function endingTrials(db: Db, now: Date, days: number): Promise<Ending[]> {
  const { rows } = await sql<Ending>`select w.id as "walletId", t.ends_at as "endsAt"
    from plans p
      join user_settings s on s.key = 'plan_id' and s.value = p.id::text
      join users o on o.id = s.user_id join wallets w on w.id = o.wallet_id and w.user_id = o.id
      cross join lateral (select add_months(w.created_at at time zone 'UTC', p.free_months,
        extract(day from w.created_at at time zone 'UTC')::int) at time zone 'UTC' as ends_at) t
      left join discounts d on d.id = w.discount_id
      left join wallet_settings n on n.wallet_id = w.id and n.key = 'trial_end_notice'
    where p.free_months > 0 and o.deleted_at is null and o.status & ${userStatus.imapReady}::int <> 0
      and t.ends_at > ${now} and t.ends_at <= ${now}::timestamptz + make_interval(days => ${days})
      and coalesce(d.discount, 0) < 100
      and (n.value is null or n.value::timestamptz <> t.ends_at)
    order by w.id`.execute(db)
  return rows
}
