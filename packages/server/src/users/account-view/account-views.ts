import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { isHolding } from '../../platform/db/held-transaction.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import type { AccountView } from './account-view.ts'
import { readAccountView, readAccountViewIn } from './account-view-store.ts'

/** Maximum number of cached views; one takes a few kilobytes. */
const capacity = 10_000
/** Maximum age in seconds: plans and discounts have no revision. */
const longest = 10

interface Remembered {
  readonly version: string
  readonly view: AccountView
  readonly until: number
}

/**
 * Reads account views. The caller's own view is needed on nearly every page, so it is cached as long as the
 * version read with the access token matches; every change of the account changes the version.
 * the version holds that came with the person's token; any change of the account has another version.
 */
export class AccountViews {
  readonly #database: Pick<Database, 'db'> & Partial<Pick<Database, 'pool'>>
  readonly #clock: Clock
  readonly #remembered = new Map<number, Remembered>()

  /** Without a pool, `db` is a transaction: it sees its own changes, so that nothing is cached. */
  constructor(database: Pick<Database, 'db'> & Partial<Pick<Database, 'pool'>>, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** Returns a user's current view; undefined if there is none. */
  read(userId: number): Promise<AccountView | undefined> {
    const { db, pool } = this.#database
    return pool === undefined || isHolding() ? readAccountViewIn(db, userId) : readAccountView(pool, userId)
  }

  /** Returns the caller's view. */
  async own(principal: Principal): Promise<AccountView | undefined> {
    const now = this.#clock.now().getTime()
    const known = this.#remembered.get(principal.userId)
    if (known?.version === principal.accountVersion && known.until > now) return known.view
    const view = await this.read(principal.userId)
    if (view === undefined || this.#database.pool === undefined) return view
    // delete first to move the entry to the end, so that the oldest is evicted first
    this.#remembered.delete(principal.userId)
    this.#remembered.set(principal.userId, {
      version: principal.accountVersion,
      view,
      until: now + longest * 1000,
    })
    if (this.#remembered.size > capacity) this.#forgetOldest()
    return view
  }

  #forgetOldest(): void {
    for (const userId of this.#remembered.keys()) {
      this.#remembered.delete(userId)
      return
    }
  }
}
