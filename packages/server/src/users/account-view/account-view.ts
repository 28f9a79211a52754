import type { Localised } from '../../platform/db/schema.ts'
import type { OwnedObject } from '../policy.ts'
import type { User } from '../user.ts'
import type { ProcessDomain, StepWork } from './setup-process.ts'

export interface WalletView {
  readonly id: string
  readonly user_id: number
  readonly user_email: string
  readonly currency: string
  readonly balance: number
  readonly description: string | null
  readonly discount_id: string | null
  readonly discount: number | null
  readonly discount_description: Localised | null
}

/** A user's units of one SKU. */
export interface SubscriptionView {
  readonly id: string
  readonly title: string
  /** Cents per month of each unit, cheapest first. */
  readonly costs: readonly number[]
}

/** A user with everything needed to present them, read in one statement. */
export interface AccountView {
  readonly user: User
  /** Settings included in the user object. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings of the user's services, and the owner's settings of the account's services. */
  readonly config: Readonly<Record<string, string>>
  readonly ownerConfig: Readonly<Record<string, string>>
  readonly aliases: readonly string[]
  readonly owner: { readonly id: number; readonly status: number } | undefined
  readonly controllerIds: readonly number[]
  /** The wallet the user is billed to. */
  readonly wallet: WalletView
  readonly wallets: readonly WalletView[]
  /** Other users' wallets that this user controls. */
  readonly accounts: readonly WalletView[]
  /** By title. */
  readonly subscriptions: readonly SubscriptionView[]
  readonly hasDomainEntitlement: boolean
  readonly plan: { readonly mode: string; readonly hasDomain: boolean } | undefined
  readonly domain: ProcessDomain | undefined
  /** Progress of the work on user and domain. */
  readonly work: StepWork
}

/** A user without a wallet: technical accounts only. */
export class WalletMissing extends Error {
  override name = 'WalletMissing'
}

/** Returns what policies need to know of a user. */
export function ownedUser(view: AccountView): OwnedObject {
  return {
    tenantId: view.user.tenantId,
    userId: view.user.id,
    role: view.user.role,
    ownerId: view.owner?.id ?? view.user.id,
    controllerIds: view.controllerIds,
  }
}

/** Returns the status bits of the user combined with the owner's: degradation of either applies. */
export function accountStatus(view: Pick<AccountView, 'user' | 'owner'>): number {
  return (view.owner?.status ?? 0) | view.user.status
}

/** Returns a user's account as address rules see it. */
export function accountOf(view: AccountView): { tenantId: number; ownerId: number } {
  return { tenantId: view.user.tenantId, ownerId: view.owner?.id ?? view.user.id }
}
