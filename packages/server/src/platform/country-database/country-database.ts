import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'maxmind'

/** The file isn't a usable country database; the message says why. */
export class CountriesRefused extends Error {
  override name = 'CountriesRefused'
}

/** Location records of databases: flat, or as in GeoIP2. */
interface Place {
  readonly country_code?: unknown
  readonly country?: { readonly iso_code?: unknown } | null
}

/** IPv4 and IPv6 addresses of the RIPE NCC in Amsterdam, which every usable database locates there. */
const known = ['193.0.6.139', '2001:67c:2e8:22::c100:68b'] as const
const knownCountry = 'NL'

/** An in-memory country database (MMDB, maxmind.github.io/MaxMind-DB). */
export class CountryDatabase {
  readonly #reader: Reader<Response>
  /** Build date given by the publisher. */
  readonly builtAt: Date

  private constructor(reader: Reader<Response>) {
    this.#reader = reader
    this.builtAt = reader.metadata.buildEpoch
  }

  /** Reads a database and validates it with known addresses. Throws CountriesRefused. */
  static read(bytes: Buffer): CountryDatabase {
    const database = new CountryDatabase(open(bytes))
    for (const address of known) {
      const found = database.country(address)
      if (found === knownCountry) continue
      throw new CountriesRefused(
        `It places ${address} in ${found ?? 'no country'} instead of ${knownCountry}.`,
      )
    }
    return database
  }

  /** Loads the database shipped as a package (about 8 MB). */
  static async shipped(): Promise<CountryDatabase> {
    const file = createRequire(import.meta.url).resolve(
      '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    )
    return CountryDatabase.read(await readFile(file))
  }

  /** Returns an ISO 3166-1 code, or undefined for loopback, private and unknown addresses. */
  country(ip: string): string | undefined {
    const address = ip.replace(/^::ffff:/i, '')
    try {
      // the record type varies by database, so the fields are checked below
      const found = this.#reader.get(address) as Place | null
      const code = found?.country_code ?? found?.country?.iso_code
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined
    } catch {
      return undefined // not an address
    }
  }
}

function open(bytes: Buffer): Reader<Response> {
  try {
    const reader = new Reader<Response>(bytes)
    if (Number.isNaN(reader.metadata.buildEpoch.getTime())) throw new CountriesRefused('It has no date.')
    return reader
  } catch (error) {
    throw new CountriesRefused('The file is not a complete MMDB file.', { cause: error })
  }
}
