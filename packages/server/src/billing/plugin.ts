import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { handleAutoPayment } from './auto-payment/handle-auto-payment.ts'
import { serveAutoPayment } from './auto-payment/routes.ts'
import { handleBilling } from './billing-jobs.ts'
import type { BillingConfig } from './billing-settings.ts'
import { renewRates } from './exchange/rates-source.ts'
import { tellRefusedOrders } from './life-cycle/ceiling-notice.ts'
import { creditAtEnd } from './life-cycle/credit-at-end.ts'
import { handlePriceChangeMails } from './life-cycle/price-change-mail.ts'
import { paymentFollowers } from './payment-followers.ts'
import { servePaymentPreview } from './payment-preview/routes.ts'
import { composePayments } from './payments/compose-payments.ts'
import { measurePayments } from './payments/payment-numbers.ts'
import { servePayments } from './payments/routes.ts'
import { serveSandbox } from './payments/sandbox/sandbox-routes.ts'
import { servePaymentWebhooks } from './payments/settlement/webhook.ts'
import { companyOf } from './receipts/company.ts'
import { handleReceipts } from './receipts/issue-receipts.ts'
import type { ReceiptLook } from './receipts/receipt-pdf.ts'
import { serveReceipts } from './receipts/routes.ts'
import { serveReferrals } from './referrals/routes.ts'
import { serveWallets } from './routes.ts'
import { serveVatReports } from './vat/vat-report-routes.ts'

type Config = IdentityConfig & BillingConfig

/** The installation's theme: its folder, and the design of receipts. */
interface ChosenTheme {
  readonly name: string
  readonly receipts: ReceiptLook
}

/** Payment components used by other modules. */
export type Billing = ReturnType<typeof addBilling>

/** Adds wallets, charging, payments, receipts and referrals. */
export function addBilling(ground: Ground<Config>, identity: Identity, theme: ChosenTheme) {
  const { api, config, fastify, facts, db, clock, jobs, post, log, metrics, throttle } = ground
  const { APP_LDAP: withLdap } = config
  const billing = { db, clock, jobs, withLdap }
  handleBilling(jobs, { ...billing, post, log, isOffered: config.APP_WITH_WALLET })
  handlePriceChangeMails(jobs, { db, post, withLdap })
  renewRates(jobs, db, config.EXCHANGE_RATES)
  const company = companyOf(config)
  handleReceipts(jobs, { db, clock, company })

  const composed = composePayments({ ...ground, followers: paymentFollowers(ground) })
  const { payments, methods } = composed
  const autoPayment = { ...payments, config }
  handleAutoPayment(jobs, autoPayment)
  measurePayments(metrics, payments)

  const parts = { ...ground, ...identity }
  serveWallets(api, parts)
  servePayments(api, { ...parts, payments, methods })
  serveAutoPayment(api, { ...parts, payments: autoPayment, methods })
  servePaymentPreview(api, { ...parts, payments: autoPayment, methods })
  serveReceipts(api, { ...parts, company, look: theme.receipts })
  serveReferrals(api, parts)
  serveVatReports(api, parts)
  servePaymentWebhooks({ fastify, facts, payments, throttle })
  const { sandbox } = composed
  if (sandbox !== undefined) {
    serveSandbox({ fastify, facts, sandbox, site: config.APP_NAME, theme: `/themes/${theme.name}` })
  }
  return { payments: composed, autoPayment }
}

/**
 * Mails owners about orders rejected by the ceiling, in any module, so it needs the whole server's context.
 */
export function tellRefusals({ config, fastify, db, clock, jobs }: Ground<Config>): void {
  tellRefusedOrders(fastify, { db, clock, jobs, withLdap: config.APP_LDAP })
}

/** Refunds the rest of a cancelled subscription. */
export function creditOf({ db, clock }: Pick<Ground<unknown>, 'db' | 'clock'>) {
  return (walletId: string) => db.transaction().execute((trx) => creditAtEnd(trx, clock, walletId))
}
