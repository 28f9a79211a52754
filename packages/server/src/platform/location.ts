import { CountriesRefused, CountryDatabase } from './country-database/country-database.ts'
import { readCountryContent, readCountryFacts } from './country-database/country-store.ts'
import type { Db } from './db/database.ts'
import type { Log } from './log.ts'

/** Milliseconds between two looks for a newer database, which another process may have stored. */
const every = 60_000

/** A database that was stored, with where it came from. */
interface Stored {
  readonly version: string
  readonly source: string
  readonly database: CountryDatabase
}

/** Finds the country of a network address, by the stored database or the one that comes with the product. */
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

  /** `source`: of the settings; without one, a stored database is used only while it is the newer one. */
  static async open(db: Db, source: string | undefined): Promise<Locator> {
    const locator = new Locator(db, await CountryDatabase.shipped(), source !== undefined)
    try {
      await locator.refresh()
    } catch (error) {
      // nobody is kept from signing in by it; health tells which one is in use
      if (!(error instanceof CountriesRefused)) throw error
    }
    return locator
  }

  /** ISO 3166-1 code, or undefined for loopback, private and unknown addresses. */
  country(ip: string): string | undefined {
    return this.#inUse.country(ip)
  }

  /** When the database in use was built. */
  get builtAt(): Date {
    return this.#inUse.builtAt
  }

  /** Where the database in use came from; undefined: with the product. */
  get source(): string | undefined {
    return this.#usesStored ? this.#stored?.source : undefined
  }

  /** Takes up what was stored since. Throws CountriesRefused when it cannot be read, and goes on with the one before. */
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
