import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import { dkimKeyPurpose } from './dkim-keys.ts'
import { activeKeys } from './dkim-store.ts'
import { signingKeys } from './rotation.ts'
import type { SigningKey } from './sign-message.ts'

/** Seconds for which keys are kept in memory. */
const keptFor = minute

/** Maximum number of domains kept; the oldest is removed first. */
const mostKept = 10_000

interface Kept {
  readonly until: Date
  readonly keys: Promise<readonly SigningKey[]>
}

export interface SignerParts {
  readonly config: Pick<HostingConfig, 'mailSetup'>
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Provides the private keys with which the mail of domains is signed. */
export class DkimSigner {
  readonly #parts: SignerParts
  readonly #kept = new Map<string, Kept>()

  constructor(parts: SignerParts) {
    this.#parts = parts
  }

  /**
   * Returns the keys that sign for a domain now. None: the domain isn't hosted here or not confirmed, its records
   * aren't visible yet, or all domains share a key with which other servers sign.
   */
  signerFor(domain: string): Promise<readonly SigningKey[]> {
    if (this.#parts.config.mailSetup.dkim !== null) return Promise.resolve([])
    const now = this.#parts.clock.now()
    const name = domain.toLowerCase()
    const kept = this.#kept.get(name)
    if (kept !== undefined && kept.until > now) return kept.keys
    const keys = this.#read(name)
    this.#keep(name, { until: after(now, keptFor), keys })
    // a failure isn't kept
    keys.catch(() => this.#kept.delete(name))
    return keys
  }

  async #read(domain: string): Promise<readonly SigningKey[]> {
    const { db, secrets } = this.#parts
    return signingKeys(await activeKeys(db, domain)).map(({ algorithm, selector, privateKey }) => ({
      algorithm,
      selector,
      privateKey: secrets.decrypt(dkimKeyPurpose, privateKey),
    }))
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
  }
}
