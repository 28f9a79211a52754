import type { Db } from '../../platform/db/database.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { Trouble } from '../users/user-facts-store.ts'
import type { DomainKeys, PublishedKey } from './dns/domain-keys.ts'
import { mailRecords } from './dns/mail-records.ts'
import { type CheckedDomain, checkedDomains, type DomainCounts, domainCounts } from './domain-facts-store.ts'

/** Maximum number of domains whose records are compared. Larger accounts are sampled by the first ones. */
const mostCompared = 50

export interface DomainFacts extends DomainCounts {
  /** Domains with missing or wrong records, which cause mail to be lost or distrusted. */
  readonly records: Trouble
}

/** What the summary depends on. */
export interface DomainFactsParts {
  readonly config: Pick<HostingConfig, 'mailSetup'>
  readonly domainKeys: DomainKeys
}

/** Summarises the domains in the accounts that a user owns or controls. Makes no DNS queries. */
export async function domainFacts(
  db: Db,
  readerId: number,
  { config: { mailSetup }, domainKeys }: DomainFactsParts,
): Promise<DomainFacts> {
  const counts = await domainCounts(db, readerId)
  const checked = counts.total === 0 ? [] : await checkedDomains(db, readerId, mostCompared)
  const keys = await domainKeys.published(checked.map(({ id }) => id))
  const wrong = checked.filter((domain) => lacksRecords(domain, mailSetup, keys.get(domain.id) ?? []))
  const [first] = wrong
  const records = { count: wrong.length, name: first?.displayName ?? null, id: first?.id ?? null }
  return { ...counts, records }
}

function lacksRecords(
  domain: CheckedDomain,
  setup: HostingConfig['mailSetup'],
  keys: readonly PublishedKey[],
): boolean {
  return mailRecords(domain.namespace, setup, keys, domain.dnsFound).some(
    ({ isOptional, state }) => !isOptional && (state === 'missing' || state === 'different'),
  )
}
