import { Counter } from 'prom-client'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type Reason, reasons } from '../reasons.ts'
import { type Policy, policies } from './decision-store.ts'

/** Counts decisions about mail in this process. */
export class DecisionNumbers {
  readonly #made: Counter
  readonly #lost: Counter

  constructor(metrics: Metrics, waiting: () => number) {
    this.#made = new Counter({
      name: 'gatehouse_mail_decisions_total',
      help: 'Decisions about mail by policy and result',
      labelNames: ['policy', 'result'],
      registers: [metrics],
    })
    this.#lost = new Counter({
      name: 'gatehouse_mail_decisions_lost_total',
      help: 'Decisions about mail that could not be kept while the database was away',
      registers: [metrics],
    })
    for (const policy of policies) this.#made.inc({ policy, result: 'accept' }, 0)
    metrics.gauge(
      { name: 'gatehouse_mail_decisions_waiting', help: 'Decisions about mail that are not written yet' },
      () => [{ value: waiting() }],
    )
  }

  count(policy: Policy, reason: Reason): void {
    this.#made.inc({ policy, result: reasons[reason].action })
  }

  lose(decisions: number): void {
    this.#lost.inc(decisions)
  }
}
