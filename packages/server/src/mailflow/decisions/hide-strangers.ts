import { createHmac } from 'node:crypto'
import type { Facts, FactValue } from '../decision.ts'
import { senderAddress } from '../list-access/sender-address.ts'

/** Replaces addresses of strangers. The same address always gives the same text, so it can still be found. */
export class StrangerHashes {
  readonly #key: Buffer

  /** `key`: secret of the installation; without it, hashes could be computed from guessed addresses. */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** `~5f2c8e0d41b7a936@example.com`: rules over domains and suffixes still give the same decision. */
  hide(address: string): string {
    const { full, domain } = senderAddress(address) ?? {}
    if (full === undefined || domain === undefined) return address
    const digest = createHmac('sha256', this.#key).update(full).digest('hex').slice(0, 16)
    return `~${digest}@${domain}`
  }

  /** Replaces every address in facts whose domain isn't one of ours. */
  hideIn(facts: Facts, isOurs: (domain: string) => boolean): Facts {
    const walk = (value: FactValue): FactValue => {
      if (typeof value === 'string') {
        const address = value.includes('@') ? senderAddress(value) : undefined
        return address === undefined || isOurs(address.domain) ? value : this.hide(value)
      }
      if (value === null || typeof value !== 'object') return value
      if (Array.isArray(value)) return value.map(walk)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]))
    }
    return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, walk(value)]))
  }
}
