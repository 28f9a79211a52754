import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../platform/db/database.ts'
import { type Message, message, ValidationError } from '../platform/http/errors.ts'
import { requireWithinLimits } from '../tenants/limits.ts'
import { costBesideCeiling } from './entitlement-store.ts'

/** The owner has set a ceiling, and the change would cost more. */
export class CeilingReached extends ValidationError {
  override name = 'CeilingReached'
  readonly walletId: string
  /** Cents a month. */
  readonly ceiling: number

  constructor(walletId: string, ceiling: number, fields: ValidationError['fields']) {
    super(fields)
    this.walletId = walletId
    this.ceiling = ceiling
  }
}

/** Why a wallet may not come to cost so many cents a month; undefined: it may. */
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
 * Refuses a change after which a wallet would cost more a month than the ceiling that its owner has set, or after which
 * the customers of its tenant would have more than the service lets them. Call it in
 * the transaction of the change, once it is written. What costs less than before passes, whatever the ceiling: call
 * it for additions only. Throws CeilingReached at the field that asked for the change.
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
