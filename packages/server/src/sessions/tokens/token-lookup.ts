import type { Scope } from '@gatehouse/contract/route'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { ownerAwaitsPayment } from '../../users/account-lock.ts'

/** What the database knows of an access token that is worth something. */
export interface TokenRow {
  readonly hash: Buffer
  readonly session_id: string
  readonly scopes: Scope[]
  readonly id: number
  readonly tenant_id: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly is_locked: boolean
  readonly account_version: string
  readonly authenticated_at: Date | null
  readonly impersonation_id: string | null
  readonly staff_id: number | null
  readonly staff_email: string | null
  readonly reason: string | null
  readonly ends_at: Date | null
}

const statement = {
  name: 'tokens-by-hash',
  text: `select a.hash, a.session_id, a.scopes, a.authenticated_at, u.id, u.tenant_id, u.email, u.role, u.status,
      ${ownerAwaitsPayment} as is_locked,
      concat_ws('.', u.revision, aw.id, aw.revision, o.revision, d.id, d.revision) as account_version,
      i.id as impersonation_id, i.staff_id, s.email as staff_email, i.reason, i.ends_at
    from access_tokens a
      join users u on u.id = a.user_id
      left join wallets aw on aw.id = u.wallet_id
      left join users o on o.id = aw.user_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
      left join impersonations i on i.id = a.impersonation_id
      left join users s on s.id = i.staff_id
    where a.hash = any($1) and a.expires_at > $2 and u.deleted_at is null and o.deleted_at is null
      and (i.id is null or (s.deleted_at is null and s.role is not null))`,
}

/** Tokens in one statement at most; more than arrive in one turn of the event loop anywhere near capacity. */
const largest = 100

interface Waiting {
  readonly hash: Buffer
  readonly resolve: (row: TokenRow | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Looks up access tokens. Every request needs it, so requests that arrive in the same turn of the event loop
 * share a statement: under load that saves most of the journeys to the database, and a lone request waits
 * for nobody. The database is asked each time, so a revoked token is worthless at once.
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
    this.#pool.query<TokenRow>({ ...statement, values: [hashes, this.#clock.now()] }).then(
      ({ rows }) => {
        for (const { hash, resolve } of asked) resolve(rows.find((row) => row.hash.equals(hash)))
      },
      (error: unknown) => {
        for (const { reject } of asked) reject(error)
      },
    )
  }
}
