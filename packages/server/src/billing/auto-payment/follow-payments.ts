import type { Db } from '../../platform/db/database.ts'
import { balanceOf, ownerOf } from '../life-cycle/debt-store.ts'
import { tellHolders } from '../life-cycle/wallet-mail.ts'
import type { PaymentFollower } from '../payments/payment-parts.ts'
import { customersOf, type PaymentRow } from '../payments/payment-store.ts'
import type { ProviderPayment } from '../payments/providers/provider.ts'
import { requestRefresh, requestRevocation, requestTopUp } from './auto-payment-jobs.ts'
import { disableMandate, recordMandate, resumeMandate } from './change-mandate.ts'
import {
  livingMandate,
  readMandate,
  readSetup,
  updateMandate,
  wasSetUpAfter,
  writeAmounts,
} from './mandate-store.ts'
import type { MandateParts } from './parts.ts'

/**
 * Effects of payments on auto-payment, in the transaction that settles them: a successful set-up creates the
 * mandate, a failed or reversed charge stops it, and a payment that settles the debt resumes it; reference
 * api-billing-admin §5, §6.
 */
export function followPayments(parts: MandateParts): PaymentFollower {
  return {
    async credited(trx, payment, said) {
      if (payment.type === 'mandate') await adopt(trx, parts, payment, said)
      else await goOn(trx, parts, payment.walletId)
    },

    async ended(trx, payment) {
      if (payment.type !== 'recurring') return
      // a charge that was never sent to the provider hasn't failed
      if (payment.status === 'canceled' && payment.providerId === null) return
      // a replaced card says nothing about the new one
      if (await wasSetUpAfter(trx, payment.walletId, payment.createdAt)) return
      await disableMandate(trx, parts, payment.walletId, 'failed')
    },

    async reversed(trx, payment, type, amount) {
      if (payment.type !== 'recurring' || type !== 'chargeback') return
      // don't charge again right after a dispute
      await disableMandate(trx, parts, payment.walletId, 'failed')
      const letter = { mail: 'PaymentReturned', amount } as const
      await tellHolders(trx, parts.jobs, payment.walletId, letter, parts.config.APP_LDAP)
    },
  }
}

/** Makes the latest successful set-up the mandate; a previous one is revoked at its provider. */
async function adopt(
  trx: Db,
  parts: MandateParts,
  payment: PaymentRow,
  said: ProviderPayment,
): Promise<void> {
  const { walletId, provider } = payment
  const setup = await readSetup(trx, payment.id)
  if (setup === undefined || said.mandateId === null) return
  const known = await customersOf(trx, walletId)
  const customerId = known.find((customer) => customer.provider === provider)?.id ?? null
  const owner = await ownerOf(trx, walletId)
  if (setup.isWithdrawn || owner.isDeleted) {
    await requestRevocation(trx, parts.jobs, { provider, providerId: said.mandateId, customerId })
    return
  }
  const before = livingMandate(await readMandate(trx, walletId))
  if (before !== undefined && before.providerId !== said.mandateId) {
    await requestRevocation(trx, parts.jobs, before)
  }
  const now = parts.clock.now()
  await writeAmounts(trx, walletId, setup, now)
  await updateMandate(trx, walletId, {
    provider,
    providerId: said.mandateId,
    customerId,
    method: said.method ?? payment.methodText,
    methodId: payment.method,
    status: 'valid',
    readAt: now,
    disabledAt: null,
    disabledReason: null,
  })
  const data = { amount: setup.amount, threshold: setup.threshold, method: said.method ?? payment.method }
  await recordMandate(trx, parts, walletId, 'wallet.mandate-created', { data })
  await requestRefresh(trx, parts.jobs, walletId)
  await requestTopUp(trx, parts.jobs, walletId)
}

/** Resumes auto-payment after a payment, even if there was no debt: a refused card charge counts as settled. */
async function goOn(trx: Db, parts: MandateParts, walletId: string): Promise<void> {
  if ((await balanceOf(trx, walletId)) >= 0) await resumeMandate(trx, parts, walletId)
}
