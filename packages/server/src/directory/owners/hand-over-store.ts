import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { configSettings } from '../../users/settings/user-config.ts'
import { addController } from './owner-store.ts'

/** A user of an account who may become its owner. */
export interface Heir {
  readonly id: number
  readonly email: string
  readonly status: number
  /** Whether the user has, had or belongs to a wallet of their own. */
  readonly hasOwnAccount: boolean
}

/**
 * Finds an active customer among the users of an account by address or id, except the owner. Locks the row
 * until the transaction ends.
 */
export async function findHeir(
  trx: Db,
  walletId: string,
  who: { readonly email: string } | { readonly id: number },
): Promise<Heir | undefined> {
  const isWho = 'id' in who ? sql`u.id = ${who.id}` : sql`u.email = ${who.email}`
  const { rows } =
    await sql<Heir>`select u.id, u.email, u.status, exists (select from wallets w where w.user_id = u.id
      and (exists (select from ledger_entries e where e.wallet_id = w.id)
        or exists (select from entitlements e where e.wallet_id = w.id)
        or exists (select from users m where m.wallet_id = w.id))) as "hasOwnAccount"
    from users u where ${isWho} and u.wallet_id = ${walletId} and u.deleted_at is null and u.role is null
      and not exists (select from wallets w where w.id = ${walletId} and w.user_id = u.id)
    for no key update of u`.execute(trx)
  return rows[0]
}

/** Owner settings that apply to the account. */
const accountSettings = [
  'plan_id',
  'max_password_age',
  ...configSettings.filter((key) => key.includes('_policy')),
]

/** Billing settings that a new owner takes over unless they have their own. The country determines VAT. */
const payerSettings = ['country', 'organization', 'billing_address']

/**
 * Makes a user the owner of an account. The previous owner becomes an additional owner and gets the new
 * owner's unused wallet. Settings of the account move along; ledger, subscriptions and the rest belong to the
 * wallet anyway. The caller holds the wallet and both users.
 */
export async function moveAccount(
  trx: Db,
  { walletId, ownerId, heirId }: { walletId: string; ownerId: number; heirId: number },
): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ userId: ownerId })
    .where('userId', '=', heirId)
    .where('id', '!=', walletId)
    .execute()
  await trx.updateTable('wallets').set({ userId: heirId }).where('id', '=', walletId).execute()
  await trx
    .deleteFrom('walletControllers')
    .where('walletId', '=', walletId)
    .where('userId', '=', heirId)
    .execute()
  await addController(trx, walletId, ownerId)
  await trx
    .deleteFrom('userSettings')
    .where('userId', '=', heirId)
    .where('key', 'in', accountSettings)
    .execute()
  await trx
    .updateTable('userSettings')
    .set({ userId: heirId })
    .where('userId', '=', ownerId)
    .where('key', 'in', accountSettings)
    .execute()
  await sql`insert into user_settings (user_id, key, value)
    select ${heirId}::bigint, key, value from user_settings
    where user_id = ${ownerId} and key = any(${payerSettings}::text[]) on conflict do nothing`.execute(trx)
}
