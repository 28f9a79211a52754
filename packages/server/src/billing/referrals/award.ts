import { isLanguage } from '@gatehouse/contract/language'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { type BookParts, bookMoney } from '../book.ts'
import { balanceOf, ownerOf } from '../life-cycle/debt-store.ts'
import type { PaymentFollower } from '../payments/payment-parts.ts'
import {
  bookedAward,
  closeReferral,
  externalAddressOf,
  findReferral,
  isAddressOfAccount,
  noteTakeback,
  paidSum,
  type Referral,
  walletOfProgram,
} from './referral-store.ts'

/** Awards referrers when payments are credited, and takes awards back on reversals. */
export function followReferrals(parts: BookParts): PaymentFollower {
  return {
    credited: (trx, payment) => awardReferral(trx, parts, payment.walletId),
    reversed: (trx, payment) => takeAwardBack(trx, parts, payment.walletId),
    restored: (trx, payment) => awardReferral(trx, parts, payment.walletId),
  }
}

/**
 * Awards the referrer of a wallet's owner in the transaction that books a payment, once the referred customer
 * has paid the programme's threshold; reference api-billing-admin §10. A referral is awarded once. It ends
 * without an award if the referrer is deleted, or is the same person. Wallets are locked from the newer
 * account to the older one to avoid deadlocks; the tenant's, which pays for its own programmes, is last.
 */
export async function awardReferral(trx: Db, parts: BookParts, walletId: string): Promise<void> {
  const referral = await findReferral(trx, walletId)
  if (referral === undefined || referral.redeemedAt !== null) return
  if (referral.walletId === null || (await isSelfReferral(trx, referral))) {
    await closeReferral(trx, referral.id, referral.createdAt)
    return
  }
  const paid = await paidSum(trx, referral.newcomerId)
  if (paid <= 0 || paid < referral.threshold) return
  if (!(await closeReferral(trx, referral.id, parts.clock.now()))) return
  await bookMoney(trx, parts, {
    walletId: referral.walletId,
    type: 'award',
    amount: referral.awardAmount,
    key: awardKey(referral),
    text: 'referral',
    parameters: programOf(referral),
  })
  const tenantWallet = await walletOfProgram(trx, referral.programId)
  if (tenantWallet === undefined) return
  await bookMoney(trx, parts, {
    walletId: tenantWallet,
    type: 'penalty',
    amount: referral.awardAmount,
    key: `${awardKey(referral)}:tenant`,
    text: 'referral-paid',
    account: 'awards',
    parameters: programOf(referral),
  })
}

/**
 * Takes back the award of a referral if the referred customer's payments no longer reach the threshold, in the
 * transaction that books the reversal. It never causes a debt: at most the wallet's balance is taken. If that
 * covers the award, it can be earned again; otherwise not, so that paying and refunding can never yield more
 * than one award.
 */
async function takeAwardBack(trx: Db, parts: BookParts, walletId: string): Promise<void> {
  const referral = await findReferral(trx, walletId)
  if (referral === undefined || referral.redeemedAt === null || referral.walletId === null) return
  const paid = await paidSum(trx, referral.newcomerId)
  if (paid > 0 && paid >= referral.threshold) return
  const award = await bookedAward(trx, awardKey(referral))
  if (award === undefined) return
  await holdWallet(trx, award.walletId)
  const taken = Math.min(award.amount, Math.max(0, await balanceOf(trx, award.walletId)))
  await bookMoney(trx, parts, {
    walletId: award.walletId,
    type: 'penalty',
    amount: taken,
    key: `${awardKey(referral)}:back`,
    text: 'referral-back',
    // the same account that awards are paid from
    account: 'awards',
    parameters: programOf(referral),
  })
  const tenantWallet = await walletOfProgram(trx, referral.programId)
  if (tenantWallet !== undefined) {
    await bookMoney(trx, parts, {
      walletId: tenantWallet,
      type: 'award',
      amount: taken,
      key: `${awardKey(referral)}:returned`,
      text: 'referral-returned',
      parameters: programOf(referral),
    })
  }
  await noteTakeback(trx, referral.id, taken === award.amount)
  const owner = await ownerOf(trx, award.walletId)
  await audit(trx, parts.clock, {
    tenantId: owner.tenantId,
    objectType: 'user',
    objectId: owner.id,
    event: 'wallet.award-taken-back',
    actor: {},
    data: { award: award.amount, taken },
  })
}

/** Ledger key of an award: the referral's for the first one, with a number for later ones. */
function awardKey({ id, takebacks }: Referral): string {
  return takebacks === 0 ? `referral:${id}` : `referral:${id}#${takebacks + 1}`
}

/** Text of the entry; doesn't reveal the referred customer. */
function programOf({ programName, referrerLanguage }: Referral): { program: string } {
  const language = referrerLanguage ?? ''
  return { program: localised(programName, isLanguage(language) ? language : 'en') }
}

async function isSelfReferral(trx: Db, { newcomerId, referrerId }: Referral): Promise<boolean> {
  const address = await externalAddressOf(trx, newcomerId)
  return address !== undefined && (await isAddressOfAccount(trx, referrerId, address))
}
