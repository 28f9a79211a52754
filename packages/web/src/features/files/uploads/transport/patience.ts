import { ApiError } from '../../../../platform/api/api-error.ts'

/** Delays before each retry, in milliseconds; the last one applies to all further retries. */
const waits = [1000, 2000, 4000, 8000, 16_000, 30_000] as const

/** Number of retries after which server errors are treated as permanent. */
const mostFaults = 6

/** Waits for a time, or until all waiters are woken up. */
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

/** Whether an error is transient: no response, or the server is busy or failing. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { status, retryAfter } = error
  return status === 0 || status === 429 || status >= 500 || (status === 409 && retryAfter !== undefined)
}

/** Returns the delay after a transient failure; undefined: give up. */
export function waitAfter(error: unknown, failures: number): number | undefined {
  const usual = waits[Math.min(failures, waits.length) - 1] ?? waits[0]
  if (!(error instanceof ApiError) || error.status === 0) return usual
  if (error.retryAfter !== undefined) return failures > 4 * mostFaults ? undefined : error.retryAfter * 1000
  return failures > mostFaults ? undefined : usual
}
