import { Resolver } from 'node:dns/promises'

/**
 * What the DNS says: values; that there are none; or nothing, because nobody answered or the answer was of no
 * use. Who decides something must not take `unknown` for `none`.
 */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly values: readonly T[] }
  /** `exists`: the name is there, but has no record of the type. */
  | { readonly kind: 'none'; readonly exists: boolean }
  | { readonly kind: 'unknown' }

export interface MailServer {
  readonly priority: number
  /** Lower case, without the last dot; blank: the domain takes no mail (RFC 7505). */
  readonly host: string
}

export interface DnsClientOptions {
  /** Name servers as `address` or `address:port`; none: those of the system. */
  readonly servers: readonly string[]
  /** Milliseconds that a name server gets for an answer. */
  readonly timeout: number
}

/** Tries for each name server. */
const tries = 2

/** Values of one answer that are looked at; nobody needs more, a liar may send thousands. */
const mostValues = 50
/** Characters of one value; a TXT record is a few hundred, a long key two thousand. */
const longestValue = 4096

/**
 * Asks the DNS through the configured name servers, and nobody else: no address that an answer names is ever
 * connected to. Answers come from strangers, so they are cut to a size and cleaned of control characters before
 * anything sees them, and a look-up ends in time whatever the servers do.
 */
export class DnsClient {
  readonly #servers: readonly string[]
  readonly #timeout: number

  constructor(options: DnsClientOptions) {
    this.#servers = options.servers
    this.#timeout = options.timeout
  }

  /** TXT records, each with its parts joined (RFC 7208 §3.3). */
  async txt(name: string): Promise<Lookup<string>> {
    const found = await this.#ask((resolver) => resolver.resolveTxt(name))
    return map(found, (parts) => clean(parts.join('')))
  }

  /** Where a name is an alias to: host names in lower case without the last dot. */
  async cname(name: string): Promise<Lookup<string>> {
    return map(await this.#ask((resolver) => resolver.resolveCname(name)), hostName)
  }

  /** Mail servers, the preferred first. */
  async mx(name: string): Promise<Lookup<MailServer>> {
    const found = map(await this.#ask((resolver) => resolver.resolveMx(name)), (record) => ({
      priority: record.priority,
      host: hostName(record.exchange),
    }))
    if (found.kind !== 'found') return found
    return { kind: 'found', values: found.values.toSorted((one, other) => one.priority - other.priority) }
  }

  /**
   * Whether a name is there, undefined: cannot be told. It has an SOA or NS record when it is a zone of its own;
   * a name within a zone exists without either. ANY is not asked: many servers refuse it (RFC 8482).
   */
  async exists(name: string): Promise<boolean | undefined> {
    const soa = await this.#ask(async (resolver) => [await resolver.resolveSoa(name)])
    if (soa.kind === 'found') return true
    if (soa.kind === 'none') return soa.exists
    const ns = await this.#ask((resolver) => resolver.resolveNs(name))
    return ns.kind === 'unknown' ? undefined : ns.kind === 'found' || ns.exists
  }

  async #ask<T>(question: (resolver: Resolver) => Promise<T[]>): Promise<Lookup<T>> {
    // one for each question, so that giving up on one leaves the others alone
    const resolver = new Resolver({ timeout: this.#timeout, tries })
    if (this.#servers.length > 0) resolver.setServers(this.#servers)
    // the library waits longer with each try and server; nobody waits that long for a page
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

/** NXDOMAIN and an answer without records are answers; everything else, SERVFAIL and rubbish too, is none. */
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

/** What is no character that people read becomes the replacement character; the database refuses some of them. */
function clean(text: string): string {
  return text.slice(0, longestValue).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
}
