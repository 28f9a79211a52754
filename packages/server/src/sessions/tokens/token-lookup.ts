import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { readAccessTokens, type TokenRow } from './token-store.ts'

/** Maximum tokens per statement; more than arrive in one event loop turn anywhere near capacity. */
const largest = 100

interface Waiting {
  readonly hash: Buffer
  readonly resolve: (row: TokenRow | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Looks up access tokens. Every request needs this, so requests in the same event loop turn share a statement:
 * under load that saves most round trips to the database, and a single request isn't delayed. Nothing is
 * cached, so revoked tokens are rejected immediately.
 */
export class TokenLookup {
  readonly #pool: Pool
  readonly #clock: Clock
  #waiting: Waiting[] = []

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool
    this.#clock = clock
  }

  find(hash: Buffer): Promise<TokenRow | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#ask())
      this.#waiting.push({ hash, resolve, reject })
      if (this.#waiting.length >= largest) this.#ask()
    })
  }

  #ask(): void {
    const asked = this.#waiting
    this.#waiting = []
    if (asked.length === 0) return
    const hashes = asked.map(({ hash }) => hash)
    readAccessTokens(this.#pool, hashes, this.#clock.now()).then(
      (rows) => {
        for (const { hash, resolve } of asked) resolve(rows.find((row) => row.hash.equals(hash)))
      },
      (error: unknown) => {
        for (const { reject } of asked) reject(error)
      },
    )
  }
}
