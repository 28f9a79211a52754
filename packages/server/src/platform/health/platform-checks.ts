import { day } from '../clock.ts'
import type { CountrySettings } from '../country-database/country-settings.ts'
import { countJobs } from '../jobs/job-store.ts'
import type { HealthCheck } from './health-check.ts'
import { oldestDueJob, readMailFacts } from './health-store.ts'

/** Milliseconds after which a database response counts as slow. */
const slow = 1000

/** Seconds after which waiting work is reported. */
const longestWait = 600

/** The database, tested with a typical query. */
const databaseCheck: HealthCheck = {
  name: 'database',
  async ask({ db }) {
    const begun = performance.now()
    await countJobs(db)
    const milliseconds = Math.round(performance.now() - begun)
    return { state: milliseconds > slow ? 'degraded' : 'ok', facts: { milliseconds } }
  },
}

const queueCheck: HealthCheck = {
  name: 'queue',
  async ask({ db, jobs }) {
    const counts = await countJobs(db)
    const oldestSeconds = await oldestDueJob(db)
    const isBehind = counts.dead > 0 || (oldestSeconds ?? 0) > longestWait
    const state = isBehind ? 'degraded' : 'ok'
    return { state: jobs.isRunning ? state : 'down', facts: { ...counts, oldestSeconds } }
  },
}

const mailCheck: HealthCheck = {
  name: 'mail',
  async ask({ db, clock }) {
    const { lastOutcome, sent, failed } = await readMailFacts(db, clock.now())
    return { state: lastOutcome === 'failed' ? 'degraded' : 'ok', facts: { sent, failed } }
  },
}

/**
 * The country database of this process. A shipped one is OK until it is old, unless a source is configured.
 */
const countriesCheck: HealthCheck<CountrySettings> = {
  name: 'countries',
  ask({ config, clock, locator }) {
    const age = (clock.now().getTime() - locator.builtAt.getTime()) / (day * 1000)
    // a clock that is behind must not result in a negative age
    const ageDays = Math.max(0, Math.floor(age))
    const isMissing = config.GEO_DATABASE !== undefined && locator.source === undefined
    const state = isMissing || ageDays > config.GEO_DATABASE_DAYS ? 'degraded' : 'ok'
    return Promise.resolve({ state, facts: { ageDays, source: locator.source ?? null } })
  },
}

/** Checks that apply to every installation. */
export const platformChecks: readonly HealthCheck<CountrySettings>[] = [
  databaseCheck,
  queueCheck,
  mailCheck,
  countriesCheck,
]
