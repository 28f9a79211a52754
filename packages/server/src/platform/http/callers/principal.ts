import type { Scope } from '@gatehouse/contract/route'

/** The staff member who impersonates a user. */
export interface Impersonator {
  readonly id: string
  readonly staffId: number
  readonly staffEmail: string
  readonly reason: string
  readonly endsAt: Date
}

/** An application that makes a request on behalf of a user. */
export interface ThirdParty {
  readonly clientId: string
  /** Hash of the grant its token was issued from. */
  readonly grantHash: Buffer
}

/** An API key that makes a request. */
export interface ApiKeyCaller {
  readonly id: string
  readonly name: string
  /** It acts for the account with the rights of its owner, instead of for a person. */
  readonly isAccount: boolean
  readonly scopes: readonly string[]
  /** The key's requests in the current minute. */
  readonly quota: RequestQuota
}

/** How many requests are allowed in a period, and are left. */
export interface RequestQuota {
  readonly limit: number
  readonly left: number
  /** Seconds until the next period. */
  readonly reset: number
}

export type Role = 'admin' | 'reseller' | 'service'

/** The authenticated caller of a request, as needed by every call; created by `sessions/`. */
export interface Principal {
  readonly userId: number
  readonly tenantId: number
  readonly email: string
  /** The effective role on the request's host: null for staff on the users' host. */
  readonly role: Role | null
  /** Status bits of the user. */
  readonly status: number
  readonly isSuspended: boolean
  /** The account has never paid, see `accounts/account-lock.ts`. */
  readonly isLocked: boolean
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly scopes: readonly Scope[]
  /** Changes along with anything the user's account view is derived from. */
  readonly accountVersion: string
  /** When the session's holder last authenticated; null: re-authentication isn't possible in such a session. */
  readonly authenticatedAt: Date | null
  /** Set when staff impersonate the user. */
  readonly impersonation?: Impersonator
  /** Set for an application, in which case `sessionId` is the id of its token. */
  readonly thirdParty?: ThirdParty
  /** Set for an API key, in which case `sessionId` is its id. */
  readonly apiKey?: ApiKeyCaller
}

/** The part of a principal that policies use; also available to jobs that act on behalf of a user. */
export type Person = Pick<Principal, 'userId' | 'tenantId' | 'role'>
