import type { StatusInfo, UserFlags, UserInfo, Wallet } from '@gatehouse/contract/directory/users'
import type { Language } from '@gatehouse/contract/language'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { wireDate } from '../../platform/clock.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { presentTenant } from '../../platform/tenant.ts'
import { awaitsPayment } from '../account-lock.ts'
import { isController } from '../policy.ts'
import { userFlags } from '../user.ts'
import { type AccountView, ownedUser, type WalletView } from './account-view.ts'
import { type Features, permissionFlags } from './permissions.ts'
import { processState, userProcess } from './setup-process.ts'

/** What presenting a user depends on besides the user. */
export interface PresentFacts {
  readonly now: Date
  readonly t: Translate
  readonly language: Language
  readonly features: Features
  readonly withLdap: boolean
  readonly paymentProvider: string
  /** Titles of the SKUs of the user's tenant. */
  readonly tenantSkus: ReadonlySet<string>
}

/** The user object in the API; reference api-auth §4.3. */
export function presentUser(view: AccountView, facts: PresentFacts): UserInfo {
  const { user } = view
  return {
    id: user.id,
    email: user.email,
    status: user.status,
    tenant_id: presentTenant(user.tenantId),
    created_at: wireDate(user.createdAt),
    updated_at: wireDate(user.updatedAt),
    deleted_at: user.deletedAt && wireDate(user.deletedAt),
    ...presentFlags(view, facts),
    isLocked: isLocked(view),
    settings: view.settings,
    statusInfo: presentStatusInfo(view, facts),
    wallets: view.wallets.map((wallet) => presentWallet(wallet, user.id, facts)),
    accounts: view.accounts.map((wallet) => presentWallet(wallet, user.id, facts)),
    wallet: presentWallet(view.wallet, user.id, facts),
  }
}

export function presentFlags(view: AccountView, facts: PresentFacts): UserFlags {
  const ownerDegraded = view.owner !== undefined && hasBit(view.owner.status, userStatus.degraded)
  return userFlags(view.user, ownerDegraded, facts.withLdap)
}

/** Whether the user's account must pay first. */
export function isLocked({ plan, user, owner }: AccountView): boolean {
  return awaitsPayment(plan?.mode, (owner ?? user).status)
}

/** Setup progress and permissions; reference api-auth §4.4. */
export function presentStatusInfo(view: AccountView, facts: PresentFacts): StatusInfo {
  const skus = view.subscriptions.map((held) => held.title)
  const process = userProcess(view.user, view.domain, facts.withLdap, facts.t)
  const state = processState(process, view.work, view.user.createdAt, facts.now)
  const flags = permissionFlags(
    {
      isController: isController(view.user.id, ownedUser(view)),
      isDegraded: hasBit(view.user.status, userStatus.degraded),
      hasCustomDomain: view.hasDomainEntitlement || !facts.tenantSkus.has('domain-hosting'),
      plan: view.plan,
      userSkus: skus,
      tenantSkus: facts.tenantSkus,
    },
    facts.features,
  )
  return { process, processState: state, isDone: state === 'done', skus, ...flags }
}

/** A wallet in the API; includes the owner's address unless the reader is the owner. */
export function presentWallet(
  wallet: WalletView,
  readerId: number,
  facts: Pick<PresentFacts, 'language' | 'paymentProvider'>,
): Wallet {
  return {
    id: wallet.id,
    user_id: wallet.user_id,
    description: wallet.description,
    currency: wallet.currency,
    balance: wallet.balance,
    discount_id: wallet.discount_id,
    discount: wallet.discount,
    discount_description:
      wallet.discount_description && localised(wallet.discount_description, facts.language),
    ...(wallet.user_id !== readerId && { user_email: wallet.user_email }),
    provider: facts.paymentProvider,
  }
}
