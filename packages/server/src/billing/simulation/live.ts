import type { Db } from '../../platform/db/database.ts'
import type { Account, World } from './world.ts'

/**
 * Applies a change to one account, in spite of crashes; after a crash, the state must be either the previous
 * or the new one. `change` updates the reference first.
 */
export async function live(
  world: World,
  account: Account,
  change: () => void,
  work: (db: Db) => Promise<unknown>,
): Promise<void> {
  const { reference, walletId, luck } = account
  const before = reference.balance
  change()
  await world.surely(luck, work, async () => {
    const balance = (await world.balances(walletId)).get(walletId)
    if (balance !== before && balance !== reference.balance) {
      world.wrong(`${walletId}: ${balance} after a crash, neither ${before} nor ${reference.balance}`)
    }
  })
}
