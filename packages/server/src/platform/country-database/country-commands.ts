import { type Command, UsageError } from '../cli/command.ts'
import { inWords } from '../cli/options.ts'
import { Locator } from '../location.ts'
import { CountriesRefused, CountryDatabase } from './country-database.ts'
import type { CountrySettings } from './country-settings.ts'
import { readCountryFacts } from './country-store.ts'
import { renewCountries } from './renew-countries.ts'

/** Commands for the country database. */
export const countryCommands: readonly Command<CountrySettings>[] = [
  {
    name: 'geo:show',
    usage: 'geo:show',
    summary: 'show which country database is in use, its date and its source',
    needs: 0,
    async run({ config, db, answer }) {
      const locator = await Locator.open(db, config.GEO_DATABASE)
      const stored = await readCountryFacts(db)
      const lines = [`in use: built ${inWords(locator.builtAt)}, ${locator.source ?? 'bundled'}`]
      if (stored !== undefined) {
        const { builtAt, fetchedAt, bytes, source } = stored
        lines.push(
          `stored: built ${inWords(builtAt)}, fetched ${inWords(fetchedAt)}, ${(bytes / 1e6).toFixed(1)} MB, ${source}`,
        )
      }
      const shipped = await CountryDatabase.shipped()
      lines.push(`bundled: built ${inWords(shipped.builtAt)}`)
      const used = { builtAt: locator.builtAt, source: locator.source ?? null }
      answer.record({ used, stored: stored ?? null, bundled: { builtAt: shipped.builtAt } }, lines)
    },
  },
  {
    name: 'geo:update',
    usage: 'geo:update [file.mmdb | https://…]',
    summary: 'fetch the country database now, from GEO_DATABASE or the given file or address',
    needs: 0,
    async run({ args, config, db, clock, print }) {
      const source = args[0] ?? config.GEO_DATABASE
      if (source === undefined) throw new UsageError('GEO_DATABASE is not set. Give a file or an address.')
      try {
        const { builtAt, bytes } = await renewCountries({ db, clock, config }, source)
        print(
          `Stored: built ${inWords(builtAt)}, ${(bytes / 1e6).toFixed(1)} MB. Servers use it within a minute.`,
        )
      } catch (error) {
        throw error instanceof CountriesRefused ? new UsageError(error.message) : error
      }
    },
  },
]
