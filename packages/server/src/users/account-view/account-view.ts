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

/** What a user has of one SKU. */
export interface SubscriptionView {
  readonly id: string
  readonly title: string
  /** Cents a month of each unit, cheapest first. */
  readonly costs: readonly number[]
}

/** A user with everything that an answer about the user is made from, read by one statement. */
export interface AccountView {
  readonly user: User
  /** Those that travel with the user object. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings that steer the user's services, and of the owner's those that steer the account's. */
  readonly config: Readonly<Record<string, string>>
  readonly ownerConfig: Readonly<Record<string, string>>
  readonly aliases: readonly string[]
  readonly owner: { readonly id: number; readonly status: number } | undefined
  readonly controllerIds: readonly number[]
  /** The wallet that the user is billed to. */
  readonly wallet: WalletView
  readonly wallets: readonly WalletView[]
  /** Wallets of other users that this one controls. */
  readonly accounts: readonly WalletView[]
  /** By title. */
  readonly subscriptions: readonly SubscriptionView[]
  readonly hasDomainEntitlement: boolean
  readonly plan: { readonly mode: string; readonly hasDomain: boolean } | undefined
  readonly domain: ProcessDomain | undefined
  /** How far the work on user and domain is. */
  readonly work: StepWork
}

/** A user without any wallet: technical accounts only. */
export class WalletMissing extends Error {
  override name = 'WalletMissing'
}

/** What the policies need to know of a user. */
export function ownedUser(view: AccountView): OwnedObject {
  return {
    tenantId: view.user.tenantId,
    userId: view.user.id,
    role: view.user.role,
    ownerId: view.owner?.id ?? view.user.id,
    controllerIds: view.controllerIds,
  }
}

/** Status bits of a user together with those of the account's owner: what is degraded for either of them. */
export function accountStatus(view: Pick<AccountView, 'user' | 'owner'>): number {
  return (view.owner?.status ?? 0) | view.user.status
}

/** The account of a user, as the rules of addresses see it. */
export function accountOf(view: AccountView): { tenantId: number; ownerId: number } {
  return { tenantId: view.user.tenantId, ownerId: view.owner?.id ?? view.user.id }
}
