import type { DNSResolver } from 'mailauth'
import type { DnsClient, Lookup } from '../../platform/dns/dns-client.ts'

/** How much a check may ask the DNS. */
export interface LookupLimits {
  /** Milliseconds from the first question until all open ones fail. */
  readonly time: number
  readonly questions: number
}

/** A failed look-up with the codes of node:dns, which is what the library understands. */
export class LookupError extends Error {
  readonly code: 'ENOTFOUND' | 'ENODATA' | 'ETIMEOUT' | 'ELIMIT'
  /** The result of an SPF check that ends with this error. */
  readonly spfResult?: { readonly error: 'permerror'; readonly text: string }

  constructor(code: LookupError['code'], name: string) {
    super(`DNS look-up of ${name.slice(0, 255)}: ${code}`)
    this.code = code
    if (code === 'ELIMIT') this.spfResult = { error: 'permerror', text: 'Too many DNS requests' }
  }
}

/**
 * The look-ups of one check, in the form that the library calls. A question is asked once, and none takes longer than the
 * time that is left: a server that doesn't answer can't use up the time of the others, which run side by side.
 */
export class Lookups {
  readonly #dns: DnsClient
  readonly #limits: LookupLimits
  readonly #answers = new Map<string, Promise<unknown[]>>()
  #end: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #usesSender = false

  constructor(dns: DnsClient, limits: LookupLimits) {
    this.#dns = dns
    this.#limits = limits
  }

  /** Whether an SPF record so far uses the sender, the name that the client gave or the time (RFC 7208 §7). */
  get usesSender(): boolean {
    return this.#usesSender
  }

  // the library's type leaves out the records of MX, which are objects
  readonly resolve = ((name: string, type: string) => this.#resolve(name, type)) as DNSResolver

  /** Asks several questions at once. Their answers, or that there are none, are kept for those who ask afterwards. */
  async prefetch(questions: readonly (readonly [name: string, type: string])[]): Promise<void> {
    await Promise.allSettled(questions.map(([name, type]) => this.#resolve(name, type)))
  }

  /** Stops the clock; call it when the check is done. */
  close(): void {
    clearTimeout(this.#timer)
  }

  #resolve(rawName: string, type: string): Promise<unknown[]> {
    const name = rawName.toLowerCase().replace(/\.$/, '')
    const key = `${type} ${name}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = this.#ask(name, type)
    this.#answers.set(key, answer)
    return answer
  }

  async #ask(name: string, type: string): Promise<unknown[]> {
    if (!isDnsName(name)) throw new LookupError('ENOTFOUND', name)
    if (this.#answers.size >= this.#limits.questions) throw new LookupError('ELIMIT', name)
    this.#end ??= new Promise((resolve) => {
      this.#timer = setTimeout(resolve, this.#limits.time)
    })
    const late = this.#end.then(() => ({ kind: 'unknown' }) as const)
    const found: Lookup<unknown> = await Promise.race([this.#question(name, type), late])
    if (found.kind === 'unknown') throw new LookupError('ETIMEOUT', name)
    if (found.kind === 'none') throw new LookupError(found.exists ? 'ENODATA' : 'ENOTFOUND', name)
    return [...found.values]
  }

  async #question(name: string, type: string): Promise<Lookup<unknown>> {
    switch (type) {
      case 'TXT':
        return this.#texts(name)
      case 'MX': {
        const found = await this.#dns.mx(name)
        if (found.kind !== 'found') return found
        return { kind: 'found', values: found.values.map((one) => ({ ...one, exchange: one.host })) }
      }
      case 'A':
        return this.#dns.ipv4(name)
      case 'AAAA':
        return this.#dns.ipv6(name)
      case 'PTR':
        return this.#dns.hostNames(name)
      default:
        return { kind: 'none', exists: true }
    }
  }

  async #texts(name: string): Promise<Lookup<readonly string[]>> {
    const found = await this.#dns.txt(name)
    if (found.kind !== 'found') return found
    this.#usesSender ||= found.values.some((text) => /^v=spf1\b/i.test(text) && /%\{[slht]/i.test(text))
    return { kind: 'found', values: found.values.map((text) => [text]) }
  }
}

/** Names that can be asked for; `null` is what the library asks for when a domain has no organisational domain. */
function isDnsName(name: string): boolean {
  if (name.length > 253 || name === '_dmarc.null') return false
  return name
    .split('.')
    .every((label) => label.length > 0 && label.length < 64 && /^[\x21-\x7e]+$/.test(label))
}
