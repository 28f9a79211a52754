import type { Db } from '../../platform/db/database.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { Trouble } from '../users/user-facts-store.ts'
import { mailRecords } from './dns/mail-records.ts'
import { type CheckedDomain, checkedDomains, type DomainCounts, domainCounts } from './domain-facts-store.ts'

/** Domains whose records are compared; in an account with more, the first ones stand for all. */
const mostCompared = 50

export interface DomainFacts extends DomainCounts {
  /** Domains that lack a record, or have another one, without which mail gets lost or is distrusted. */
  readonly records: Trouble
}

/** What there is to say about the domains in the accounts that somebody owns or controls. Nobody asks the DNS. */
export async function domainFacts(
  db: Db,
  readerId: number,
  { mailSetup }: Pick<HostingConfig, 'mailSetup'>,
): Promise<DomainFacts> {
  const counts = await domainCounts(db, readerId)
  const checked = counts.total === 0 ? [] : await checkedDomains(db, readerId, mostCompared)
  const wrong = checked.filter((domain) => lacksRecords(domain, mailSetup))
  const [first] = wrong
  const records = { count: wrong.length, name: first?.displayName ?? null, id: first?.id ?? null }
  return { ...counts, records }
}

function lacksRecords(domain: CheckedDomain, setup: HostingConfig['mailSetup']): boolean {
  return mailRecords(domain.namespace, setup, domain.dnsFound).some(
    ({ isOptional, state }) => !isOptional && (state === 'missing' || state === 'different'),
  )
}
