import { setTimeout as delay } from 'node:timers/promises'

/** How often and for how long a condition is looked at. */
export interface Patience {
  readonly everyMs: number
  readonly forMs: number
}

/** Asks until the answer is neither null nor false; null once patience has run out. */
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
