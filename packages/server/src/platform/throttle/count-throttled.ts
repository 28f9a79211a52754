import { Counter } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'

/** Counts requests that were refused because of too many failures before. Returns how to count one. */
export function countThrottled(metrics: Metrics): (kind: string) => void {
  const refused = new Counter({
    name: 'gatehouse_throttled_requests_total',
    help: 'Requests refused because of too many failures, by kind of guess',
    labelNames: ['kind'],
    registers: [metrics],
  })
  return (kind) => refused.inc({ kind })
}
