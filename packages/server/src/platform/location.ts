import { CountriesRefused, CountryDatabase } from './country-database/country-database.ts'
import { readCountryContent, readCountryFacts } from './country-database/country-store.ts'
import type { Db } from './db/database.ts'
import type { Log } from './log.ts'

/** Milliseconds between checks for a newer database stored by another process. */
const every = 60_000

/** A stored database with its source. */
interface Stored {
  readonly version: string
  readonly source: string
  readonly database: CountryDatabase
}

/** Determines the country of a network address, using the stored or the shipped database. */
export class Locator {
  readonly #db: Db
  readonly #shipped: CountryDatabase
  readonly #prefersStored: boolean
  #stored: Stored | undefined

  private constructor(db: Db, shipped: CountryDatabase, prefersStored: boolean) {
    this.#db = db
    this.#shipped = shipped
    this.#prefersStored = prefersStored
  }

  /**
   * `source`: from the settings; without one, a stored database is only used while it is newer than the shipped
   * one.
   */
  static async open(db: Db, source: string | undefined): Promise<Locator> {
    const locator = new Locator(db, await CountryDatabase.shipped(), source !== undefined)
    try {
      await locator.refresh()
    } catch (error) {
      // must not prevent sign-ins; health shows which database is in use
      if (!(error instanceof CountriesRefused)) throw error
    }
    return locator
  }

  /** Returns an ISO 3166-1 code, or undefined for loopback, private and unknown addresses. */
  country(ip: string): string | undefined {
    return this.#inUse.country(ip)
  }

  /** Build date of the database in use. */
  get builtAt(): Date {
    return this.#inUse.builtAt
  }

  /** Source of the database in use; undefined: shipped with the product. */
  get source(): string | undefined {
    return this.#usesStored ? this.#stored?.source : undefined
  }

  /** Loads a newer stored database. Throws CountriesRefused and keeps the current one if it can't be read. */
  async refresh(): Promise<void> {
    const facts = await readCountryFacts(this.#db)
    if (facts === undefined || facts.version === this.#stored?.version) return
    const content = await readCountryContent(this.#db, facts.version)
    if (content === undefined) return
    this.#stored = { ...facts, database: CountryDatabase.read(content) }
  }

  /** Refreshes every minute until the returned function is called. */
  watch(log: Log): () => void {
    const timer = setInterval(() => {
      this.refresh().catch((error: unknown) =>
        log.warn({ err: error }, 'reading the country database failed'),
      )
    }, every)
    timer.unref()
    return () => clearInterval(timer)
  }

  get #usesStored(): boolean {
    if (this.#stored === undefined) return false
    return this.#prefersStored || this.#stored.database.builtAt >= this.#shipped.builtAt
  }

  get #inUse(): CountryDatabase {
    return this.#usesStored && this.#stored !== undefined ? this.#stored.database : this.#shipped
  }
}
