import type { DnsRecord, DnsRecordKind, DnsRecordState } from '@gatehouse/contract/directory/domains'
import type { DnsFound } from '../../../platform/db/schema.ts'
import type { MailSetup } from '../../../platform/settings/hosting-settings.ts'
import type { PublishedKey } from './domain-keys.ts'

/** A DNS record that the domain's mail needs. */
export interface WantedRecord {
  readonly kind: DnsRecordKind
  /** Where the values found are stored. */
  readonly slot: keyof DnsFound
  readonly type: DnsRecord['type']
  /** Fully qualified name without the trailing dot. */
  readonly name: string
  /** Values to copy. */
  readonly wanted: readonly string[]
  readonly isOptional: boolean
  /** The key of the domain that the record publishes. */
  readonly key?: PublishedKey
}

/** Returns the DNS records a domain should have, in display order. `keys`: those of the domain itself. */
export function wantedRecords(
  namespace: string,
  setup: MailSetup,
  keys: readonly PublishedKey[],
): WantedRecord[] {
  const alias = (kind: DnsRecordKind, prefix: string, host: string, isOptional: boolean): WantedRecord => ({
    kind,
    slot: kind,
    type: 'CNAME',
    name: `${prefix}.${namespace}`,
    wanted: [`${host}.`],
    isOptional,
  })
  const text = (kind: DnsRecordKind, name: string, value: string, isOptional: boolean): WantedRecord => ({
    kind,
    slot: kind,
    type: 'TXT',
    name,
    wanted: [value],
    isOptional,
  })
  const ownKey = (key: PublishedKey): WantedRecord => ({
    // one signature is enough, and each server checks RSA
    ...text('dkim', `${key.selector}._domainkey.${namespace}`, key.text, key.algorithm !== 'rsa'),
    slot: keySlot(key.selector),
    key,
  })
  const sharedKey = (dkim: string): WantedRecord => {
    const prefix = `${setup.dkimSelector}._domainkey`
    return isKeyText(dkim)
      ? text('dkim', `${prefix}.${namespace}`, dkim, false)
      : alias('dkim', prefix, dkim, false)
  }
  return [
    {
      kind: 'mx',
      slot: 'mx',
      type: 'MX',
      name: namespace,
      wanted: setup.mx.map(({ host, priority }) => `${priority} ${host}.`),
      isOptional: false,
    },
    text('spf', namespace, `v=spf1 ${setup.spf} ~all`, false),
    ...(setup.dkim === null ? keys.map(ownKey) : [sharedKey(setup.dkim)]),
    text('dmarc', `_dmarc.${namespace}`, setup.dmarc, true),
    alias('autoconfig', 'autoconfig', setup.autoconfig, true),
    alias('autodiscover', 'autodiscover', setup.autodiscover, true),
  ]
}

/** Returns the required records with those found, in display order. */
export function mailRecords(
  namespace: string,
  setup: MailSetup,
  keys: readonly PublishedKey[],
  found: DnsFound,
): DnsRecord[] {
  return wantedRecords(namespace, setup, keys).map(({ kind, slot, type, name, wanted, isOptional, key }) => ({
    kind,
    type,
    name,
    wanted: [...wanted],
    found: [...(found[slot] ?? [])],
    state: recordState(kind, found[slot], setup, key?.text),
    isOptional,
    ...(key !== undefined && { key: { algorithm: key.algorithm, stage: key.stage } }),
  }))
}

/** Returns where the values found for a key of the domain itself are stored. */
export function keySlot(selector: string): `dkim:${string}` {
  return `dkim:${selector}`
}

/**
 * Compares the records found with those required. `found`: null if there was no answer, undefined if not
 * checked. `key`: the domain's own DKIM key that the record publishes.
 */
export function recordState(
  kind: DnsRecordKind,
  found: readonly string[] | null | undefined,
  setup: MailSetup,
  key?: string,
): DnsRecordState {
  if (found === undefined) return 'unchecked'
  if (found === null) return 'unknown'
  if (found.length === 0) return 'missing'
  return isAsWanted(kind, found, { ...setup, dkim: key ?? setup.dkim }) ? 'ok' : 'different'
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
      if (setup.dkim === null) return false
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

/** Compares the public keys and their algorithms only. A record without a key has been revoked. */
export function sameKey(found: readonly string[], wanted: string): boolean {
  const key = (text: string) => tag(text, 'p')?.replaceAll(/\s/g, '') ?? ''
  const algorithm = (text: string) => tag(text, 'k') ?? 'rsa'
  const [record = '', ...others] = found
  if (others.length > 0 || key(record) === '') return false
  return key(record) === key(wanted) && algorithm(record) === algorithm(wanted)
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
