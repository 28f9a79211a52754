import type { Db } from '../../platform/db/database.ts'
import type { Person, Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { canPay, canRead, isController, type OwnedObject, sees } from '../../users/policy.ts'
import { readWallet, type WalletRecord, walletIdOf } from './wallet-store.ts'

/**
 * The wallet in a path, for callers who may read it: its owner, its controllers, staff; reference
 * api-billing-admin §2. Throws NotFound if it doesn't exist or isn't visible, otherwise Forbidden.
 */
export async function requireWallet(
  db: Db,
  principal: Person,
  id: string,
  may: (principal: Person, wallet: OwnedObject) => boolean = canRead,
): Promise<WalletRecord> {
  const wallet = isUuid(id) ? await readWallet(db, id) : undefined
  if (wallet === undefined || !sees(principal, wallet.owned)) throw new NotFound()
  if (!may(principal, wallet.owned)) throw new Forbidden()
  return wallet
}

/** The payers of a wallet, i.e. its owner and other controllers, may change its settings; staff may not. */
export function canUpdateWallet(principal: Person, wallet: OwnedObject): boolean {
  return isController(principal.userId, wallet)
}

/**
 * The wallet that a user pays with: that of the account that they own or control. Members of another's account
 * have nothing to pay. Throws Forbidden.
 */
export async function requirePayingWallet(db: Db, principal: Principal): Promise<WalletRecord> {
  const walletId = await walletIdOf(db, principal.userId)
  const wallet = walletId === undefined ? undefined : await readWallet(db, walletId)
  if (wallet === undefined || !canPay(principal, wallet.owned)) throw new Forbidden()
  return wallet
}
