import { z } from 'zod'

/** What is unusual about a user's sending, compared with the user's own last 30 days. */
export const takeoverFacts = z.object({
  /** In the last hour, this message included. */
  hour: z.object({ messages: z.number(), recipients: z.number() }),
  lastMinuteMessages: z.number(),
  /** The user's own past. */
  normal: z.object({
    /** Days with mail, 0 to 30. */
    days: z.number(),
    busiestHourRecipients: z.number(),
    busiestMinuteMessages: z.number(),
  }),
  /** Recipients of the last hour that the user never wrote to, and those that other servers rejected. */
  newRecipients: z.number(),
  rejectedRecipients: z.number(),
  /** The client's country and network were not used by the user before. */
  isNewCountry: z.boolean(),
  isNewNetwork: z.boolean(),
})

export type TakeoverFacts = z.infer<typeof takeoverFacts>

export const takeoverSigns = [
  'volume',
  'new-recipients',
  'rejected-recipients',
  'new-country',
  'new-network',
  'speed',
] as const
export type TakeoverSign = (typeof takeoverSigns)[number]

/** Points of each sign at its strongest. No sign alone reaches the score at which mail is held. */
const points: Readonly<Record<TakeoverSign, number>> = {
  volume: 35,
  'new-recipients': 20,
  'rejected-recipients': 25,
  'new-country': 15,
  'new-network': 5,
  speed: 20,
}

/** What anyone may do in an hour and a minute without being unusual. */
const quietRecipients = 30
const quietMessagesPerMinute = 5
/** How many times the own normal is as unusual as can be. */
const extremeRatio = 8
const fewDays = 5

export interface TakeoverScore {
  /** 0 to 100. */
  readonly score: number
  readonly signs: readonly TakeoverSign[]
}

/**
 * How much a user's sending looks like somebody else's, from 0 to 100. A stolen account sends a lot, fast, to strangers,
 * many of whom don't exist, from a place where its owner never was. Each alone has harmless causes.
 */
export function takeoverScore(facts: TakeoverFacts): TakeoverScore {
  const { hour, normal } = facts
  const usualRecipients = Math.max(quietRecipients, normal.busiestHourRecipients)
  const usualSpeed = Math.max(quietMessagesPerMinute, normal.busiestMinuteMessages)
  const volume = excess(hour.recipients, usualRecipients)
  const isBusy = hour.recipients > quietRecipients
  const strengths: Readonly<Record<TakeoverSign, number>> = {
    volume,
    // a new user writes to nobody but new recipients
    'new-recipients':
      isBusy && normal.days >= fewDays ? ramp(share(facts.newRecipients, hour.recipients), 0.5, 0.9) : 0,
    'rejected-recipients':
      facts.rejectedRecipients >= 5 ? ramp(share(facts.rejectedRecipients, hour.recipients), 0.05, 0.3) : 0,
    'new-country': facts.isNewCountry && normal.days >= fewDays ? 1 : 0,
    'new-network': facts.isNewNetwork && normal.days >= fewDays ? 1 : 0,
    speed: excess(facts.lastMinuteMessages, usualSpeed),
  }
  const signs = takeoverSigns.filter((sign) => strengths[sign] > 0)
  const total = signs.reduce((sum, sign) => sum + points[sign] * strengths[sign], 0)
  return { score: Math.min(100, Math.round(total)), signs }
}

/** 0 up to what is usual, 1 from the extreme, in proportion to the logarithm between. */
function excess(value: number, usual: number): number {
  if (value <= usual) return 0
  return Math.min(1, Math.log(value / usual) / Math.log(extremeRatio))
}

function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)))
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole)
}
