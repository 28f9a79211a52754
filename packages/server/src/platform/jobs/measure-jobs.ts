import type { Pool } from 'pg'
import { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'
import { countByKind, countWaitingJobs, type KindCounts } from './job-store.ts'
import type { Jobs } from './jobs.ts'

/** Metrics of background jobs: the queue of the installation, and what this process does. */
export function measureJobs(metrics: Metrics, jobs: Jobs, pool: Pool): void {
  metrics.databaseGauge(
    { name: 'gatehouse_jobs_waiting', help: 'Waiting and dead jobs by state', labelNames: ['state'] },
    async () => {
      const rows = await countWaitingJobs(pool)
      return rows.map(({ state, jobs: value }) => ({ labels: { state }, value }))
    },
  )
  measureKinds(metrics, jobs, pool)
  measureRuns(metrics, jobs)
}

/** Each kind has a value even if it has no jobs, so that alerts can compare values over time. */
function measureKinds(metrics: Metrics, jobs: Jobs, pool: Pool): void {
  const gauge = (name: string, help: string, value: (counts: KindCounts) => number) => ({
    ...{ name, help, labelNames: ['task'] },
    samples: (kinds: readonly KindCounts[]) =>
      kinds.map((kind) => ({ labels: { task: kind.name }, value: value(kind) })),
  })
  const read = async () => {
    const counted = await countByKind(pool)
    const others = jobs.names.filter((name) => !counted.some((kind) => kind.name === name))
    return [...counted, ...others.map((name) => ({ name, due: 0, dead: 0, oldestSeconds: 0 }))]
  }
  metrics.databaseGauges(read, [
    gauge('gatehouse_jobs_due', 'Jobs that are due and not running, by kind', ({ due }) => due),
    gauge('gatehouse_jobs_dead', 'Jobs that failed permanently, by kind', ({ dead }) => dead),
    gauge(
      'gatehouse_job_oldest_due_seconds',
      'Seconds for which the oldest job of a kind has been due',
      ({ oldestSeconds }) => oldestSeconds,
    ),
  ])
}

function measureRuns(metrics: Metrics, jobs: Jobs): void {
  const durations = new Histogram({
    name: 'gatehouse_job_duration_seconds',
    help: 'Duration of attempts at jobs of this process, by kind',
    labelNames: ['task'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [metrics],
  })
  const failures = new Counter({
    name: 'gatehouse_job_failures_total',
    help: 'Failed attempts at jobs of this process, by kind',
    labelNames: ['task'],
    registers: [metrics],
    collect() {
      for (const task of jobs.names) this.inc({ task }, 0)
    },
  })
  jobs.surround(async ({ name: task }, work) => {
    const end = durations.startTimer({ task })
    try {
      await work()
    } catch (error) {
      failures.inc({ task })
      throw error
    } finally {
      end()
    }
  })
}
