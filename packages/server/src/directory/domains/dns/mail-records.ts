import {
  type DnsRecord,
  type DnsRecordKind,
  type DnsRecordState,
  dnsRecordKinds,
} from '@gatehouse/contract/directory/domains'
import type { DnsFound } from '../../../platform/db/schema.ts'
import type { MailSetup } from '../../../platform/settings/hosting-settings.ts'

/** A DNS record that the domain's mail needs. */
export interface WantedRecord {
  readonly type: DnsRecord['type']
  /** Fully qualified name without the trailing dot. */
  readonly name: string
  /** Values to copy. */
  readonly wanted: readonly string[]
  readonly isOptional: boolean
}

/** Returns the DNS records a domain should have, by kind. */
export function wantedRecords(namespace: string, setup: MailSetup): Record<DnsRecordKind, WantedRecord> {
  const alias = (prefix: string, host: string, isOptional: boolean): WantedRecord => ({
    type: 'CNAME',
    name: `${prefix}.${namespace}`,
    wanted: [`${host}.`],
    isOptional,
  })
  const text = (name: string, value: string, isOptional: boolean): WantedRecord => ({
    type: 'TXT',
    name,
    wanted: [value],
    isOptional,
  })
  const key = `${setup.dkimSelector}._domainkey`
  return {
    mx: {
      type: 'MX',
      name: namespace,
      wanted: setup.mx.map(({ host, priority }) => `${priority} ${host}.`),
      isOptional: false,
    },
    spf: text(namespace, `v=spf1 ${setup.spf} ~all`, false),
    dkim: isKeyText(setup.dkim)
      ? text(`${key}.${namespace}`, setup.dkim, false)
      : alias(key, setup.dkim, false),
    dmarc: text(`_dmarc.${namespace}`, setup.dmarc, true),
    autoconfig: alias('autoconfig', setup.autoconfig, true),
    autodiscover: alias('autodiscover', setup.autodiscover, true),
  }
}

/** Returns the required records with those found, in display order. */
export function mailRecords(namespace: string, setup: MailSetup, found: DnsFound): DnsRecord[] {
  const wanted = wantedRecords(namespace, setup)
  return dnsRecordKinds.map((kind) => ({
    kind,
    type: wanted[kind].type,
    name: wanted[kind].name,
    wanted: [...wanted[kind].wanted],
    found: [...(found[kind] ?? [])],
    state: recordState(kind, found[kind], setup),
    isOptional: wanted[kind].isOptional,
  }))
}

/**
 * Compares the records found with those required. `found`: null if there was no answer, undefined if not
 * checked.
 */
export function recordState(
  kind: DnsRecordKind,
  found: readonly string[] | null | undefined,
  setup: MailSetup,
): DnsRecordState {
  if (found === undefined) return 'unchecked'
  if (found === null) return 'unknown'
  if (found.length === 0) return 'missing'
  return isAsWanted(kind, found, setup) ? 'ok' : 'different'
}

/** Returns true for TXT values of the domain that are, or are meant as, an SPF record (RFC 7208 §4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text)
}

export function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(;|$)/i.test(text)
}

/** Returns true if at least one of the mail servers is ours. */
export function hasOurMailServer(found: readonly string[], setup: MailSetup): boolean {
  const ours = new Set(setup.mx.map((server) => server.host))
  return found.some((value) => ours.has(parseMx(value).host))
}

function isAsWanted(kind: DnsRecordKind, found: readonly string[], setup: MailSetup): boolean {
  switch (kind) {
    case 'mx':
      return sameMailServers(found.map(parseMx), setup.mx)
    case 'spf':
      return found.length === 1 && allowsTerm(found[0] ?? '', setup.spf)
    case 'dkim':
      return isKeyText(setup.dkim) ? sameKey(found, setup.dkim) : sameHost(found, setup.dkim)
    case 'dmarc':
      // any policy is fine, its strictness is the owner's choice; two records count as none (RFC 7489 §6.6.3)
      return found.length === 1 && /^(none|quarantine|reject)$/i.test(tag(found[0] ?? '', 'p') ?? '')
    case 'autoconfig':
      return sameHost(found, setup.autoconfig)
    case 'autodiscover':
      return sameHost(found, setup.autodiscover)
  }
}

interface Mx {
  readonly priority: number
  readonly host: string
}

function parseMx(value: string): Mx {
  const [priority = '', host = ''] = value.trim().split(/\s+/)
  return { priority: Number(priority), host: withoutDot(host) }
}

/** Compares servers and their order of preference; the preference values may differ. */
function sameMailServers(found: readonly Mx[], wanted: readonly Mx[]): boolean {
  const priorities = new Map(found.map(({ host, priority }) => [host, priority]))
  if (priorities.size !== new Set(wanted.map(({ host }) => host)).size) return false
  const inOrder = wanted.toSorted((one, other) => one.priority - other.priority)
  let last = Number.NEGATIVE_INFINITY
  for (const { host } of inOrder) {
    const priority = priorities.get(host)
    if (priority === undefined || priority < last) return false
    last = priority
  }
  return true
}

/** Returns true if the record passes mail by this term: present, not negated, and not preceded by `all`. */
function allowsTerm(record: string, term: string): boolean {
  const wanted = spfTerm(term)
  for (const given of record.trim().split(/\s+/).slice(1).map(spfTerm)) {
    if (given === wanted) return true
    // redirecting to the other domain's policy passes everything that including it would
    if (given.replace(/^redirect=/, 'include:') === wanted) return true
    if (/^[-~?]?all$/.test(given)) return false
  }
  return false
}

/** Adds the default qualifier (pass) to a term that has none. */
function spfTerm(term: string): string {
  return withoutDot(term.replace(/^\+/, ''))
}

function sameHost(found: readonly string[], wanted: string): boolean {
  return found.length === 1 && withoutDot(found[0] ?? '') === withoutDot(wanted)
}

/** Compares the public keys only. A record without a key has been revoked. */
function sameKey(found: readonly string[], wanted: string): boolean {
  const key = (text: string) => tag(text, 'p')?.replaceAll(/\s/g, '') ?? ''
  return found.length === 1 && key(found[0] ?? '') !== '' && key(found[0] ?? '') === key(wanted)
}

/** Returns the value of a tag in a list such as `v=DKIM1; p=…`. */
function tag(text: string, name: string): string | undefined {
  for (const part of text.split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim().toLowerCase() === name)
      return part.slice(equals + 1).trim()
  }
  return undefined
}

function isKeyText(value: string): boolean {
  return /^v=DKIM1/i.test(value)
}

function withoutDot(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '')
}
