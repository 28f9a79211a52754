import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { makeChart } from './charts.ts'
import { dayOf } from './daily-stats.ts'
import { makeFigures } from './figures.ts'
import { mayReadChart, statsScope } from './policy.ts'
import { fourWeeksUntil, spanOf } from './span.ts'

export interface StatsParts {
  readonly config: Pick<SiteConfig, 'APP_CURRENCY'>
  readonly db: Db
  readonly clock: Clock
}

/** Charts of the cockpits and the figures above them. Those the reader may not see are omitted. */
export function serveStats(api: Api, { config, db, clock }: StatsParts): void {
  const currency = config.APP_CURRENCY
  api.serve('GET /api/v4/stats/chart/{chart}', ({ principal, params, query, t, language }) => {
    if (!mayReadChart(principal, params.chart)) throw new NotFound()
    const scope = statsScope(principal)
    const span = spanOf(query, dayOf(clock.now()))
    return makeChart[params.chart]({ db, clock, scope, currency, t, language, span })
  })
  api.serve('GET /api/v4/stats/figures', ({ principal, query }) => {
    const today = dayOf(clock.now())
    const span = spanOf(query, today) ?? fourWeeksUntil(today)
    const withIncome = mayReadChart(principal, 'income')
    return makeFigures({ db, scope: statsScope(principal), span, currency, withIncome })
  })
}
