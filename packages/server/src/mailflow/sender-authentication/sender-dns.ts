import { Resolver } from 'node:dns/promises'
import type { DnsClient, DnsClientOptions, Lookup } from '../../platform/dns/dns-client.ts'

/** What the check of senders asks the DNS. */
export interface SenderDns extends Pick<DnsClient, 'txt' | 'mx'> {
  ipv4(name: string): Promise<Lookup<string>>
  ipv6(name: string): Promise<Lookup<string>>
  /** Host names of an address, by its name below `in-addr.arpa` or `ip6.arpa`. */
  hostNames(reverseName: string): Promise<Lookup<string>>
}

/** Tries for each name server, and values of one answer that are used. */
const tries = 2
const mostValues = 50

/** Asks the configured name servers for addresses and host names; texts and mail servers come from the DNS client. */
export class AddressDns implements SenderDns {
  readonly #client: DnsClient
  readonly #options: DnsClientOptions

  constructor(client: DnsClient, options: DnsClientOptions) {
    this.#client = client
    this.#options = options
  }

  txt(name: string) {
    return this.#client.txt(name)
  }

  mx(name: string) {
    return this.#client.mx(name)
  }

  ipv4(name: string): Promise<Lookup<string>> {
    return this.#ask((resolver) => resolver.resolve4(name))
  }

  ipv6(name: string): Promise<Lookup<string>> {
    return this.#ask((resolver) => resolver.resolve6(name))
  }

  hostNames(reverseName: string): Promise<Lookup<string>> {
    return this.#ask((resolver) => resolver.resolvePtr(reverseName))
  }

  async #ask(question: (resolver: Resolver) => Promise<string[]>): Promise<Lookup<string>> {
    const resolver = new Resolver({ timeout: this.#options.timeout, tries })
    if (this.#options.servers.length > 0) resolver.setServers(this.#options.servers)
    const deadline = setTimeout(() => resolver.cancel(), this.#options.timeout * (tries + 1))
    try {
      const values = await question(resolver)
      return values.length === 0
        ? { kind: 'none', exists: true }
        : { kind: 'found', values: values.slice(0, mostValues) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENODATA' || code === 'ENOTFOUND') return { kind: 'none', exists: code === 'ENODATA' }
      return { kind: 'unknown' }
    } finally {
      clearTimeout(deadline)
    }
  }
}
