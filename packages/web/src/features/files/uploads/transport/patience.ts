import { ApiError } from '../../../../platform/api/api-error.ts'

/** Milliseconds before the first, second … repetition; the last one counts for all that follow. */
const waits = [1000, 2000, 4000, 8000, 16_000, 30_000] as const

/** Repetitions after which a server that answers with errors is believed. */
const mostFaults = 6

/** Waits, but not longer than until somebody wakes all who wait. */
export interface Patience {
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  wake(): void
}

export function createPatience(): Patience {
  const sleepers = new Set<() => void>()
  return {
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          sleepers.delete(end)
          signal.removeEventListener('abort', end)
          if (signal.aborted) reject(signal.reason)
          else resolve()
        }
        const timer = setTimeout(end, milliseconds)
        sleepers.add(end)
        signal.addEventListener('abort', end)
        if (signal.aborted) end()
      }),
    wake: () => {
      for (const end of [...sleepers]) end()
    },
  }
}

/** Whether the same request may succeed later: nothing arrived, or the server is busy, or ill. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { status, retryAfter } = error
  return status === 0 || status === 429 || status >= 500 || (status === 409 && retryAfter !== undefined)
}

/** How long to wait after a failure that passes; undefined: it is time to give up. */
export function waitAfter(error: unknown, failures: number): number | undefined {
  const usual = waits[Math.min(failures, waits.length) - 1] ?? waits[0]
  if (!(error instanceof ApiError) || error.status === 0) return usual
  if (error.retryAfter !== undefined) return failures > 4 * mostFaults ? undefined : error.retryAfter * 1000
  return failures > mostFaults ? undefined : usual
}
