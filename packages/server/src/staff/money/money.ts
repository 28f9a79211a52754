import { bookMoney } from '../../billing/book.ts'
import { DiscountMismatch, setDiscount } from '../../billing/discounts/set-discount.ts'
import { readAmount } from '../../billing/payments/amount.ts'
import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, onceUuid } from '../../platform/ids.ts'
import { readTenant } from '../../tenants/tenant-store.ts'
import type { OwnedObject } from '../../users/policy.ts'
import { mayChangeMoney } from '../policy.ts'
import type { By, StaffParts } from '../staff-parts.ts'
import { isActiveDiscount } from './discount-store.ts'

type Parts = Pick<StaffParts, 'config' | 'db' | 'clock' | 'jobs'>

/** Throws Forbidden for the caller's own wallet, one they control, and a colleague's. */
export function requireMoneyRight(principal: Person, wallet: OwnedObject): void {
  if (!mayChangeMoney(principal, wallet)) throw new Forbidden(message('staff.colleague'))
}

/**
 * Gives a wallet an active discount of its tenant, or removes it with null. Throws ValidationError at
 * `discount` if it doesn't exist.
 */
export async function changeDiscount(
  { db, clock }: Parts,
  wallet: WalletRecord,
  discountId: string | null,
  by: By,
): Promise<void> {
  if (discountId !== null && !(await isOffered(db, discountId, wallet))) throw unknownDiscount()
  await db
    .transaction()
    .execute((trx) => setDiscount(trx, clock, { walletId: wallet.id, discountId }, by))
    .catch((error: unknown) => {
      throw error instanceof DiscountMismatch ? unknownDiscount() : error
    })
}

/** The wallet's current discount may be inactive; a new one may not. */
async function isOffered(db: Db, id: string, wallet: WalletRecord): Promise<boolean> {
  if (!isUuid(id)) return false
  if (id === wallet.discountId) return true
  return isActiveDiscount(db, wallet.owned.tenantId, id)
}

function unknownDiscount(): ValidationError {
  return ValidationError.at('discount', 'staff.discount-unknown')
}

/** Parses a one-off amount in cents; penalties are negative. Throws ValidationError at `amount`. */
export function readOneOffAmount(value: number | string): number {
  const text = String(value).trim()
  const isPenalty = text.startsWith('-')
  const cents = readAmount(isPenalty ? text.slice(1) : text)
  if (cents === undefined) throw ValidationError.at('amount', 'payment.amount')
  if (cents === 0) throw ValidationError.at('amount', 'staff.amount-zero')
  return isPenalty ? -cents : cents
}

export interface OneOff {
  /** A penalty is negative. */
  readonly cents: number
  readonly description: string
  /** The request, if a second staff member approved it, with the requester's address. */
  readonly request?: { readonly id: string; readonly by: string }
}

/**
 * Adds money to a wallet, or takes it with a negative amount. A reseller's bonuses come from their tenant's
 * wallet and penalties go there, in the same transaction; reference api-billing-admin §18. `giver` is whose
 * money it is, `by` who books it. Returns the balance.
 */
export async function bookOneOff(
  trx: Db,
  parts: Parts,
  giver: Person,
  wallet: WalletRecord,
  { cents, description, request }: OneOff,
  by: By,
): Promise<number> {
  const isAward = cents > 0
  const amount = Math.abs(cents)
  // a repeated booking gets the same key
  const key = request === undefined ? `staff:${onceUuid(`one-off ${wallet.id}`)}` : `approved:${request.id}`
  const entry = await bookMoney(trx, parts, {
    walletId: wallet.id,
    type: isAward ? 'award' : 'penalty',
    amount,
    key,
    text: isAward ? 'bonus-for' : 'penalty-for',
    parameters: { description },
    actor: by.actor,
  })
  if (giver.role === 'reseller') {
    await bookOpposite(trx, parts, giver, wallet, { isAward, amount, key: `${key}:tenant` }, by)
  }
  await audit(trx, parts.clock, {
    tenantId: wallet.owned.tenantId,
    objectType: 'user',
    objectId: wallet.ownerId,
    event: isAward ? 'wallet.award' : 'wallet.penalty',
    actor: by.actor,
    comment: description,
    data: { amount: cents, currency: wallet.currency, ...(request && { requestedBy: request.by }) },
  })
  return entry?.balance ?? wallet.balance
}

async function bookOpposite(
  trx: Db,
  parts: Parts,
  principal: Person,
  wallet: WalletRecord,
  { isAward, amount, key }: { isAward: boolean; amount: number; key: string },
  by: By,
): Promise<void> {
  const tenant = await readTenant(trx, principal.tenantId)
  if (tenant === undefined || tenant.walletId === null || tenant.currency !== wallet.currency) {
    throw ValidationError.at('amount', 'staff.no-tenant-wallet')
  }
  await bookMoney(trx, parts, {
    walletId: tenant.walletId,
    type: isAward ? 'debit' : 'credit',
    // the same counterpart as the customer's entry, so that the two cancel out
    account: isAward ? 'awards' : 'penalties',
    amount,
    key,
    text: isAward ? 'bonus-given' : 'penalty-taken',
    // only the id, which may stay in the chain when the person is erased
    parameters: { customer: wallet.ownerId },
    actor: by.actor,
  })
}
