import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'maxmind'

/** A file is no country database that can be used; the message says why. */
export class CountriesRefused extends Error {
  override name = 'CountriesRefused'
}

/** Countries in the forms that databases have: flat, or as GeoIP2 has it. */
interface Place {
  readonly country_code?: unknown
  readonly country?: { readonly iso_code?: unknown } | null
}

/** Addresses of the RIPE NCC in Amsterdam, which no usable database places elsewhere, in both families. */
const known = ['193.0.6.139', '2001:67c:2e8:22::c100:68b'] as const
const knownCountry = 'NL'

/** A country database in memory (MMDB, maxmind.github.io/MaxMind-DB). */
export class CountryDatabase {
  readonly #reader: Reader<Response>
  /** When its maker built it. */
  readonly builtAt: Date

  private constructor(reader: Reader<Response>) {
    this.#reader = reader
    this.builtAt = reader.metadata.buildEpoch
  }

  /** Reads a database and looks up known addresses in it. Throws CountriesRefused. */
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

  /** The one that comes as a package (about 8 MB). */
  static async shipped(): Promise<CountryDatabase> {
    const file = createRequire(import.meta.url).resolve(
      '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    )
    return CountryDatabase.read(await readFile(file))
  }

  /** ISO 3166-1 code, or undefined for loopback, private and unknown addresses. */
  country(ip: string): string | undefined {
    const address = ip.replace(/^::ffff:/i, '')
    try {
      // every database has a type of its own; what is read of it is looked at below
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
