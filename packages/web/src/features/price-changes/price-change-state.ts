import type {
  PriceChange,
  PriceChangeState,
  priceChangeStates,
} from '@gatehouse/contract/billing/price-changes'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { day, price } from '../../i18n/format.ts'
import type { Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'

// Importing the contract's array would pull its validator into the bundle.
export const states = [
  'scheduled',
  'announced',
  'applied',
  'cancelled',
] as const satisfies typeof priceChangeStates

export const looks: Record<PriceChangeState, { tone: Tone; icon: Glyph; label: MessageKey }> = {
  scheduled: { tone: 'warning', icon: IconClock, label: 'pricechanges.scheduled' },
  announced: { tone: 'warning', icon: IconCalendarEvent, label: 'pricechanges.announced' },
  applied: { tone: 'success', icon: IconCircleCheck, label: 'pricechanges.applied' },
  cancelled: { tone: 'muted', icon: IconX, label: 'pricechanges.cancelled' },
}

/** Languages available for the reason. */
export const reasonLanguages = [
  { language: 'en', label: 'pricechanges.en' },
  { language: 'de', label: 'pricechanges.de' },
  { language: 'fr', label: 'pricechanges.fr' },
  { language: 'it', label: 'pricechanges.it' },
] as const

/** Text parameters of a change. */
export function factsOf(change: PriceChange) {
  return {
    name: change.sku.name,
    from: price(change.from, change.currency),
    to: price(change.to, change.currency),
    day: longDay(change.date),
  }
}

/** Formats a date (`YYYY-MM-DD`) in words; price dates start at midnight UTC everywhere. */
export function longDay(date: string): string {
  return day(date, { dateStyle: 'long', timeZone: 'UTC' })
}
