import type { z } from 'zod'

/** The three variants of the product, determined by the request's host name; specification §1. */
export type Variant = 'user' | 'admin' | 'reseller'

/** Scopes of bearer tokens; `enrol` only allows the holder to set up a required second factor. */
export type Scope = 'api' | 'enrol' | 'mfa' | 'fs' | 'email' | 'openid' | 'auth.token'

/**
 * Callers who act on behalf of a user: support staff who impersonate the user, applications with a token that
 * the user consented to, and programs with an API key.
 */
export const borrowedCallers = ['impersonated', 'thirdParty', 'apiKey'] as const

export type BorrowedCaller = (typeof borrowedCallers)[number]

/** The same without API keys, which never reach sessions, passwords and companion devices. */
export const callersWithoutKeys = ['impersonated', 'thirdParty'] as const satisfies readonly BorrowedCaller[]

interface RouteFacts {
  readonly summary: string
  readonly tag: string
  readonly scopes?: readonly Scope[]
  /** Variants on whose hosts the call exists; elsewhere it returns 404. Defaults to all three. */
  readonly hosts?: readonly Variant[]
  /** A suspended user may sign in, see the account and pay; other calls return 403 unless this is set. */
  readonly whenSuspended?: 'allowed'
  /**
   * A user of an account that was never paid may sign in, pay and write to support; other calls return 403
   * unless this is set.
   */
  readonly whenLocked?: 'allowed'
  /** Success is a 204 without a body; `ok` is then `z.null()`. */
  readonly isEmpty?: true
  readonly params?: z.ZodObject
  /** The body is a file that is streamed; `body` then describes the query. */
  readonly upload?: true
  /** The input may also be a form with files (multipart/form-data); `body` describes its other fields. */
  readonly form?: true
  /**
   * The response, or one form of it, is stored content with its own media type, length, ETag and ranges (RFC
   * 9110).
   */
  readonly content?: true
  /** The response is a file of this media type, streamed as it is generated. */
  readonly download?: 'text/csv' | 'application/x-ndjson' | 'application/pdf'
  /** Maximum bytes of the body, if the default doesn't fit; see `bodyLimitOf`. */
  readonly bodyLimit?: number
  /** Query of a GET or DELETE. For other methods, query and body are merged into one input, `body`. */
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Body of a 200 response. */
  readonly ok: z.ZodType
  /**
   * Body of a 202 response, identified by `status: 'waiting'`: the call continues elsewhere. Also part of `ok`.
   */
  readonly accepted?: z.ZodType
  /** Body of a 422, if it is more than the error envelope. */
  readonly refused?: z.ZodType
  /** Documented statuses other than 200; any call may return 400, 413, 429 and 500. */
  readonly errors: readonly (401 | 403 | 404 | 405 | 409 | 416 | 422 | 429 | 500 | 503)[]
}

/** The token is ignored. */
interface PublicRoute extends RouteFacts {
  readonly auth: 'public'
  readonly openTo?: never
  readonly stepUp?: never
}

interface UserRoute extends RouteFacts {
  /**
   * `token`: requires a valid bearer token with one of `scopes` (401, 403). `optional`: a valid token is used,
   * an invalid one is ignored.
   */
  readonly auth: 'optional' | 'token'
  /**
   * Borrowed callers that may use the call on the user host; all others get a 403. A call that grants lasting
   * access or moves money is open to none. If only some fields do so, a rule in `policy.ts` rejects those
   * fields.
   */
  readonly openTo: readonly BorrowedCaller[]
  readonly stepUp?: never
}

/** A call that requires recent authentication, which borrowed callers can't provide. */
interface FreshRoute extends RouteFacts {
  readonly auth: 'token'
  readonly openTo: readonly []
  /**
   * The caller must have authenticated within the last ten minutes; otherwise a 403 with `stepUp` requests it.
   */
  readonly stepUp: true
}

/**
 * One API call. Its key in a route table is `METHOD /path/{parameter}`, followed by ` @<name>` if the same
 * path is a different call on other hosts.
 */
export type RouteDefinition = PublicRoute | UserRoute | FreshRoute

const kibibyte = 1024

/**
 * Maximum bytes of a call's body (413). Small for calls without a token, because anyone can send them. Files
 * and forms with files have their own limits.
 */
export function bodyLimitOf({ bodyLimit, auth }: RouteDefinition): number {
  return bodyLimit ?? (auth === 'token' ? 256 * kibibyte : 16 * kibibyte)
}

export type RouteTable = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, RouteDefinition>>

/** Preserves the literal types of a route table. */
export function defineRoutes<const T extends RouteTable>(routes: T): T {
  return routes
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined

/** The types of one call from the caller's perspective. */
export interface Call<R extends RouteDefinition> {
  params: In<R['params']>
  query: In<R['query']>
  body: In<R['body']>
  ok: z.output<R['ok']>
}
