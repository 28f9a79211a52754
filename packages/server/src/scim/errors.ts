import {
  HttpError,
  type Message,
  message,
  TooManyRequests,
  ValidationError,
} from '../platform/http/errors.ts'
import { createTranslator } from '../platform/i18n/translator.ts'
import { CeilingReached } from '../subscriptions/ceiling.ts'
import { AddressTaken } from '../users/create-user.ts'

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Detail of an error, RFC 7644 §3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** An error of the protocol, with its `scimType`. */
export class ScimError extends HttpError {
  readonly scimType: ScimType | undefined

  constructor(
    status: number,
    scimType: ScimType | undefined,
    text: Message,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, text, headers)
    this.scimType = scimType
  }
}

/** The request contains something that isn't allowed (400). */
export function invalid(scimType: ScimType, key: Message['key'], params?: Message['params']): ScimError {
  return new ScimError(400, scimType, message(key, params))
}

/** Another resource has this value already (409). */
export function notUnique(key: Message['key'], params?: Message['params']): ScimError {
  return new ScimError(409, 'uniqueness', message(key, params))
}

/** The body of an error response; texts are English, because they end up in logs of directories. */
export interface ScimErrorBody {
  readonly schemas: readonly string[]
  readonly status: string
  readonly scimType?: ScimType
  readonly detail: string
}

/** Converts errors of the rooms below to those of the protocol. */
export function asScimError(error: HttpError | AddressTaken): HttpError {
  if (error instanceof AddressTaken) return notUnique('scim.address-taken', { address: error.message })
  if (!(error instanceof ValidationError) || error instanceof TooManyRequests) return error
  const [text = error.text] = messagesOf(error)
  if (error instanceof CeilingReached) return new ScimError(403, undefined, text)
  if (uniqueTexts.has(text.key)) return new ScimError(409, 'uniqueness', text)
  return new ScimError(400, 'invalidValue', text)
}

const uniqueTexts: ReadonlySet<string> = new Set(['validation.entryexists', 'directory.nameexists'])

export function errorBody(error: HttpError): ScimErrorBody {
  const t = createTranslator('en')
  return {
    schemas: [errorSchema],
    status: String(error.status),
    ...(error instanceof ScimError && error.scimType !== undefined && { scimType: error.scimType }),
    detail: t(error.text.key, error.text.params),
  }
}

function messagesOf({ fields }: ValidationError): Message[] {
  return Object.values(fields).flatMap((value): readonly Message[] => {
    if (value instanceof Map) return [...value.values()]
    return Array.isArray(value) ? value : [value as Message] // neither map nor list: a single message
  })
}
