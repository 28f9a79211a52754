import { formatPrice } from '@gatehouse/contract/billing/price'
import { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import { isMessageKey } from '../../platform/i18n/catalogues.ts'
import { longDay } from '../../platform/i18n/dates.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { MessageParams, Translate } from '../../platform/i18n/translator.ts'

/** The stored number of occurrences of an event. */
export interface StoredOccurrences {
  readonly times: number
  readonly lastAt: Date | null
}

/** The same in the API; omitted for an event that occurred once. */
export function presentOccurrences({ times, lastAt }: StoredOccurrences) {
  return times > 1 ? { times, ...(lastAt !== null && { lastAt: wireDate(lastAt) }) } : {}
}

/** Returns the title of an event; its name if it has none. */
export function eventTitle(
  { event, times, data }: StoredOccurrences & { event: string; data: Record<string, unknown> | null },
  t: Translate,
): string {
  const key = `event.${event}`
  if (!isMessageKey(key)) return event
  const reason = `sign-in.reason-${String(data?.reason)}`
  return t(key, { times, reason: isMessageKey(reason) ? t(reason) : '', ...pricesOf(data, t) })
}

const priced = z.object({
  name: z.record(z.string(), z.string()),
  from: z.number(),
  to: z.number(),
  currency: z.string(),
  date: z.string(),
})

/** Returns title parameters for events about subscription prices; empty for other events. */
function pricesOf(data: unknown, { language }: Translate): MessageParams {
  const { data: facts } = priced.safeParse(data)
  if (facts === undefined) return {}
  return {
    name: localised(facts.name, language),
    from: formatPrice(facts.from, facts.currency, language),
    to: formatPrice(facts.to, facts.currency, language),
    date: longDay(new Date(`${facts.date}T00:00:00Z`), language),
  }
}
