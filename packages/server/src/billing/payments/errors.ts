import { HttpError, type Message, message } from '../../platform/http/errors.ts'

/** A provider does not answer, or asks to come back later (503). What was asked of it may have happened all the same. */
export class ProviderUnavailable extends HttpError {
  /** `seconds` until the next try is worth it. */
  constructor(seconds = 60, cause?: unknown) {
    super(503, message('payment.unavailable'), { 'retry-after': String(seconds) })
    this.cause = cause
  }
}

/** A provider will not do it, however often it is asked (422). The message is for the customer. */
export class PaymentRefused extends HttpError {
  constructor(text: Message = message('payment.refused'), cause?: unknown) {
    super(422, text)
    this.cause = cause
  }
}

/** A message that no provider has signed (400). */
export class WebhookRefused extends HttpError {
  constructor(cause?: unknown) {
    super(400, message('http.400'))
    this.cause = cause
  }
}

/** Nobody takes payments in this installation (403). */
export class PaymentsNotOffered extends HttpError {
  constructor() {
    super(403, message('payment.not-offered'))
  }
}
