import { HttpError, message } from '../../../platform/http/errors.ts'
import type { MessageKey } from '../../../platform/i18n/translator.ts'

/** The provider did not answer, or not with sense: what was asked may succeed later, and may even have been done (503). */
export class ProviderUnavailable extends HttpError {
  /** For staff and the log: what went wrong, without keys and without the customer's data. */
  readonly reason: string

  constructor(provider: string, reason: string) {
    super(503, message('payment.provider-unavailable'), { 'retry-after': '60' })
    this.reason = reason
    this.message = `${provider}: ${reason}`
  }
}

const refusals = {
  payment: 'payment.refused',
  amount: 'payment.amount-refused',
  method: 'payment.method-refused',
  mandate: 'payment.mandate-gone',
  refund: 'payment.refund-refused',
  'too late': 'payment.too-late',
} as const satisfies Record<string, MessageKey>

/** What a provider may refuse for good. */
export type Refusal = keyof typeof refusals

/** The provider refuses for good; the text says to the customer what to do instead (422; 409 when it is too late). */
export class PaymentRefused extends HttpError {
  readonly refusal: Refusal
  /** For staff and the log, in the provider's words. */
  readonly reason: string

  constructor(refusal: Refusal, reason: string) {
    super(refusal === 'too late' ? 409 : 422, message(refusals[refusal]))
    this.refusal = refusal
    this.reason = reason
    this.message = `${this.text.key}: ${reason}`
  }
}

/** A message that claims to come from a provider and does not, or too late (400). */
export class WebhookRefused extends HttpError {
  constructor(reason: string) {
    super(400, message('http.400'))
    this.message = reason
  }
}
