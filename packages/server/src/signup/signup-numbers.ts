import { Counter } from 'prom-client'
import { HttpError } from '../platform/http/errors.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'

const steps = ['init', 'verify', 'validate', 'finish'] as const
const results = ['done', 'refused', 'failed'] as const

/** Counts the steps of sign-ups in this process. */
export class SignupNumbers {
  readonly #steps: Counter

  constructor(metrics: Metrics) {
    this.#steps = new Counter({
      name: 'gatehouse_sign_up_steps_total',
      help: 'Steps of sign-ups by result',
      labelNames: ['step', 'result'],
      registers: [metrics],
    })
    for (const step of steps) for (const result of results) this.#steps.inc({ step, result }, 0)
  }

  /** Runs a step and counts its result. Rethrows what the step throws. */
  async follow<T>(step: (typeof steps)[number], act: () => Promise<T>): Promise<T> {
    try {
      const answer = await act()
      this.#steps.inc({ step, result: 'done' })
      return answer
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status < 500
      this.#steps.inc({ step, result: isRefused ? 'refused' : 'failed' })
      throw error
    }
  }
}
