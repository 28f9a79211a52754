import { type Language, locales } from '@gatehouse/contract/language'

/** Formats a date in words, UTC. */
export function longDay(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** Formats a date and time in words, to the minute, UTC. */
export function longMoment(at: Date, language: Language): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locales[language], format).format(at)
}
