import type { Api } from '../../platform/http/api.ts'
import { Forbidden, Unauthenticated } from '../../platform/http/errors.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { mayPayOnce } from '../payments/policy.ts'
import { requirePayingWallet } from '../wallet/wallet-access.ts'
import { type PaymentPreviewParts, previewPayment, previewTopUp } from './preview-payment.ts'

export interface PaymentPreviewRouteParts extends PaymentPreviewParts {
  readonly views: AccountViews
}

/** Previews of payments into the caller's own wallet. */
export function servePaymentPreview(api: Api, parts: PaymentPreviewRouteParts): void {
  api.serveLate('POST /api/v4/payments/preview', async ({ principal, read }) => {
    const wallet = await requirePayingWallet(parts.payments.db, principal)
    const { action, ...wanted } = read()
    if (action !== 'pay') return previewTopUp(parts, wallet, { ...wanted, action })
    const view = await parts.views.own(principal)
    if (view === undefined) throw new Unauthenticated()
    if (!mayPayOnce(view)) throw new Forbidden()
    return previewPayment(parts, wallet, wanted)
  })
}
