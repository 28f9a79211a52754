import type { Scope } from '@gatehouse/contract/route'

/** Staff who are signed in as somebody else: who it really is. */
export interface Impersonator {
  readonly id: string
  readonly staffId: number
  readonly staffEmail: string
  readonly reason: string
  readonly endsAt: Date
}

/** An application that makes a request for somebody who has allowed it to. */
export interface ThirdParty {
  readonly clientId: string
  /** Hash of the grant that its token came from. */
  readonly grantHash: Buffer
}

export type Role = 'admin' | 'reseller' | 'service'

/** Who makes a request, as far as every call needs to know; made by `sessions/`. */
export interface Principal {
  readonly userId: number
  readonly tenantId: number
  readonly email: string
  /** The role that counts on the host of the request: null for staff on the users' host. */
  readonly role: Role | null
  /** Status bits of the user. */
  readonly status: number
  readonly isSuspended: boolean
  /** The account was never paid, see `accounts/account-lock.ts`. */
  readonly isLocked: boolean
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly scopes: readonly Scope[]
  /** Changes with everything that the user's account view is made from. */
  readonly accountVersion: string
  /** When the holder of the session last proved who it is; null: such a session never does. */
  readonly authenticatedAt: Date | null
  /** Set when it is really somebody of the staff. */
  readonly impersonation?: Impersonator
  /** Set when it is an application; `sessionId` is the name of its token then. */
  readonly thirdParty?: ThirdParty
}

/** As much of a principal as rules about rights look at; a job that works in somebody's name has this much. */
export type Person = Pick<Principal, 'userId' | 'tenantId' | 'role'>
