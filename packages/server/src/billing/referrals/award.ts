import { isLanguage } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { type BookParts, bookMoney } from '../book.ts'
import type { PaymentFollower } from '../payments/payment-parts.ts'
import {
  closeReferral,
  findOpenReferral,
  isAddressOfAccount,
  type OpenReferral,
  paidSum,
} from './referral-store.ts'

/** Payments that are credited award whoever referred who paid. */
export function followReferrals(parts: BookParts): PaymentFollower {
  return { credited: (trx, payment) => awardReferral(trx, parts, payment.wallet_id) }
}

/**
 * Awards whoever referred the owner of a wallet into which a payment was just booked, in the same transaction, as soon
 * as the newcomer has paid what the programme asks for; reference api-billing-admin §10. A referral is awarded once.
 * It ends without an award when who referred is gone, or turns out to be the newcomer. Wallets are locked from the
 * newer account to the older one, so that nobody waits in a ring.
 */
export async function awardReferral(trx: Db, parts: BookParts, walletId: string): Promise<void> {
  const referral = await findOpenReferral(trx, walletId)
  if (referral === undefined) return
  if (referral.walletId === null || (await isSelfReferral(trx, referral))) {
    await closeReferral(trx, referral.id, referral.createdAt)
    return
  }
  const paid = await paidSum(trx, referral.newcomerId)
  if (paid <= 0 || paid < referral.threshold) return
  if (!(await closeReferral(trx, referral.id, parts.clock.now()))) return
  const language = referral.referrerLanguage ?? ''
  await bookMoney(trx, parts, {
    walletId: referral.walletId,
    type: 'award',
    amount: referral.awardAmount,
    key: `referral:${referral.id}`,
    text: 'referral',
    // the newcomer is nobody's business
    parameters: { program: localised(referral.programName, isLanguage(language) ? language : 'en') },
  })
}

async function isSelfReferral(trx: Db, { newcomerId, referrerId }: OpenReferral): Promise<boolean> {
  const row = await trx
    .selectFrom('user_settings')
    .select('value')
    .where('user_id', '=', newcomerId)
    .where('key', '=', 'external_email')
    .executeTakeFirst()
  return row !== undefined && (await isAddressOfAccount(trx, referrerId, row.value))
}
