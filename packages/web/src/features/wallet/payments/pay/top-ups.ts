import type { Step } from '../../../../ui/step-chart/scale.ts'

/** Threshold and amount of auto-payment, in cents. */
export interface Plan {
  threshold: number
  amount: number
}

/**
 * Returns when the balance is first expected to fall below the threshold; undefined: not within the
 * forecast.
 */
export function nextTopUp(course: readonly Step[], threshold: number): number | undefined {
  return course.find(({ value }) => value < threshold)?.at
}

const day = 86_400_000

/**
 * Adds top-ups to an expected balance: one follows each drop below the threshold, a day later so that both
 * are visible.
 */
export function withTopUps(course: readonly Step[], { threshold, amount }: Plan): Step[] {
  let added = 0
  return course.flatMap(({ at, value }) => {
    const step = { at, value: value + added }
    if (step.value >= threshold || amount <= 0) return [step]
    added += amount
    return [step, { at: at + day, value: value + added }]
  })
}
