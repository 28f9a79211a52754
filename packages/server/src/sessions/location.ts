import { createRequire } from 'node:module'
import { type CountryResponse, open, type Reader } from 'maxmind'

/** Finds the country of a network address. */
export class Locator {
  readonly #reader: Reader<CountryResponse>

  private constructor(reader: Reader<CountryResponse>) {
    this.#reader = reader
  }

  /** Opens the country database that comes as a package (about 8 MB, kept in memory). */
  static async open(): Promise<Locator> {
    const file = createRequire(import.meta.url).resolve(
      '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    )
    return new Locator(await open(file))
  }

  /** ISO 3166-1 code, or undefined for loopback, private and unknown addresses. */
  country(ip: string): string | undefined {
    const address = ip.replace(/^::ffff:/i, '')
    try {
      // this database is flatter than the library's type for countries
      const found = this.#reader.get(address) as { country_code?: string } | null
      return found?.country_code
    } catch {
      return undefined // not an address
    }
  }
}
