import { z } from 'zod'

/** What was sent in one bucket of time. */
export const bucket = z.object({
  /** Start in seconds since 1970, a multiple of the bucket's width. */
  start: z.number(),
  messages: z.number(),
  recipients: z.number(),
})

export type Bucket = z.infer<typeof bucket>

export interface Usage {
  readonly messages: number
  readonly recipients: number
}

/** A window that slides in steps of its buckets. All in seconds. */
export interface Window {
  readonly length: number
  readonly width: number
}

export const hourWindow: Window = { length: 3600, width: 60 }
export const dayWindow: Window = { length: 86_400, width: 3600 }

/**
 * What was sent in the window that ends now. A bucket that is partly in the window counts whole, so the sum is never too
 * small, and too large by one bucket at most. Buckets of the future count while a clock that was set back can explain them.
 */
export function usageIn(buckets: readonly Bucket[], window: Window, now: number): Usage {
  let [messages, recipients] = [0, 0]
  for (const one of buckets) {
    if (!isNear(one, window, now)) continue
    messages += one.messages
    recipients += one.recipients
  }
  return { messages, recipients }
}

/** The buckets after something was sent, without those that no window reaches any more, oldest first. */
export function addUsage(buckets: readonly Bucket[], window: Window, now: number, sent: Usage): Bucket[] {
  const start = Math.floor(now / window.width) * window.width
  const others = buckets.filter((one) => one.start !== start && isNear(one, window, now))
  const same = buckets.filter((one) => one.start === start)
  const sum = (field: keyof Usage) => same.reduce((total, one) => total + one[field], sent[field])
  return [...others, { start, messages: sum('messages'), recipients: sum('recipients') }].toSorted(
    (one, other) => one.start - other.start,
  )
}

function isNear({ start }: Bucket, { length, width }: Window, now: number): boolean {
  return start + width > now - length && start < now + length
}
