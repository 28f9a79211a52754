import { createHash } from 'node:crypto'
import type { Subscriptions } from '@gatehouse/contract/billing/subscriptions'
import type { ObjectRights, ObjectStatusInfo } from '@gatehouse/contract/directory/directory'
import type { DnsReport, DomainDetail } from '@gatehouse/contract/directory/domains'
import type { Wallet } from '@gatehouse/contract/directory/users'
import { wireDate } from '../../platform/clock.ts'
import { textStrings, zoneFileText } from '../../platform/dns/text-record.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { MailSetup } from '../../platform/settings/hosting-settings.ts'
import { domainProcess, processState, type StepWork } from '../../users/account-view/setup-process.ts'
import type { PublishedKey } from './dns/domain-keys.ts'
import { mailRecords, wantedRecords } from './dns/mail-records.ts'
import { proofLabel, proofText, proofZone, referenceLabel } from './dns/ownership.ts'
import { type Domain, domainFlags } from './domain.ts'

/** Additional facts needed to present a domain. */
export interface DomainFacts {
  readonly now: Date
  readonly t: Translate
  readonly withLdap: boolean
  readonly setup: MailSetup
  /** DKIM keys of the domain itself. */
  readonly keys: readonly PublishedKey[]
  /** Progress of the set-up steps. */
  readonly work: StepWork
}

/** Parts of a domain's page that other modules provide. */
export interface DomainSurroundings {
  readonly skus: Subscriptions
  readonly wallet: Wallet | null
  readonly isEmpty: boolean
  readonly rights: ObjectRights
}

/** Returns a domain as sent to clients; reference api-objects §8.1. */
export function presentDomain(domain: Domain, facts: DomainFacts, around: DomainSurroundings): DomainDetail {
  return {
    id: domain.id,
    namespace: domain.namespace,
    displayName: domain.displayName,
    type: domain.type,
    status: domain.status,
    created_at: wireDate(domain.createdAt),
    updated_at: wireDate(domain.updatedAt),
    deleted_at: domain.deletedAt && wireDate(domain.deletedAt),
    ...domainFlags(domain, facts.withLdap),
    statusInfo: domainStatusInfo(domain, facts),
    config: { spf_whitelist: [...domain.spfWhitelist] },
    skus: around.skus,
    wallet: around.wallet,
    revision: domainRevision(domain),
    hash_code: domain.token,
    hash_text: proofText(domain, referenceLabel),
    hash_cname: referenceLabel,
    dns: proofZone(domain, facts.now, referenceLabel),
    proof: { name: proofLabel, text: proofText(domain), zone: proofZone(domain, facts.now) },
    mx: mailZone(domain.namespace, facts),
    dnsReport: presentReport(domain, facts),
    missingSince: domain.missingSince && wireDate(domain.missingSince),
    isEmpty: around.isEmpty,
    ...around.rights,
  }
}

/** Returns the set-up progress of a domain; reference api-objects §4. */
export function domainStatusInfo(domain: Domain, { now, t, withLdap, work }: DomainFacts): ObjectStatusInfo {
  const process = domainProcess(domain, withLdap, t)
  const state = processState(process, work, domain.createdAt, now)
  return { process, processState: state, isDone: state === 'done' }
}

/** Returns the mail records as required and as last found. */
export function presentReport(
  domain: Domain,
  { setup, keys }: Pick<DomainFacts, 'setup' | 'keys'>,
): DnsReport {
  return {
    records: mailRecords(domain.namespace, setup, keys, domain.dnsFound),
    checkedAt: domain.dnsCheckedAt && wireDate(domain.dnsCheckedAt),
    nextCheckAt: domain.nextCheckAt && wireDate(domain.nextCheckAt),
  }
}

/** Returns zone file lines that route the domain's mail to this installation. */
function mailZone(namespace: string, { setup, keys }: Pick<DomainFacts, 'setup' | 'keys'>): string[] {
  const lines = wantedRecords(namespace, setup, keys).flatMap(({ type, name, wanted, kind }) => {
    const label = name === namespace ? '@' : name.slice(0, -namespace.length - 1)
    const values = type === 'TXT' ? wanted.map((value) => zoneFileText(textStrings(value))) : wanted
    const records = values.map((value) => `${label} 3600 IN ${type} ${value}`)
    return kind === 'mx' ? [...records, ';'] : records
  })
  return lines
}

/** Returns the revision of the state that the form shows. */
function domainRevision(domain: Domain): string {
  return createHash('sha256').update(JSON.stringify(domain.spfWhitelist)).digest('base64url').slice(0, 22)
}
