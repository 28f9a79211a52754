import { asciiDomain } from '@gatehouse/contract/canonical-address'

/**
 * The first exception that names a host: exactly, or as a suffix such as `.example.com`, which means all hosts below that
 * name. `clientName` must be verified: the address has the name, and the name has the address. Null matches nothing.
 */
export function matchingException(
  exceptions: readonly string[],
  clientName: string | null,
): string | undefined {
  const host = clientName === null ? undefined : asciiDomain(clientName.replace(/\.$/, ''))
  if (host === undefined) return undefined
  return exceptions.find((entry) => {
    const isSuffix = entry.startsWith('.')
    const name = asciiDomain(isSuffix ? entry.slice(1) : entry)
    if (name === undefined || !name.includes('.')) return false
    return isSuffix ? host.endsWith(`.${name}`) : host === name
  })
}
