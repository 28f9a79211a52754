import type { Db } from '../../platform/db/database.ts'

/** Keys of what a wallet remembers beside its balance. */
export type WalletSetting = 'monthly_ceiling' | 'ceiling_notice' | 'degraded_for_debt' | 'trial_end_notice'

/** One setting of a wallet; undefined when it is not set. */
export async function readWalletSetting(
  db: Db,
  walletId: string,
  key: WalletSetting,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('wallet_settings')
    .select('value')
    .where('wallet_id', '=', walletId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

/** Sets one, or removes it with null. */
export async function writeWalletSetting(
  db: Db,
  walletId: string,
  key: WalletSetting,
  value: string | null,
): Promise<void> {
  if (value === null) {
    await db.deleteFrom('wallet_settings').where('wallet_id', '=', walletId).where('key', '=', key).execute()
    return
  }
  await db
    .insertInto('wallet_settings')
    .values({ wallet_id: walletId, key, value })
    .onConflict((conflict) => conflict.columns(['wallet_id', 'key']).doUpdateSet({ value }))
    .execute()
}
