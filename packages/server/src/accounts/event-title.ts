import { wireDate } from '../platform/clock.ts'
import { isMessageKey } from '../platform/i18n/catalogues.ts'
import type { Translate } from '../platform/i18n/translator.ts'

/** How often an event happened, as it is stored. */
export interface StoredOccurrences {
  readonly times: number
  readonly last_at: Date | null
}

/** The same on the wire: nothing for an event that happened once. */
export function presentOccurrences({ times, last_at }: StoredOccurrences) {
  return times > 1 ? { times, ...(last_at !== null && { lastAt: wireDate(last_at) }) } : {}
}

/** What happened, in words; the name of an event that has none. */
export function eventTitle(
  { event, times, data }: StoredOccurrences & { event: string; data: Record<string, unknown> | null },
  t: Translate,
): string {
  const key = `event.${event}`
  if (!isMessageKey(key)) return event
  const reason = `sign-in.reason-${String(data?.reason)}`
  return t(key, { times, reason: isMessageKey(reason) ? t(reason) : '' })
}
