import type { DnsRecord } from '@gatehouse/contract/directory/domains'

/** Maximum length of one string of a TXT record; RFC 1035 §3.3. */
const longestString = 255

/** Name of a record as entered at registrars: the part before the domain, `@` for the domain itself. */
export function hostOf(name: string, namespace: string): string {
  if (name === namespace) return '@'
  return name.endsWith(`.${namespace}`) ? name.slice(0, -namespace.length - 1) : name
}

/** Formats records as lines of a zone file; RFC 1035 §5. */
export function zoneText(records: readonly DnsRecord[]): string {
  return records
    .flatMap(({ name, type, wanted }) =>
      wanted.map(
        (value) => `${name}. 3600 IN ${type} ${type === 'TXT' ? zoneFileText(value) : absolute(value)}`,
      ),
    )
    .join('\n')
}

/** Without the trailing dot, a host name would be relative to the domain. */
function absolute(value: string): string {
  return value.endsWith('.') ? value : `${value}.`
}

/** Returns true if a text needs several strings in a TXT record. */
export function isLongText(value: string): boolean {
  return value.length > longestString
}

/** Formats the value of a TXT record as quoted strings. */
export function zoneFileText(value: string): string {
  const strings = value.match(new RegExp(`.{1,${longestString}}`, 'gs')) ?? ['']
  return strings.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(' ')
}
