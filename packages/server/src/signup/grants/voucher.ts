import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import type { SignupParts } from '../parts.ts'
import { findVoucher, spendVoucher, type Voucher } from './voucher-store.ts'

/** The code is unknown, inactive, expired or used up; the response doesn't say which. */
export class VoucherInvalid extends ValidationError {
  constructor() {
    super({ voucher: { key: 'validation.voucherinvalid' } })
  }
}

/** Validates the voucher that was typed or came with the URL. Throws VoucherInvalid; throttles guesses. */
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
 * Claims a voucher once, inside the transaction that creates the account; concurrent claims of the same one
 * wait. Throws VoucherInvalid if it was used up since the lookup.
 */
export async function claimVoucher(trx: Db, clock: Clock, voucher: Voucher): Promise<void> {
  if (!(await spendVoucher(trx, voucher.id, clock.now()))) throw new VoucherInvalid()
}
