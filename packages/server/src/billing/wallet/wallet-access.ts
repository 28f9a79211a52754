import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import type { Person, Principal, Role } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { canPay, canRead, isController, type OwnedObject, sees } from '../../users/policy.ts'

/** A wallet with what its policies need to know. */
export interface WalletRecord {
  readonly id: string
  readonly ownerId: number
  readonly currency: string
  readonly balance: number
  readonly description: string | null
  readonly discountId: string | null
  readonly discount: number | null
  readonly discountDescription: Localised | null
  readonly owned: OwnedObject
}

/** Reads a wallet; undefined when there is none, or its owner is deleted. */
async function readWallet(db: Db, id: string): Promise<WalletRecord | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .leftJoin('discounts as d', 'd.id', 'w.discount_id')
    .select(['w.id', 'w.currency', 'w.balance', 'w.description', 'w.discount_id'])
    .select([
      'o.id as owner_id',
      'o.tenant_id',
      'o.role',
      'd.discount',
      'd.description as discount_description',
    ])
    .where('w.id', '=', id)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const controllers = await db
    .selectFrom('wallet_controllers')
    .select('user_id')
    .where('wallet_id', '=', id)
    .execute()
  const role: Role | null = row.role
  return {
    id: row.id,
    ownerId: row.owner_id,
    currency: row.currency,
    balance: row.balance,
    description: row.description,
    discountId: row.discount_id,
    discount: row.discount,
    discountDescription: row.discount_description,
    owned: {
      tenantId: row.tenant_id,
      role,
      ownerId: row.owner_id,
      controllerIds: controllers.map((controller) => controller.user_id),
    },
  }
}

/**
 * The wallet that a path names, for who may read it: its owner, those who control it, staff; reference
 * api-billing-admin §2. Throws NotFound for one that does not exist or is not seen, else Forbidden.
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

/** Settings of a wallet are for who pays: its owner and the others who control it, not for staff. */
export function canUpdateWallet(principal: Person, wallet: OwnedObject): boolean {
  return isController(principal.userId, wallet)
}

/**
 * The wallet that a person pays with: that of the account which he owns or controls. A member of somebody else's
 * account has nothing to pay. Throws Forbidden.
 */
export async function requirePayingWallet(db: Db, principal: Principal): Promise<WalletRecord> {
  const row = await db
    .selectFrom('users')
    .select('wallet_id')
    .where('id', '=', principal.userId)
    .executeTakeFirst()
  const wallet = row?.wallet_id == null ? undefined : await readWallet(db, row.wallet_id)
  if (wallet === undefined || !canPay(principal, wallet.owned)) throw new Forbidden()
  return wallet
}
