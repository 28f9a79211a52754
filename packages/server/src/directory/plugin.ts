import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { GroupwareBackend } from '../provisioning/backend.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { handleDomainChecks } from './domains/dns/domain-checks.ts'
import { domainAdapter } from './domains/domain-adapter.ts'
import { handleDomainMails } from './domains/domain-mails.ts'
import { ReleaseDomains } from './domains/release-store.ts'
import { serveDomains } from './domains/routes.ts'
import { serveFolders } from './folders/routes.ts'
import { serveGroups } from './groups/routes.ts'
import { objectAdapters } from './objects/object-adapters.ts'
import { PurgeObjects } from './objects/purge-objects.ts'
import { handleOfferMails, PurgeOffers } from './owners/offer-mail.ts'
import { serveOwners } from './owners/routes.ts'
import { serveResources } from './resources/routes.ts'
import { type AccountParts, serveAccounts } from './users/routes.ts'

/** Registers provisioning of domains, lists, resources and folders. */
export function provisionedObjects(
  { config, clock }: Ground<Pick<FeatureSettings, 'APP_LDAP'>>,
  backend: GroupwareBackend,
) {
  const withLdap = config.APP_LDAP
  return [domainAdapter({ backend, clock, withLdap }), ...objectAdapters({ backend, clock, withLdap })]
}

/** Users and owners of an account, its domains, distribution lists, resources and shared folders. */
export function addDirectory(
  ground: Ground<IdentityConfig & BillingConfig>,
  identity: Identity,
  above: Pick<AccountParts, 'storageOf' | 'domainKeys'>,
): void {
  const { api, config, db, clock, jobs, purge } = ground
  handleDomainChecks({ ...ground, domainKeys: above.domainKeys })
  handleDomainMails(jobs, ground)
  handleOfferMails(jobs, ground)
  const parts = { ...ground, ...identity, ...above }
  serveAccounts(api, parts)
  serveOwners(api, parts)
  serveDomains(api, parts)
  serveGroups(api, parts)
  serveResources(api, parts)
  serveFolders(api, parts)
  const days = config.RETENTION_DAYS
  purge.add(
    new PurgeObjects(db, clock, days),
    new ReleaseDomains(db, clock, days),
    new PurgeOffers(db, clock),
  )
}
