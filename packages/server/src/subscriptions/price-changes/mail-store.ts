import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'

/** A change as it affects one wallet. */
export interface WalletPriceChange {
  readonly id: string
  readonly tenantId: number
  readonly ownerId: number
  /** E-mail address of the owner. */
  readonly email: string
  readonly skuName: Localised
  readonly prices: readonly { readonly from: number; readonly to: number; readonly units: number }[]
  readonly months: number
  readonly since: Date
  /** Cents per month for the whole wallet, after the discount. */
  readonly before: number
  readonly after: number
  readonly currency: string
  readonly reason: Localised
}

const rows = sql`select c.id, c.tenant_id, o.id as owner_id, o.email, k.name as sku_name, p.prices, c.months, p.since,
    p.before, p.after, c.currency, c.reason
  from price_change_wallets p join price_changes c on c.id = p.change_id join skus k on k.id = c.sku_id
    join wallets w on w.id = p.wallet_id join users o on o.id = w.user_id`

/** Returns the data of an e-mail about a change; undefined if the wallet or its owner no longer exists. */
export async function readPriceMail(
  db: Db,
  changeId: string,
  walletId: string,
): Promise<WalletPriceChange | undefined> {
  const found = await sql<WalletPriceChange>`${rows} where p.change_id = ${changeId}::uuid
    and p.wallet_id = ${walletId}::uuid and o.deleted_at is null`.execute(db)
  return found.rows[0]
}

/** Returns a wallet's upcoming changes, the next one first. */
export async function comingChanges(db: Db, walletId: string, now: Date): Promise<WalletPriceChange[]> {
  const found = await sql<WalletPriceChange>`${rows} where p.wallet_id = ${walletId}::uuid
    and c.state in ('scheduled', 'announced') and p.since > ${now}::timestamptz
    order by p.since, c.id`.execute(db)
  return found.rows
}
