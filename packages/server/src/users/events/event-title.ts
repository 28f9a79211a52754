import { formatPrice } from '@gatehouse/contract/billing/price'
import { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import { isMessageKey } from '../../platform/i18n/catalogues.ts'
import { longDay } from '../../platform/i18n/dates.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { MessageParams, Translate } from '../../platform/i18n/translator.ts'

/** How often an event happened, as it is stored. */
export interface StoredOccurrences {
  readonly times: number
  readonly lastAt: Date | null
}

/** The same on the wire: nothing for an event that happened once. */
export function presentOccurrences({ times, lastAt }: StoredOccurrences) {
  return times > 1 ? { times, ...(lastAt !== null && { lastAt: wireDate(lastAt) }) } : {}
}

/** What happened, in words; the name of an event that has none. */
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

/** What an event about the price of a subscription tells; nothing for other events. */
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
