import type { Db } from '../../platform/db/database.ts'

/** Keys of a wallet's settings. */
export type WalletSetting = 'monthly_ceiling' | 'ceiling_notice' | 'degraded_for_debt' | 'trial_end_notice'

/** A setting of a wallet; undefined if not set. */
export async function readWalletSetting(
  db: Db,
  walletId: string,
  key: WalletSetting,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('walletSettings')
    .select('value')
    .where('walletId', '=', walletId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

/** Sets a setting, or removes it with null. */
export async function writeWalletSetting(
  db: Db,
  walletId: string,
  key: WalletSetting,
  value: string | null,
): Promise<void> {
  if (value === null) {
    await db.deleteFrom('walletSettings').where('walletId', '=', walletId).where('key', '=', key).execute()
    return
  }
  await db
    .insertInto('walletSettings')
    .values({ walletId, key, value })
    .onConflict((conflict) => conflict.columns(['walletId', 'key']).doUpdateSet({ value }))
    .execute()
}
