import type { ExpressionBuilder } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import type { SignupParts } from '../parts.ts'

/** A discount that its code gives to a new wallet. */
export interface Voucher {
  readonly id: string
  readonly code: string
  /** Percent. */
  readonly discount: number
}

/** The code is unknown, inactive, expired or used up; the answer does not say which. */
export class VoucherInvalid extends ValidationError {
  constructor() {
    super({ voucher: { key: 'validation.voucherinvalid' } })
  }
}

/** The tenant's discount of that code, whatever its case, as long as it can be claimed. */
export async function findVoucher(
  db: Db,
  tenantId: number,
  code: string,
  now: Date,
): Promise<Voucher | undefined> {
  const row = await db
    .selectFrom('discounts')
    .select(['id', 'code', 'discount'])
    .where('tenant_id', '=', tenantId)
    .where('code', '=', code.toUpperCase())
    .where((eb) => claimable(eb, now))
    .executeTakeFirst()
  return row?.code == null ? undefined : { id: row.id, code: row.code, discount: row.discount }
}

/** The voucher that was typed in, or came with the address. Throws VoucherInvalid; guesses are slowed down. */
export async function usableVoucher(
  parts: SignupParts,
  code: string | null | undefined,
  ip: string,
): Promise<Voucher | undefined> {
  if (code == null) return undefined
  return parts.throttle.guard(
    { kind: 'voucher', ip },
    (error) => error instanceof VoucherInvalid,
    async () => {
      const voucher = await findVoucher(parts.db, parts.tenantId, code, parts.clock.now())
      if (voucher === undefined) throw new VoucherInvalid()
      return voucher
    },
  )
}

/**
 * Uses a voucher once, inside the transaction that creates the account: who claims the same one at the same time
 * waits for that to end. Throws VoucherInvalid when it has been used up since it was found.
 */
export async function claimVoucher(trx: Db, clock: Clock, voucher: Voucher): Promise<void> {
  const row = await trx
    .updateTable('discounts')
    .set((eb) => ({ usage_count: eb('usage_count', '+', 1) }))
    .where('id', '=', voucher.id)
    .where((eb) => claimable(eb, clock.now()))
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new VoucherInvalid()
}

function claimable(eb: ExpressionBuilder<Schema, 'discounts'>, now: Date) {
  return eb.and([
    eb('active', '=', true),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    eb.or([eb('usage_limit', 'is', null), eb('usage_count', '<', eb.ref('usage_limit'))]),
  ])
}
