import { isIP } from 'node:net'
import { asciiDomain } from '@gatehouse/contract/canonical-address'
import { spf } from 'mailauth/lib/spf/index.js'
import type { Clock } from '../../platform/clock.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { isHostName } from '../../users/addresses/email-address.ts'
import { type LookupLimits, Lookups } from './lookups.ts'
import { type SpfResult, spfOutcomes } from './sender-results.ts'

/** What a client said at the start of a message. */
export interface SpfQuery {
  /** IPv4 or IPv6. */
  readonly clientAddress: string
  /** Name in HELO or EHLO. */
  readonly helo: string
  /** Envelope sender; empty: the null sender. */
  readonly sender: string
}

export interface SpfCheckOptions {
  readonly dns: DnsClient
  readonly clock: Clock
  readonly limits: LookupLimits
  /** Seconds that a result is kept, and the most results. */
  readonly cache: { readonly seconds: number; readonly entries: number }
  /** Host name of the receiving server, for macros. */
  readonly hostName: string
}

interface Cached {
  readonly result: SpfResult
  /** Milliseconds since 1970. */
  readonly from: number
}

/**
 * Checks SPF (RFC 7208). Results are kept for one client address and one domain. They aren't kept if a look-up failed, or
 * if a record uses the sender's address.
 */
export class SpfCheck {
  readonly #options: SpfCheckOptions
  readonly #cache = new Map<string, Cached>()

  constructor(options: SpfCheckOptions) {
    this.#options = options
  }

  async check(query: SpfQuery): Promise<SpfResult> {
    const identity = query.sender === '' ? 'helo' : 'mailfrom'
    const domain = checkedDomain(identity === 'helo' ? query.helo : query.sender)
    if (domain === null || isIP(query.clientAddress) === 0) return { result: 'none', domain, identity }
    const key = `${query.clientAddress.toLowerCase()} ${identity} ${domain}`
    const cached = this.#cached(key)
    if (cached !== undefined) return cached
    const lookups = new Lookups(this.#options.dns, this.#options.limits)
    try {
      const result = { result: await this.#outcome(query, domain, lookups), domain, identity } as const
      if (result.result !== 'temperror' && !lookups.usesSender) this.#keep(key, result)
      return result
    } finally {
      lookups.close()
    }
  }

  async #outcome(query: SpfQuery, domain: string, lookups: Lookups): Promise<SpfResult['result']> {
    const local = query.sender.slice(0, Math.max(0, query.sender.lastIndexOf('@'))) || 'postmaster'
    const { status } = await spf({
      ip: query.clientAddress,
      helo: query.helo,
      sender: `${local}@${domain}`,
      mta: this.#options.hostName,
      resolver: lookups.resolve,
    })
    return spfOutcomes.find((outcome) => outcome === status.result) ?? 'neutral'
  }

  /** A kept result, unless it's too old; or from the future, after the clock was set back. */
  #cached(key: string): SpfResult | undefined {
    const cached = this.#cache.get(key)
    if (cached === undefined) return undefined
    const age = (this.#options.clock.now().getTime() - cached.from) / 1000
    if (age >= 0 && age < this.#options.cache.seconds) return cached.result
    this.#cache.delete(key)
    return undefined
  }

  #keep(key: string, result: SpfResult): void {
    this.#cache.set(key, { result, from: this.#options.clock.now().getTime() })
    const oldest = this.#cache.keys().next().value
    if (this.#cache.size > this.#options.cache.entries && oldest !== undefined) this.#cache.delete(oldest)
  }
}

function checkedDomain(text: string): string | null {
  const domain = asciiDomain(text.slice(text.lastIndexOf('@') + 1).replace(/\.$/, ''))
  return domain !== undefined && isHostName(domain) ? domain : null
}
