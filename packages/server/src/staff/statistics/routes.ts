import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { makeChart } from './charts.ts'
import { mayReadChart, statsScope } from './policy.ts'

export interface StatsParts {
  readonly config: Pick<SiteConfig, 'APP_CURRENCY'>
  readonly db: Db
  readonly clock: Clock
}

/** Charts of the cockpits. One that is not for the reader is not there. */
export function serveStats(api: Api, { config, db, clock }: StatsParts): void {
  api.serve('GET /api/v4/stats/chart/{chart}', ({ principal, params, t, language }) => {
    if (!mayReadChart(principal, params.chart)) throw new NotFound()
    const scope = statsScope(principal)
    return makeChart[params.chart]({ db, clock, scope, currency: config.APP_CURRENCY, t, language })
  })
}
