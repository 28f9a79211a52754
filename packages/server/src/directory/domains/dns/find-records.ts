import type { DnsRecordKind } from '@gatehouse/contract/directory/domains'
import type { DnsFound } from '../../../platform/db/schema.ts'
import type { DnsClient, Lookup } from '../../../platform/dns/dns-client.ts'
import type { MailSetup } from '../../../platform/settings/hosting-settings.ts'
import { isDmarc, isSpf, wantedRecords } from './mail-records.ts'

/** Maximum number of values stored and shown per kind, and of characters per value. */
const mostValues = 10
const longestValue = 600

/** Looks up every DNS record that the domain's mail needs, in parallel. */
export async function findRecords(dns: DnsClient, namespace: string, setup: MailSetup): Promise<DnsFound> {
  const wanted = wantedRecords(namespace, setup)
  const texts = async (kind: DnsRecordKind, isMeant: (text: string) => boolean) =>
    valuesOf(await dns.txt(wanted[kind].name), (text) => text)?.filter(isMeant) ?? null
  const alias = async (kind: DnsRecordKind) => valuesOf(await dns.cname(wanted[kind].name), withDot)
  const [mx, spf, dkim, dmarc, autoconfig, autodiscover] = await Promise.all([
    dns.mx(namespace).then((found) => valuesOf(found, (one) => `${one.priority} ${withDot(one.host)}`)),
    texts('spf', isSpf),
    findKey(dns, wanted.dkim.type, wanted.dkim.name),
    texts('dmarc', isDmarc),
    alias('autoconfig'),
    alias('autodiscover'),
  ])
  const found = { mx, spf, dkim, dmarc, autoconfig, autodiscover }
  return Object.fromEntries(Object.entries(found).map(([kind, values]) => [kind, shorten(values)]))
}

/** Falls back to a key published where a CNAME is expected, so that it can be shown. */
async function findKey(dns: DnsClient, type: string, name: string): Promise<string[] | null> {
  if (type === 'CNAME') {
    const alias = valuesOf(await dns.cname(name), withDot)
    if (alias === null || alias.length > 0) return alias
  }
  return valuesOf(await dns.txt(name), (text) => text)
}

function valuesOf<T>(lookup: Lookup<T>, spell: (value: T) => string): string[] | null {
  if (lookup.kind === 'unknown') return null
  return lookup.kind === 'none' ? [] : lookup.values.map(spell)
}

function withDot(host: string): string {
  return `${host}.`
}

function shorten(values: readonly string[] | null): string[] | null {
  return values?.slice(0, mostValues).map((value) => value.slice(0, longestValue)) ?? null
}
