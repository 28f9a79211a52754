import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { FetchFailed, fetchBytes, nameOf } from '../http/bodies/fetch-bytes.ts'
import { defineJob } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { CountriesRefused, CountryDatabase } from './country-database.ts'
import type { CountrySettings } from './country-settings.ts'
import { type CountryFacts, storeCountries } from './country-store.ts'

export interface RenewParts {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<CountrySettings, 'GEO_DATABASE' | 'GEO_DATABASE_PRIVATE'>
}

/** Country databases have less than 10 MB; city databases are not needed. */
export const mostCountryBytes = 32 * 1024 * 1024

/** Milliseconds for the whole download. */
const patience = 120_000

/** Renews the country database from the configured source, nightly. */
export const renewCountriesJob = defineJob('countries:renew', z.unknown(), 8)

/**
 * Registers the renewal job, which does nothing without a source. `onRenewed` makes this process reload
 * immediately.
 */
export function handleCountries(jobs: Jobs, parts: RenewParts, onRenewed: () => Promise<void>): void {
  jobs.schedule(renewCountriesJob, '40 4 * * *', async () => {
    const { GEO_DATABASE: source } = parts.config
    if (source === undefined) return
    await renewCountries(parts, source)
    await onRenewed()
  })
}

/**
 * Loads a country database from a file or URL and stores it for all processes after validation. If that fails,
 * the stored one is kept. Throws CountriesRefused.
 */
export async function renewCountries(
  { db, clock, config }: RenewParts,
  source: string,
  timeout = patience,
): Promise<CountryFacts> {
  const name = nameOf(source)
  try {
    const content = await read(source, { timeout, mayBePrivate: config.GEO_DATABASE_PRIVATE })
    const { builtAt } = CountryDatabase.read(content)
    const version = createHash('sha256').update(content).digest('hex')
    const facts = { version, source: name, builtAt, fetchedAt: clock.now(), bytes: content.length }
    await storeCountries(db, facts, content)
    return facts
  } catch (error) {
    if (error instanceof FetchFailed) throw new CountriesRefused(error.message, { cause: error })
    if (error instanceof CountriesRefused) throw new CountriesRefused(`${name}: ${error.message}`)
    throw error
  }
}

async function read(
  source: string,
  rules: { readonly timeout: number; readonly mayBePrivate: boolean },
): Promise<Buffer> {
  if (/^https?:\/\//.test(source)) return fetchBytes(source, { ...rules, mostBytes: mostCountryBytes })
  const size = await stat(source).then(
    (file) => file.size,
    () => undefined,
  )
  if (size === undefined) throw new CountriesRefused('The file cannot be read.')
  if (size > mostCountryBytes) throw new CountriesRefused(`The file has more than ${mostCountryBytes} bytes.`)
  return readFile(source)
}
