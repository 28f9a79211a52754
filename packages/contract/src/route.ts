import type { z } from 'zod'

/** The three variants of the product, decided by the host name of a request; specification §1. */
export type Variant = 'user' | 'admin' | 'reseller'

/** What a bearer token may be used for; `enrol`: to set up the second factor that its holder must have, and nothing else. */
export type Scope = 'api' | 'enrol' | 'mfa' | 'fs' | 'email' | 'openid' | 'auth.token'

/**
 * Callers who act in a user's name: support staff who signed in as the user, and applications with a token that the
 * user consented to.
 */
export const borrowedCallers = ['impersonated', 'thirdParty'] as const

export type BorrowedCaller = (typeof borrowedCallers)[number]

interface RouteFacts {
  readonly summary: string
  readonly tag: string
  readonly scopes?: readonly Scope[]
  /** Variants on whose hosts the call exists; elsewhere it is a 404. Absent: all three. */
  readonly hosts?: readonly Variant[]
  /** A suspended user may sign in, see the account and pay; other calls answer 403 unless this is set. */
  readonly whenSuspended?: 'allowed'
  /**
   * A user of an account that was never paid may sign in, pay and write to support; other calls answer 403 unless this
   * is set.
   */
  readonly whenLocked?: 'allowed'
  /** Success is a 204 without a body; `ok` is `z.null()` then. */
  readonly isEmpty?: true
  readonly params?: z.ZodObject
  /** The body is a file, which is read as it arrives; `body` describes the query then. */
  readonly upload?: true
  /** The input may also be a form with files (multipart/form-data); `body` describes its other fields. */
  readonly form?: true
  /** The answer, or another form of it, is stored content: of its own media type, with length, ETag and ranges (RFC 9110). */
  readonly content?: true
  /** The answer is a file of this media type, sent as it is made. */
  readonly download?: 'text/csv' | 'application/x-ndjson' | 'application/pdf'
  /** Most bytes of the body, where the usual limit does not fit; see `bodyLimitOf`. */
  readonly bodyLimit?: number
  /** Query of a GET or DELETE. Query and body of other methods are read as one input, `body`. */
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** The body of a 200 answer. */
  readonly ok: z.ZodType
  /** The body of a 202 answer, known by its `status: 'waiting'`: the call goes on elsewhere. Part of `ok` as well. */
  readonly accepted?: z.ZodType
  /** Body of a 422 where it is more than the error envelope. */
  readonly refused?: z.ZodType
  /** Statuses other than 200 that the call documents; 400, 413, 429 and 500 may come from any call. */
  readonly errors: readonly (401 | 403 | 404 | 405 | 409 | 416 | 422 | 429 | 500 | 503)[]
}

/** No token is read. */
interface PublicRoute extends RouteFacts {
  readonly auth: 'public'
  readonly openTo?: never
  readonly stepUp?: never
}

interface UserRoute extends RouteFacts {
  /**
   * `token`: a valid bearer token with one of `scopes` is needed (401, 403). `optional`: a valid token makes a
   * difference, an invalid one counts as none.
   */
  readonly auth: 'optional' | 'token'
  /**
   * Borrowed callers that the call admits, on the users' host; all others get a 403. A call that leaves access behind
   * or moves money is open to none. Where only some fields do, a rule in `policy.ts` refuses the fields.
   */
  readonly openTo: readonly BorrowedCaller[]
  readonly stepUp?: never
}

/** A call that asks for a fresh proof of identity, which borrowed callers can't give. */
interface FreshRoute extends RouteFacts {
  readonly auth: 'token'
  readonly openTo: readonly []
  /** The caller must have proved who it is within the last ten minutes, else a 403 with `stepUp` asks for it. */
  readonly stepUp: true
}

/**
 * One call of the wire. Its key in a route table is `METHOD /path/{parameter}`, followed by ` @<name>` where the same path
 * is another call on other hosts.
 */
export type RouteDefinition = PublicRoute | UserRoute | FreshRoute

const kibibyte = 1024

/**
 * Most bytes that the body of a call may have (413). Anybody may send the body of a call without a token, so it is small. Files
 * and forms with files have limits of their own.
 */
export function bodyLimitOf({ bodyLimit, auth }: RouteDefinition): number {
  return bodyLimit ?? (auth === 'token' ? 256 * kibibyte : 16 * kibibyte)
}

export type RouteTable = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, RouteDefinition>>

/** Keeps the literal types of a route table. */
export function defineRoutes<const T extends RouteTable>(routes: T): T {
  return routes
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined

/** The types of one call as its caller sees them. */
export interface Call<R extends RouteDefinition> {
  params: In<R['params']>
  query: In<R['query']>
  body: In<R['body']>
  ok: z.output<R['ok']>
}
