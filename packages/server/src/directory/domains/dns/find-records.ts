import type { DnsFound } from '../../../platform/db/schema.ts'
import type { DnsClient, Lookup } from '../../../platform/dns/dns-client.ts'
import { isDmarc, isSpf, type WantedRecord } from './mail-records.ts'

/** Maximum number of values stored and shown per kind, and of characters per value. */
const mostValues = 10
const longestValue = 600

/** Looks up DNS records in parallel. Returns the values by slot. */
export async function findRecords(dns: DnsClient, wanted: readonly WantedRecord[]): Promise<DnsFound> {
  const entries = wanted.map(async (record) => [record.slot, shorten(await find(dns, record))] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function find(dns: DnsClient, { kind, type, name }: WantedRecord): Promise<string[] | null> {
  if (type === 'MX') return valuesOf(await dns.mx(name), (one) => `${one.priority} ${withDot(one.host)}`)
  if (type === 'CNAME') {
    const alias = valuesOf(await dns.cname(name), withDot)
    // a key published where a CNAME is expected is shown
    if (kind !== 'dkim' || alias === null || alias.length > 0) return alias
  }
  const texts = valuesOf(await dns.txt(name), (text) => text)
  if (kind === 'spf') return texts?.filter(isSpf) ?? null
  return (kind === 'dmarc' ? texts?.filter(isDmarc) : texts) ?? null
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
