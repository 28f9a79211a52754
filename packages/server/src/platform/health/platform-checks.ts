import { day } from '../clock.ts'
import type { CountrySettings } from '../country-database/country-settings.ts'
import { countJobs } from '../jobs/job-store.ts'
import type { HealthCheck } from './health-check.ts'
import { oldestDueJob, readMailFacts } from './health-store.ts'

/** Milliseconds after which an answer of the database is slow. */
const slow = 1000

/** Seconds that work may wait before somebody should look. */
const longestWait = 600

/** The database, asked for what others ask of it all the time. */
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

/** The database of this process. One that comes with the product is no fault until it is old, unless another is wanted. */
const countriesCheck: HealthCheck<CountrySettings> = {
  name: 'countries',
  ask({ config, clock, locator }) {
    const age = (clock.now().getTime() - locator.builtAt.getTime()) / (day * 1000)
    // a clock that is behind makes none younger than new
    const ageDays = Math.max(0, Math.floor(age))
    const isMissing = config.GEO_DATABASE !== undefined && locator.source === undefined
    const state = isMissing || ageDays > config.GEO_DATABASE_DAYS ? 'degraded' : 'ok'
    return Promise.resolve({ state, facts: { ageDays, source: locator.source ?? null } })
  },
}

/** What every installation stands on. */
export const platformChecks: readonly HealthCheck<CountrySettings>[] = [
  databaseCheck,
  queueCheck,
  mailCheck,
  countriesCheck,
]
