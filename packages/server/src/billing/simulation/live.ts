import type { Db } from '../../platform/db/database.ts'
import type { Account, World } from './world.ts'

/**
 * Lets something happen to one account, in spite of crashes; whatever is there after one is the state before or that
 * after, and nothing between. `change` does the same to the reference, first.
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
