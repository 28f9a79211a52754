import { setTimeout as delay } from 'node:timers/promises'

/** Interval and timeout of polling. */
export interface Patience {
  readonly everyMs: number
  readonly forMs: number
}

/** Polls until the result is neither null nor false; returns null after the timeout. */
export async function pollUntil<T>(
  patience: Patience,
  ask: () => Promise<T | null | false>,
): Promise<T | null> {
  const deadline = Date.now() + patience.forMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== false) return answer
    if (Date.now() >= deadline) return null
    await delay(patience.everyMs)
  }
}
