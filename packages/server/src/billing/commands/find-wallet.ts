import { UsageError } from '../../platform/cli/command.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { walletOf } from './money-store.ts'

/** The wallet with this ID, or the first one of the user with this address. Throws UsageError. */
export async function findWallet(
  db: Db,
  name: string,
): Promise<{ id: string; email: string; tenantId: number }> {
  const email = parseEmailAddress(name)
  const whose = isUuid(name) ? { id: name } : email && { email: email.full }
  const wallet = whose && (await walletOf(db, whose))
  if (wallet === undefined) throw new UsageError(`There is no wallet ${name}.`)
  return wallet
}
