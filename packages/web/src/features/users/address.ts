/** The own domain of somebody, which may be a public one, before the confirmed domains of the account. */
export function domainsOf(ownAddress: string, domains: readonly string[]): string[] {
  const own = ownAddress.split('@')[1] ?? ''
  return [...(own ? [own] : []), ...domains.filter((domain) => domain !== own)]
}
