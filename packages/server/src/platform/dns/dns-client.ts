import { Resolver } from 'node:dns/promises'

/**
 * Result of a lookup: values; none; or unknown, because there was no usable answer. Callers must not treat
 * `unknown` as `none`.
 */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly values: readonly T[] }
  /** `exists`: the name exists but has no record of this type. */
  | { readonly kind: 'none'; readonly exists: boolean }
  | { readonly kind: 'unknown' }

export interface MailServer {
  readonly priority: number
  /** Lower case, without the trailing dot; empty: the domain accepts no mail (RFC 7505). */
  readonly host: string
}

export interface DnsClientOptions {
  /** Name servers as `address` or `address:port`; empty: the system's. */
  readonly servers: readonly string[]
  /** Milliseconds to wait for a response from a name server. */
  readonly timeout: number
}

/** Attempts per name server. */
const tries = 2

/** Maximum values read from a response; malicious servers could send thousands. */
const mostValues = 50
/** Maximum characters per value; a TXT record has a few hundred, a long key two thousand. */
const longestValue = 4096

/**
 * Queries the configured name servers only; addresses in responses are never contacted. Responses are
 * untrusted, so they are limited in size and stripped of control characters, and a lookup ends in time
 * whatever the servers do.
 */
export class DnsClient {
  readonly #servers: readonly string[]
  readonly #timeout: number

  constructor(options: DnsClientOptions) {
    this.#servers = options.servers
    this.#timeout = options.timeout
  }

  /** Returns TXT records, each with its parts joined (RFC 7208 §3.3). */
  async txt(name: string): Promise<Lookup<string>> {
    const found = await this.#ask((resolver) => resolver.resolveTxt(name))
    return map(found, (parts) => clean(parts.join('')))
  }

  /** Returns the targets of a CNAME: lower-case host names without the trailing dot. */
  async cname(name: string): Promise<Lookup<string>> {
    return map(await this.#ask((resolver) => resolver.resolveCname(name)), hostName)
  }

  /** Returns mail servers, by preference. */
  async mx(name: string): Promise<Lookup<MailServer>> {
    const found = map(await this.#ask((resolver) => resolver.resolveMx(name)), (record) => ({
      priority: record.priority,
      host: hostName(record.exchange),
    }))
    if (found.kind !== 'found') return found
    return { kind: 'found', values: found.values.toSorted((one, other) => one.priority - other.priority) }
  }

  /** Returns IPv4 addresses. */
  ipv4(name: string): Promise<Lookup<string>> {
    return this.#ask((resolver) => resolver.resolve4(name))
  }

  /** Returns IPv6 addresses. */
  ipv6(name: string): Promise<Lookup<string>> {
    return this.#ask((resolver) => resolver.resolve6(name))
  }

  /** Returns the host names of an address, given as its name below `in-addr.arpa` or `ip6.arpa`. */
  async hostNames(reverseName: string): Promise<Lookup<string>> {
    return map(await this.#ask((resolver) => resolver.resolvePtr(reverseName)), hostName)
  }

  /**
   * Returns whether a name exists; undefined if unknown. A zone apex has an SOA or NS record; a name within a
   * zone exists without either. ANY is not used, because many servers refuse it (RFC 8482).
   */
  async exists(name: string): Promise<boolean | undefined> {
    const soa = await this.#ask(async (resolver) => [await resolver.resolveSoa(name)])
    if (soa.kind === 'found') return true
    if (soa.kind === 'none') return soa.exists
    const ns = await this.#ask((resolver) => resolver.resolveNs(name))
    return ns.kind === 'unknown' ? undefined : ns.kind === 'found' || ns.exists
  }

  async #ask<T>(question: (resolver: Resolver) => Promise<T[]>): Promise<Lookup<T>> {
    // one per query, so that cancelling one doesn't affect others
    const resolver = new Resolver({ timeout: this.#timeout, tries })
    if (this.#servers.length > 0) resolver.setServers(this.#servers)
    // the library's timeout grows with each attempt and server, too long for a page load
    const deadline = setTimeout(() => resolver.cancel(), this.#timeout * (tries + 1))
    try {
      const values = await question(resolver)
      if (values.length === 0) return { kind: 'none', exists: true }
      return { kind: 'found', values: values.slice(0, mostValues) }
    } catch (error) {
      return failure(error)
    } finally {
      clearTimeout(deadline)
    }
  }
}

/**
 * NXDOMAIN and a response without records are answers; everything else, including SERVFAIL and garbage, is
 * none.
 */
function failure(error: unknown): { kind: 'none'; exists: boolean } | { kind: 'unknown' } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENODATA') return { kind: 'none', exists: true }
  if (code === 'ENOTFOUND') return { kind: 'none', exists: false }
  return { kind: 'unknown' }
}

function map<T, U>(lookup: Lookup<T>, change: (value: T) => U): Lookup<U> {
  return lookup.kind === 'found' ? { kind: 'found', values: lookup.values.map(change) } : lookup
}

function hostName(text: string): string {
  return clean(text).toLowerCase().replace(/\.$/, '')
}

/**
 * Replaces unprintable characters with the replacement character, because the database rejects some of them.
 */
function clean(text: string): string {
  return text.slice(0, longestValue).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
}
