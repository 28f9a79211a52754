import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import { requireWithinLimits } from '../tenants/limits.ts'

interface Row {
  currency: string
  ceiling: string
  monthly: number
}

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
  const { rows } = await sql<Row>`select w.currency, s.value as ceiling, (
      select coalesce(sum((e.cost / e.months)::bigint * (100 - coalesce(d.discount, 0)) / 100), 0)::bigint
      from entitlements e where e.wallet_id = w.id and e.deleted_at is null) as monthly
    from wallet_settings s join wallets w on w.id = s.wallet_id left join discounts d on d.id = w.discount_id
    where s.wallet_id = ${walletId} and s.key = 'monthly_ceiling'`.execute(trx)
  const [row] = rows
  if (row === undefined || row.monthly <= Number(row.ceiling)) return
  const price = (cents: number) => formatPrice(cents, row.currency, language)
  const ceiling = Number(row.ceiling)
  throw new CeilingReached(walletId, ceiling, {
    [field]: message('wallet.ceiling', { next: price(row.monthly), ceiling: price(ceiling) }),
  })
}
