import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'

/** Exports the age of the country database in use as a metric. */
export function measureCountries(registry: Registry, clock: Clock, builtAt: () => Date): void {
  new Gauge({
    name: 'gatehouse_country_database_age_seconds',
    help: 'Age of the country database in use',
    registers: [registry],
    collect() {
      this.set((clock.now().getTime() - builtAt().getTime()) / 1000)
    },
  })
}
