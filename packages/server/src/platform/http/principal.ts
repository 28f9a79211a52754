import type { Scope } from '@gatehouse/contract/route'

export type Role = 'admin' | 'reseller' | 'service'

/** Who makes a request, as far as every call needs to know; made by `sessions/`. */
export interface Principal {
  readonly userId: number
  readonly tenantId: number
  readonly email: string
  readonly role: Role | null
  /** Status bits of the user. */
  readonly status: number
  readonly isSuspended: boolean
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly scopes: readonly Scope[]
  /** Changes with everything that the user's account view is made from. */
  readonly accountVersion: string
}

/** As much of a principal as rules about rights look at; a job that works in somebody's name has this much. */
export type Person = Pick<Principal, 'userId' | 'tenantId' | 'role'>
