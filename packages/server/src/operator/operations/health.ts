import type { HealthPart, operationRoutes } from '@gatehouse/contract/staff/operations'
import type { z } from 'zod'
import type { BillingConfig } from '../../billing/billing-settings.ts'
import type { Clock } from '../../platform/clock.ts'
import { day, wireDate } from '../../platform/clock.ts'
import type { CountrySettings } from '../../platform/country-database/country-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { countJobs } from '../../platform/jobs/job-store.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Locator } from '../../platform/location.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { readFacts } from './health-store.ts'

type Health = z.input<(typeof operationRoutes)['GET /api/v4/health']['ok']>
type State = HealthPart['state']

export interface HealthParts {
  readonly config: SiteConfig & BillingConfig & FeatureSettings & CountrySettings
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'isRunning'>
  readonly locator: Pick<Locator, 'builtAt' | 'source'>
}

/** Seconds that work may wait before somebody should look. */
const longestWait = 600

/** How the parts of the installation do, from what they have written down; nobody outside is asked. */
export async function readHealth(parts: HealthParts, t: Translate): Promise<Health> {
  const { clock, config, db } = parts
  const now = clock.now()
  const begun = performance.now()
  const jobs = await countJobs(db)
  const facts = await readFacts(db, now)
  const milliseconds = Math.round(performance.now() - begun)
  const list: HealthPart[] = [
    part(t, 'database', milliseconds > 1000 ? 'degraded' : 'ok', { milliseconds }),
    part(t, 'queue', queueState(parts, jobs.dead, facts.oldest), { ...jobs, oldestSeconds: facts.oldest }),
    part(t, 'mail', facts.lastOutcome === 'failed' ? 'degraded' : 'ok', {
      sent: facts.sent,
      failed: facts.failed,
    }),
    part(t, 'provisioning', facts.provisioningFailed > 0 ? 'degraded' : 'ok', {
      failed: facts.provisioningFailed,
      waiting: facts.provisioningWaiting,
    }),
    part(t, 'payments', paymentState(config.paymentProvider, facts.alarms), {
      provider: config.paymentProvider ?? null,
      alarms: facts.alarms,
      pending: facts.pending,
    }),
    part(t, 'exchange', exchangeState(config, facts.ratesAge), { ageDays: facts.ratesAge }),
    countriesPart(parts, t),
  ]
  return { state: worst(list), checkedAt: wireDate(now), version: config.build, parts: list }
}

function queueState({ jobs }: HealthParts, dead: number, oldest: number | null): State {
  if (!jobs.isRunning) return 'down'
  return dead > 0 || (oldest ?? 0) > longestWait ? 'degraded' : 'ok'
}

function paymentState(provider: string | undefined, alarms: number): State {
  if (provider === undefined) return 'unused'
  return alarms > 0 ? 'degraded' : 'ok'
}

/** Without a source, rates are needed only by who has imported some. */
function exchangeState(
  { EXCHANGE_RATES, EXCHANGE_RATE_DAYS }: Pick<BillingConfig, 'EXCHANGE_RATES' | 'EXCHANGE_RATE_DAYS'>,
  age: number | null,
): State {
  if (age === null) return EXCHANGE_RATES === undefined ? 'unused' : 'degraded'
  return age > EXCHANGE_RATE_DAYS ? 'degraded' : 'ok'
}

/** The database of this process. One that comes with the product is no fault until it is old, unless another is wanted. */
function countriesPart({ config, clock, locator }: HealthParts, t: Translate): HealthPart {
  const age = (clock.now().getTime() - locator.builtAt.getTime()) / (day * 1000)
  // a clock that is behind makes none younger than new
  const ageDays = Math.max(0, Math.floor(age))
  const isMissing = config.GEO_DATABASE !== undefined && locator.source === undefined
  const state = isMissing || ageDays > config.GEO_DATABASE_DAYS ? 'degraded' : 'ok'
  return part(t, 'countries', state, { ageDays, source: locator.source ?? null })
}

function part(t: Translate, name: HealthPart['name'], state: State, facts: HealthPart['facts']): HealthPart {
  return { name, state, message: t(texts[state]), facts }
}

const texts = {
  ok: 'operations.health-ok',
  degraded: 'operations.health-degraded',
  down: 'operations.health-down',
  unused: 'operations.health-unused',
} as const

function worst(parts: readonly HealthPart[]): Health['state'] {
  if (parts.some(({ state }) => state === 'down')) return 'down'
  return parts.some(({ state }) => state === 'degraded') ? 'degraded' : 'ok'
}
