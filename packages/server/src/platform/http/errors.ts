import type { ErrorEnvelope, KeyRefusal } from '@gatehouse/contract/envelope'
import type { BorrowedCaller } from '@gatehouse/contract/route'
import type { MessageKey, MessageParams } from '../i18n/translator.ts'

/** A catalogue text with its parameters, translated when the response is written. */
export interface Message {
  readonly key: MessageKey
  readonly params?: MessageParams
}

export function message(key: MessageKey, params?: Message['params']): Message {
  return params === undefined ? { key } : { key, params }
}

/** Additional data in an error response, such as how to proceed. */
export type ErrorFacts = Pick<
  ErrorEnvelope,
  | 'stepUp'
  | 'factors'
  | 'passkey'
  | 'error'
  | 'error_description'
  | 'redirectUrl'
  | 'uploaded'
  | 'reason'
  | 'scope'
>

/** An error response. Subclasses are named after the cause. */
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

/** An error response with its own body in addition to the envelope, or instead of it (`isWhole`). */
export class OwnRefusal extends HttpError {
  readonly body: Readonly<Record<string, unknown>>
  readonly isWhole: boolean

  constructor(status: number, text: Message, body: Readonly<Record<string, unknown>>, isWhole = false) {
    super(status, text)
    this.body = body
    this.isWhole = isWhole
  }
}

/** The request is malformed (400). */
export class BadRequest extends HttpError {
  constructor() {
    super(400, message('http.400'))
  }
}

/** The token is missing, unknown, expired or revoked (401). */
export class Unauthenticated extends HttpError {
  constructor(text: Message = message('http.401')) {
    super(401, text)
  }
}

/** The object is visible, but the action is not allowed (403). */
export class Forbidden extends HttpError {
  constructor(text: Message = message('http.403'), facts: ErrorFacts = {}) {
    super(403, text, {}, facts)
  }
}

/** The account has never paid: until then only signing in, paying and support are available (403). */
export class AccountLocked extends Forbidden {
  constructor() {
    super(message('auth.locked'), { reason: 'locked' })
  }
}

/** The user may do it, but staff or an application on the user's behalf may not (403). */
export class BorrowedRefused extends Forbidden {
  constructor(caller: BorrowedCaller) {
    super(message(borrowedTexts[caller]), caller === 'apiKey' ? { reason: 'key-closed' } : {})
  }
}

const borrowedTexts = {
  impersonated: 'auth.impersonated',
  thirdParty: 'auth.third-party',
  apiKey: 'api-keys.key-closed',
} as const

/** A request with an API key was refused, with the reason in the response. */
export class KeyRefused extends HttpError {
  constructor(reason: KeyRefusal, scope?: string) {
    const params = scope === undefined ? undefined : { scope }
    super(keyStatuses[reason], message(`api-keys.${reason}`, params), {}, { reason, ...params })
  }
}

const keyStatuses: Readonly<Record<KeyRefusal, number>> = {
  'key-unknown': 401,
  'key-expired': 401,
  'key-in-url': 400,
  'key-address': 403,
  'key-stopped': 403,
  'key-scope': 403,
  'key-closed': 403,
}

/** Unknown, or of another tenant, which look the same (404). */
export class NotFound extends HttpError {
  constructor() {
    super(404, message('http.404'))
  }
}

/** The request is based on a stale revision (409). */
export class Conflict extends HttpError {
  constructor(text: Message) {
    super(409, text)
  }
}

/**
 * The input exceeds the limit (413). The connection is closed with the response, so that the rest needn't be
 * read.
 */
export class PayloadTooLarge extends HttpError {
  constructor() {
    super(413, message('http.413'), { connection: 'close' })
  }
}

/** Throttled (429); `seconds` until a retry. */
export class TooManyRequests extends HttpError {
  constructor(seconds: number, headers: Readonly<Record<string, string>> = {}) {
    super(429, message('http.too-many-requests', { seconds }), {
      'retry-after': String(seconds),
      ...headers,
    })
  }
}

/** A required service is unreachable at the moment (503); `seconds` until a retry. */
export class Unavailable extends HttpError {
  constructor(seconds = 2) {
    super(503, message('http.503'), { 'retry-after': String(seconds) })
  }
}

/** A disk of the server or the database is full (507, RFC 4918 §11.5). */
export class StorageFull extends HttpError {
  constructor() {
    super(507, message('http.507'))
  }
}

/** Errors of a field: one or several messages, or messages by list index or map key. */
export type FieldMessages = Message | readonly Message[] | ReadonlyMap<number | string, Message>

/** Well-formed input that was rejected, by field (422). */
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

  /** One message at one field, sent as a plain string like the hand-written checks of the reference. */
  static at(field: string, key: MessageKey, params?: Message['params']): ValidationError {
    return new ValidationError({ [field]: message(key, params) })
  }
}
