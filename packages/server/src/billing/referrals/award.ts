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

/** Payments that are credited award whoever referred who paid; what goes back takes that along. */
export function followReferrals(parts: BookParts): PaymentFollower {
  return {
    credited: (trx, payment) => awardReferral(trx, parts, payment.walletId),
    reversed: (trx, payment) => takeAwardBack(trx, parts, payment.walletId),
    restored: (trx, payment) => awardReferral(trx, parts, payment.walletId),
  }
}

/**
 * Awards whoever referred the owner of a wallet into which a payment was just booked, in the same transaction, as soon
 * as the newcomer has paid what the programme asks for; reference api-billing-admin §10. A referral is awarded once.
 * It ends without an award when who referred is gone, or turns out to be the newcomer. Wallets are locked from the
 * newer account to the older one, so that nobody waits in a ring; the tenant's, which pays for its own programmes, is the
 * last.
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
 * Takes the award of a referral back when what the newcomer has paid no longer reaches what the programme asks for, in the
 * transaction that books what went back. Nobody falls into debt by somebody else's refund: at most what is left in the
 * wallet is taken. Where that is all of it, the award can be earned anew; else it was the last one, so that paying and
 * having it back can never bring more than one award.
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
    // of awards, where it came from
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

/** The name of an award in the ledger: the first is that of the referral, each that is earned anew has a number. */
function awardKey({ id, takebacks }: Referral): string {
  return takebacks === 0 ? `referral:${id}` : `referral:${id}#${takebacks + 1}`
}

/** What the entry says: the newcomer is nobody's business. */
function programOf({ programName, referrerLanguage }: Referral): { program: string } {
  const language = referrerLanguage ?? ''
  return { program: localised(programName, isLanguage(language) ? language : 'en') }
}

async function isSelfReferral(trx: Db, { newcomerId, referrerId }: Referral): Promise<boolean> {
  const address = await externalAddressOf(trx, newcomerId)
  return address !== undefined && (await isAddressOfAccount(trx, referrerId, address))
}
