import type { Db } from '../platform/db/database.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { type Backlog, readBacklog } from './health-store.ts'

const states = ['waiting', 'running', 'failed'] as const

/** Metrics of what the back end doesn't have yet. */
export function measureProvisioning(metrics: Metrics, db: Db): void {
  metrics.databaseGauges(
    async () => [await readBacklog(db)],
    [
      {
        ...{
          name: 'gatehouse_provisioning_backlog',
          help: 'Objects that differ in the back end, by state of their job',
        },
        labelNames: ['state'],
        samples: ([backlog]: readonly Backlog[]) =>
          backlog === undefined ? [] : states.map((state) => ({ labels: { state }, value: backlog[state] })),
      },
      {
        name: 'gatehouse_provisioning_oldest_seconds',
        help: 'Age of the oldest change that the back end does not have',
        samples: ([backlog]) => (backlog === undefined ? [] : [{ value: backlog.oldestSeconds }]),
      },
    ],
  )
}
