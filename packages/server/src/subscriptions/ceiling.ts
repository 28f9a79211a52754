import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../platform/db/database.ts'
import { type Message, message, ValidationError } from '../platform/http/errors.ts'
import { requireWithinLimits } from '../tenants/limits.ts'
import { costBesideCeiling } from './entitlement-store.ts'

/** The change would exceed the owner's monthly limit. */
export class CeilingReached extends ValidationError {
  override name = 'CeilingReached'
  readonly walletId: string
  /** Cents per month. */
  readonly ceiling: number

  constructor(walletId: string, ceiling: number, fields: ValidationError['fields']) {
    super(fields)
    this.walletId = walletId
    this.ceiling = ceiling
  }
}

/** Returns why a wallet may not reach a monthly cost in cents; undefined if it may. */
export async function ceilingProblem(
  db: Db,
  walletId: string,
  next: number,
  language: Language,
): Promise<Message | undefined> {
  const row = await costBesideCeiling(db, walletId)
  if (row === undefined || next <= Number(row.ceiling)) return undefined
  return ceilingMessage(row.currency, next, Number(row.ceiling), language)
}

function ceilingMessage(currency: string, next: number, ceiling: number, language: Language): Message {
  const price = (cents: number) => formatPrice(cents, currency, language)
  return message('wallet.ceiling', { next: price(next), ceiling: price(ceiling) })
}

/**
 * Rejects a change that would raise a wallet's monthly cost above the owner's limit, or exceed what the
 * service allows the tenant's customers. Call it in the transaction of the change, after writing it, and for
 * additions only: reductions always pass. Throws CeilingReached at the field that requested the change.
 */
export async function requireWithinCeiling(
  trx: Db,
  walletId: string,
  field: 'skus' | 'package',
  language: Language,
): Promise<void> {
  await requireWithinLimits(trx, walletId, field)
  const row = await costBesideCeiling(trx, walletId)
  if (row === undefined || row.monthly <= Number(row.ceiling)) return
  const ceiling = Number(row.ceiling)
  throw new CeilingReached(walletId, ceiling, {
    [field]: ceilingMessage(row.currency, row.monthly, ceiling, language),
  })
}
