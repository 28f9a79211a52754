import type { Step } from '../../../../ui/step-chart/scale.ts'

/** When auto-payment fills up a wallet, and by how much, in cents. */
export interface Plan {
  threshold: number
  amount: number
}

/** When the balance is expected to fall below the threshold first; undefined: not as far as one can see. */
export function nextTopUp(course: readonly Step[], threshold: number): number | undefined {
  return course.find(({ value }) => value < threshold)?.at
}

const day = 86_400_000

/** An expected course with its top-ups: below the threshold one follows, a day later so that both can be seen. */
export function withTopUps(course: readonly Step[], { threshold, amount }: Plan): Step[] {
  let added = 0
  return course.flatMap(({ at, value }) => {
    const step = { at, value: value + added }
    if (step.value >= threshold || amount <= 0) return [step]
    added += amount
    return [step, { at: at + day, value: value + added }]
  })
}
