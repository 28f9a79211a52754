import type { PendingPayment } from '@gatehouse/contract/billing/payments'
import { audit } from '../../platform/audit.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound, Unauthenticated } from '../../platform/http/errors.ts'
import type { MessageKey } from '../../platform/i18n/translator.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { type Guarded, perAccount } from '../../platform/throttle/limits.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { isLocked } from '../../users/account-view/present.ts'
import { actorOf } from '../../users/actor.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { requirePayingWallet } from '../wallet/wallet-access.ts'
import { askProvider, prepareOnce, preparePayment, vatOfWallet } from './begin-payment.ts'
import { cancelPayment } from './cancel-payment.ts'
import { type PaymentMethods, presentMethod } from './methods.ts'
import { exchangeOf } from './payment-charge.ts'
import type { PaymentParts } from './payment-parts.ts'
import { lastPayment, type PaymentRow, pendingPayments, readPayer, readPayment } from './payment-store.ts'
import { mayPayOnce } from './policy.ts'
import { checkPayment } from './settlement/check-payment.ts'

export interface PaymentRouteParts {
  readonly payments: PaymentParts
  readonly methods: PaymentMethods
  readonly config: Pick<SiteConfig, 'APP_NAME' | 'APP_URL'> & Pick<BillingConfig, 'PAYMENT_MAX_AMOUNT'>
  readonly views: AccountViews
  readonly throttle: Throttle
}

/** Our IDs, and those of imported payments. */
const paymentId = /^[\w-]{1,64}$/

/** Payments per page. */
const pageSize = 10

/** Every payment calls the provider, so wallets that start many without completing any are rate-limited. */
export function paymentsOf(walletId: string): Guarded {
  return { kind: 'payment', account: walletId, limits: { account: { ...perAccount, free: 20 } } }
}

/** One-off payments into the caller's own wallet; reference api-billing-admin §4. */
export function servePayments(api: Api, parts: PaymentRouteParts): void {
  const { payments, methods, config } = parts
  const { db, clock, providers } = payments

  const ownView = async (principal: Principal): Promise<AccountView> => {
    const view = await parts.views.own(principal)
    if (view === undefined) throw new Unauthenticated()
    return view
  }
  const ownWallet = (principal: Principal) => requirePayingWallet(db, principal)

  api.serveLate(
    'POST /api/v4/payments',
    async ({ principal, read, ...request }) => {
      const view = await ownView(principal)
      if (!mayPayOnce(view)) throw new Forbidden()
      const wallet = await ownWallet(principal)
      const input = read()
      const provider = await providers.require(db, wallet.id)
      const { method, amount } = checkPayment(input, {
        methods: await methods.onOffer(provider, 'oneoff', wallet.currency),
        currency: wallet.currency,
        maximum: config.PAYMENT_MAX_AMOUNT,
        language: request.language,
      })
      await parts.throttle.spend(paymentsOf(wallet.id))
      const id = await prepareOnce(db, 'oneoff', async (trx, made) => {
        const payer = await readPayer(trx, wallet.id)
        await preparePayment(trx, payments, {
          id: made,
          walletId: wallet.id,
          type: 'oneoff',
          provider: provider.name,
          method: method.id,
          amount,
          description: request.t('payment.description-oneoff', { site: payer.site ?? config.APP_NAME }),
          exchange: exchangeOf(method, wallet.currency),
        })
        await audit(trx, clock, {
          tenantId: payer.tenantId,
          objectType: 'user',
          objectId: payer.ownerId,
          event: 'payment.begun',
          actor: actorOf(principal, request),
          data: { payment: made, amount, currency: wallet.currency, method: method.id },
        })
      })
      const returnUrl = `${portalUrl(config.APP_URL, request)}/wallet`
      return askProvider(payments, id, { returnUrl, language: request.language })
    },
    { isResumable: true },
  )

  api.serve('GET /api/v4/payments/methods', async ({ principal, query }) => {
    const wallet = await ownWallet(principal)
    const provider = await providers.of(db, wallet.id)
    if (provider === undefined) return []
    const offered = await methods.onOffer(provider, query.type, wallet.currency)
    const vat = await vatOfWallet(payments, wallet.id)
    return offered.map((method) => presentMethod(method, vat))
  })

  api.serve('GET /api/v4/payments/has-pending', async ({ principal }) => {
    const wallet = await ownWallet(principal)
    const [pending] = await pendingPayments(db, wallet.id, { limit: 1, offset: 0 })
    return { status: 'success', hasPending: pending !== undefined }
  })

  api.serve('GET /api/v4/payments/pending', async ({ principal, query }) => {
    const wallet = await ownWallet(principal)
    const size = query.size ?? pageSize
    const page = query.page ?? 1
    const rows = await pendingPayments(db, wallet.id, { limit: size + 1, offset: (page - 1) * size })
    const list = rows.slice(0, size).map((row) => presentPending(row, wallet.currency))
    return { status: 'success', list, count: list.length, hasMore: rows.length > size, page }
  })

  api.serve('DELETE /api/v4/payments/{id}', async ({ principal, params, t, ip }) => {
    const wallet = await ownWallet(principal)
    const payment = paymentId.test(params.id) ? await readPayment(db, params.id) : undefined
    if (payment === undefined || payment.walletId !== wallet.id) throw new NotFound()
    const after = await cancelPayment(payments, payment)
    const owner = await readPayer(db, wallet.id)
    await audit(db, clock, {
      tenantId: owner.tenantId,
      objectType: 'user',
      objectId: owner.ownerId,
      event: 'payment.cancelled',
      actor: actorOf(principal, { ip }),
      data: { payment: payment.id, status: after.status },
    })
    return { status: 'success', message: t('payment.cancelled') }
  })

  api.serve('GET /api/v4/payments/status', async ({ principal, t }) => {
    const view = await ownView(principal)
    const wallet = await ownWallet(principal)
    const payment = await lastPayment(db, wallet.id)
    if (payment === undefined) throw new NotFound()
    const key = statusTexts[payment.status] ?? 'payment.status-checking'
    return {
      id: payment.id,
      status: payment.status,
      type: payment.type,
      description: payment.description,
      statusMessage: t(key),
      isLocked: isLocked(view),
    }
  })
}

const statusTexts: Partial<Record<PaymentRow['status'], MessageKey>> = {
  paid: 'payment.status-paid',
  canceled: 'payment.status-canceled',
  failed: 'payment.status-failed',
  expired: 'payment.status-expired',
}

function presentPending(row: PaymentRow, currency: string): PendingPayment {
  return {
    id: row.id,
    createdAt: wireDate(row.createdAt),
    type: row.type,
    description: row.description,
    amount: row.amount,
    currency,
    status: row.status,
    isCancelable: row.isCancelable,
    checkoutUrl: row.checkoutUrl,
  }
}

/** Portal URL for a request: resellers return to their own cockpit; reference api-billing-admin §4. */
export function portalUrl(appUrl: string, { variant }: Pick<RequestFacts, 'variant'>): string {
  if (variant !== 'reseller') return appUrl
  const url = new URL(appUrl)
  url.host = `reseller.${url.host}`
  return url.origin
}
