import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { presentPackage } from '../../subscriptions/present.ts'
import { skusWithNextPrices } from '../../subscriptions/prices/next-prices.ts'
import { readPackages } from '../../subscriptions/sku-store.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { domainsOfWallet } from '../../users/addresses/domain-store.ts'
import type { StaffParts } from '../staff-parts.ts'
import { createdKindsOf, obstacleOf } from './customer-account.ts'

/** Returns what the forms for new objects of an account need. */
export async function creationOffer(
  parts: Pick<StaffParts, 'config' | 'db' | 'presenter'>,
  principal: Principal,
  owner: AccountView,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<CreationOffer> {
  const { db } = parts
  const { user, wallet } = owner
  const { language } = request
  const scope = { tenantId: user.tenantId, walletId: wallet.id, language }
  const [kinds, packages, skus, domains] = await Promise.all([
    createdKindsOf(parts, owner, request),
    readPackages(db, user.tenantId),
    skusWithNextPrices(db, scope),
    domainsOfWallet(db, wallet.id),
  ])
  return {
    owner: { id: user.id, email: user.email },
    obstacle: obstacleOf(parts, principal, owner) ?? null,
    kinds,
    packages: packages.map((item) => presentPackage(item, language)),
    skus,
    domains: domains
      .filter(({ isConfirmed, isSuspended }) => isConfirmed && !isSuspended)
      .map(({ namespace }) => namespace),
    isDomainWaiting: domains.some(({ isConfirmed }) => !isConfirmed),
    currency: wallet.currency,
    discount: wallet.discount,
    discount_description: wallet.discount_description && localised(wallet.discount_description, language),
  }
}
