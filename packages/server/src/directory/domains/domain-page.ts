import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { subscriptionsOf } from '../../subscriptions/subscriptions-of.ts'
import { readWalletView } from '../../users/account-view/account-view-store.ts'
import { presentWallet } from '../../users/account-view/present.ts'
import { objectRights } from '../../users/policy.ts'
import { keysOf } from './dns/domain-keys.ts'
import { type Domain, isPublicDomain, ownedDomain } from './domain.ts'
import type { DomainParts } from './domain-parts.ts'
import { isEmptyDomain, workOnDomain } from './domain-store.ts'
import { type DomainFacts, presentDomain } from './present.ts'

type PageParts = Pick<DomainParts, 'config' | 'db' | 'clock' | 'presenter' | 'domainKeys'>

/** Returns the facts needed to present a domain. */
export async function domainFacts(
  { db, clock, config, domainKeys }: PageParts,
  domain: Domain,
  { t }: Pick<RequestFacts, 't'>,
): Promise<DomainFacts> {
  return {
    work: await workOnDomain(db, domain.id),
    now: clock.now(),
    t,
    withLdap: config.APP_LDAP,
    setup: config.mailSetup,
    keys: await keysOf(domainKeys, domain),
  }
}

/** Returns a domain with everything its own page shows. */
export async function domainPage(
  parts: PageParts,
  domain: Domain,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<DomainDetail> {
  const { db } = parts
  const wallet = domain.walletId === null ? undefined : await readWalletView(db, domain.walletId)
  const user = await parts.presenter.facts(request, principal.tenantId)
  const skus = await subscriptionsOf(db, 'domain', [domain.id])
  return presentDomain(domain, await domainFacts(parts, domain, request), {
    skus: skus.get(domain.id) ?? {},
    wallet: wallet === undefined ? null : presentWallet(wallet, principal.userId, user),
    isEmpty: !isPublicDomain(domain) && (await isEmptyDomain(db, domain.namespace)),
    rights: objectRights(principal, ownedDomain(domain)),
  })
}
