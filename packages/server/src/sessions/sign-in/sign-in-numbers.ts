import { Counter } from 'prom-client'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** Result of a sign-in or step-up; all values come from fixed sets. */
export interface SignInResult {
  readonly method: string
  readonly outcome: string
  readonly factor?: string | undefined
  /** Why it was rejected. */
  readonly reason?: string
}

/** Counts sign-ins and step-ups of this process. */
export class SignInNumbers {
  readonly #results: Counter
  readonly #refusals: Counter

  constructor(metrics: Metrics) {
    this.#results = new Counter({
      name: 'gatehouse_sign_ins_total',
      help: 'Sign-ins and step-ups by method, second factor and result',
      labelNames: ['method', 'factor', 'result'],
      registers: [metrics],
    })
    this.#refusals = new Counter({
      name: 'gatehouse_sign_in_refusals_total',
      help: 'Rejected sign-ins and step-ups by method and reason',
      labelNames: ['method', 'reason'],
      registers: [metrics],
    })
    // alerts compare these over time, so they exist from the start
    for (const result of ['accepted', 'waiting', 'refused', 'throttled']) {
      this.#results.inc({ method: 'password', factor: 'none', result }, 0)
    }
  }

  count({ method, outcome, factor = 'none', reason }: SignInResult): void {
    this.#results.inc({ method, factor, result: outcome })
    if (reason !== undefined) this.#refusals.inc({ method, reason })
  }
}
