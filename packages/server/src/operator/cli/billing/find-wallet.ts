import type { Db } from '../../../platform/db/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { UsageError } from '../command.ts'

/** The wallet of that number, or the first one of whoever has that address. Throws UsageError. */
export async function findWallet(
  db: Db,
  name: string,
): Promise<{ id: string; email: string; tenantId: number }> {
  const wallets = db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .select(['w.id', 'o.email', 'o.tenant_id as tenantId'])
    .orderBy('w.created_at')
    .orderBy('w.id')
  const email = parseEmailAddress(name)
  const wallet = isUuid(name)
    ? await wallets.where('w.id', '=', name).executeTakeFirst()
    : email && (await wallets.where('o.email', '=', email.full).executeTakeFirst())
  if (wallet === undefined) throw new UsageError(`There is no wallet ${name}.`)
  return wallet
}
