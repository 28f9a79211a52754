import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Clock, minute } from '../../platform/clock.ts'
import type { MailAuthSettings } from './mail-auth-settings.ts'

/** The server to which a proxy forwards a connection. */
export interface Backend {
  /** An IP address, because proxies don't accept names. */
  readonly address: string
  readonly port: number
}

/** The name of a mail server can't be resolved at the moment. */
export class BackendUnknown extends Error {
  override name = 'BackendUnknown'
}

export type ProxiedProtocol = 'imap' | 'pop3' | 'smtp'

/** Seconds for which an address is cached. */
const life = minute / 2

/**
 * Resolves the servers behind the proxy. The operator configures their names, which may resolve to private
 * networks.
 */
export class Backends {
  readonly #settings: MailAuthSettings
  readonly #clock: Clock
  readonly #addresses = new Map<string, { readonly address: Promise<string>; readonly since: number }>()

  constructor(settings: MailAuthSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** Returns whether a server is configured for a protocol. */
  has(protocol: ProxiedProtocol): boolean {
    return protocol !== 'pop3' || this.#settings.POP3_PORT !== undefined
  }

  /** Throws BackendUnknown if a name can't be resolved. */
  async of(protocol: ProxiedProtocol, { isFiltered }: { readonly isFiltered: boolean }): Promise<Backend> {
    const { SMTP_HOST, SMTP_PORT, IMAP_HOST, IMAP_PORT, IMAP_GUAM_PORT, POP3_PORT } = this.#settings
    if (protocol === 'smtp') return { address: await this.#resolve(SMTP_HOST), port: SMTP_PORT }
    const address = await this.#resolve(IMAP_HOST)
    if (protocol === 'imap') return { address, port: isFiltered ? IMAP_GUAM_PORT : IMAP_PORT }
    if (POP3_PORT === undefined) throw new BackendUnknown('POP3_PORT')
    return { address, port: POP3_PORT }
  }

  async #resolve(host: string): Promise<string> {
    if (isIP(host) !== 0) return host
    const now = this.#clock.now().getTime()
    const known = this.#addresses.get(host)
    if (known !== undefined && now - known.since < life * 1000) return known.address
    const address = lookup(host).then(
      (found) => found.address,
      (error: unknown) => {
        this.#addresses.delete(host)
        throw new BackendUnknown(host, { cause: error })
      },
    )
    this.#addresses.set(host, { address, since: now })
    return address
  }
}
