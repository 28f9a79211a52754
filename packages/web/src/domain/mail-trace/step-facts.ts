import type { MailFacts } from '@gatehouse/contract/mail/mail-trace'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { shownAddress } from './shown-address.ts'

/** Returns the facts of a decision as words: “Delay: 5 minutes”. */
export function factWords(facts: MailFacts): string[] {
  const { delay, waited, used, most, exception, entry, refused, verifiedDomain } = facts
  const { response } = facts
  const rows: [MessageKey, string | undefined][] = [
    ['mailtrace.delay', delay === undefined ? undefined : duration(delay)],
    ['mailtrace.waited', waited === undefined ? undefined : duration(waited)],
    ['mailtrace.usage', usage(used, most)],
    ['mailtrace.exception', exception],
    ['mailtrace.entry', entry],
    ['mailtrace.refusedAddress', refused === undefined ? undefined : shownAddress(refused)],
    ['mailtrace.verified', verifiedDomain],
  ]
  const words = rows.flatMap(([name, value]) =>
    value ? [t('mailtrace.fact', { name: t(name), value })] : [],
  )
  return response === undefined ? words : [...words, response]
}

function usage(used: number | undefined, most: number | undefined): string | undefined {
  if (used === undefined || most === undefined) return undefined
  return t('words.ofTotal', { count: number(used), all: number(most) })
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Returns seconds in the largest unit of which they are at least one: “5 minutes”. */
export function duration(seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 1]
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return number(Math.max(seconds, 0) / length, options)
}
