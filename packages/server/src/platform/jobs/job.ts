import type { z } from 'zod'

/** A kind of work that runs later: its name, what it is told, and how often it is tried. */
export interface Job<P extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly payload: P
  /** Tries before the job is a dead letter; the waits between them grow exponentially up to six hours. */
  readonly maxAttempts: number
}

/** Names a job. Who enqueues it needs this only; who does it is said to Jobs.handle. */
export function defineJob<P extends z.ZodType>(name: string, payload: P, maxAttempts = 20): Job<P> {
  return { name, payload, maxAttempts }
}
