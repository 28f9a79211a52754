import type { z } from 'zod'

/** A kind of job: its name, payload, and number of attempts. */
export interface Job<P extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly payload: P
  /** Attempts before the job becomes a dead letter; the delays grow exponentially up to six hours. */
  readonly maxAttempts: number
}

/**
 * Defines a kind of job, which is all that enqueuing requires; its handler is registered with Jobs.handle.
 */
export function defineJob<P extends z.ZodType>(name: string, payload: P, maxAttempts = 20): Job<P> {
  return { name, payload, maxAttempts }
}
