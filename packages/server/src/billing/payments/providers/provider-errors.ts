import { HttpError, message } from '../../../platform/http/errors.ts'
import type { MessageKey } from '../../../platform/i18n/translator.ts'

/**
 * The provider didn't respond, or not with a valid response: the request may succeed later, or may even have
 * been executed (503).
 */
export class ProviderUnavailable extends HttpError {
  /** For staff and the log: what went wrong, without keys or customer data. */
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

/** Requests that a provider may permanently reject. */
export type Refusal = keyof typeof refusals

/**
 * The provider permanently rejects a request; the message tells the customer what to do instead (422; 409 if
 * it is too late).
 */
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

/** A webhook with an invalid signature, or an expired one (400). */
export class WebhookRefused extends HttpError {
  constructor(reason: string) {
    super(400, message('http.400'))
    this.message = reason
  }
}
