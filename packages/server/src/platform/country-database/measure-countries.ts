import type { Clock } from '../clock.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Exports the age of the country database in use as a metric. */
export function measureCountries(metrics: Metrics, clock: Clock, builtAt: () => Date): void {
  metrics.gauge(
    { name: 'gatehouse_country_database_age_seconds', help: 'Age of the country database in use' },
    () => [{ value: (clock.now().getTime() - builtAt().getTime()) / 1000 }],
  )
}
