import type { ErrorEnvelope } from '@gatehouse/contract/envelope'
import type { BorrowedCaller } from '@gatehouse/contract/route'
import type { MessageKey, MessageParams } from '../i18n/translator.ts'

/** A text of the catalogues with its parameters, translated where the answer is written. */
export interface Message {
  readonly key: MessageKey
  readonly params?: MessageParams
}

export function message(key: MessageKey, params?: Message['params']): Message {
  return params === undefined ? { key } : { key, params }
}

/** What an answer tells beside its sentence: how to go on. */
export type ErrorFacts = Pick<
  ErrorEnvelope,
  'stepUp' | 'factors' | 'passkey' | 'error' | 'error_description' | 'redirectUrl' | 'uploaded' | 'reason'
>

/** An answer other than success. Sub-classes are named after what went wrong. */
export class HttpError extends Error {
  readonly status: number
  readonly text: Message
  readonly headers: Readonly<Record<string, string>>
  readonly facts: ErrorFacts

  constructor(
    status: number,
    text: Message,
    headers: Readonly<Record<string, string>> = {},
    facts: ErrorFacts = {},
  ) {
    super(`${status} ${text.key}`)
    this.name = new.target.name
    this.status = status
    this.text = text
    this.headers = headers
    this.facts = facts
  }
}

/** An answer other than success with a body of its call's own beside the envelope, or in its stead (`isWhole`). */
export class OwnRefusal extends HttpError {
  readonly body: Readonly<Record<string, unknown>>
  readonly isWhole: boolean

  constructor(status: number, text: Message, body: Readonly<Record<string, unknown>>, isWhole = false) {
    super(status, text)
    this.body = body
    this.isWhole = isWhole
  }
}

/** The request cannot be read at all (400). */
export class BadRequest extends HttpError {
  constructor() {
    super(400, message('http.400'))
  }
}

/** No token, or one that is unknown, expired or revoked (401). */
export class Unauthenticated extends HttpError {
  constructor(text: Message = message('http.401')) {
    super(401, text)
  }
}

/** The object is known and visible, the act is not allowed (403). */
export class Forbidden extends HttpError {
  constructor(text: Message = message('http.403'), facts: ErrorFacts = {}) {
    super(403, text, {}, facts)
  }
}

/** The account was never paid: until then there is nothing but signing in, paying and support (403). */
export class AccountLocked extends Forbidden {
  constructor() {
    super(message('auth.locked'), { reason: 'locked' })
  }
}

/** The user may do it; support staff or an application in the user's name may not (403). */
export class BorrowedRefused extends Forbidden {
  constructor(caller: BorrowedCaller) {
    super(message(caller === 'impersonated' ? 'auth.impersonated' : 'auth.third-party'))
  }
}

/** Unknown, or of another tenant: both look the same (404). */
export class NotFound extends HttpError {
  constructor() {
    super(404, message('http.404'))
  }
}

/** The request was made from a state that is no more (409). */
export class Conflict extends HttpError {
  constructor(text: Message) {
    super(409, text)
  }
}

/** More than the call takes (413). The connection ends with the answer, so that the rest need not be read. */
export class PayloadTooLarge extends HttpError {
  constructor() {
    super(413, message('http.413'), { connection: 'close' })
  }
}

/** Throttled (429); `seconds` until the next try is worth it. */
export class TooManyRequests extends HttpError {
  constructor(seconds: number) {
    super(429, message('http.too-many-requests', { seconds }), { 'retry-after': String(seconds) })
  }
}

/** Something that the call needs can't be reached at the moment (503); `seconds` until the next try is worth it. */
export class Unavailable extends HttpError {
  constructor(seconds = 2) {
    super(503, message('http.503'), { 'retry-after': String(seconds) })
  }
}

/** No space left on a disk of the server or the database (507, RFC 4918 §11.5). */
export class StorageFull extends HttpError {
  constructor() {
    super(507, message('http.507'))
  }
}

/** What is wrong with one field: a sentence, several, or sentences by index of a list or key of a map. */
export type FieldMessages = Message | readonly Message[] | ReadonlyMap<number | string, Message>

/** Input that was understood and refused, by field (422). */
export class ValidationError extends HttpError {
  readonly fields: Readonly<Record<string, FieldMessages>>

  constructor(
    fields: Readonly<Record<string, FieldMessages>>,
    facts: ErrorFacts = {},
    text: Message = message('http.422'),
  ) {
    super(422, text, {}, facts)
    this.fields = fields
  }

  /** One sentence at one field, sent as a plain string like the hand-made checks of the reference. */
  static at(field: string, key: MessageKey, params?: Message['params']): ValidationError {
    return new ValidationError({ [field]: message(key, params) })
  }
}
