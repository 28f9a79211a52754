import type { ApiError } from './api-error.ts'

/** Longest wait that a response may ask for, in seconds. */
const longestWait = 120

/**
 * Returns the milliseconds to wait before the same request is sent again, or undefined if that wouldn't help. The
 * waits after lost connections grow from half a second.
 */
export function retryDelay(result: Response | ApiError, attempt: number): number | undefined {
  const backOff = 500 * 2 ** attempt
  if (!(result instanceof Response)) return backOff
  if (result.status !== 429 && result.status !== 503) return undefined
  const told = Number(result.headers.get('retry-after') ?? Number.NaN)
  if (Number.isNaN(told)) return backOff
  return told <= longestWait ? Math.max(told * 1000, backOff) : undefined
}

/** Waits for milliseconds. Throws the signal's reason if it is aborted before. */
export function pause(duration: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, duration)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
