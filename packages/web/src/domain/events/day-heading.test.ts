// @vitest-environment happy-dom
import type { Language } from '@gatehouse/contract/language'
import { expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { dayHeading } from './day-heading.ts'

const now = new Date(2026, 2, 10, 0, 30)

/** A local time in the server's format. */
const sent = (...[year, month, date, hours, minutes]: [number, number, number, number, number]) =>
  new Date(year, month, date, hours, minutes).toISOString().replace('T', ' ').slice(0, 19)

test.each<[Language, string, string, string]>([
  ['en', 'Today, 10 March', 'Yesterday, 9 March', 'Sunday, 8 March'],
  ['de', 'Heute, 10. März', 'Gestern, 9. März', 'Sonntag, 8. März'],
  ['fr', 'Aujourd’hui, 10 mars', 'Hier, 9 mars', 'dimanche 8 mars'],
  ['it', 'Oggi, 10 marzo', 'Ieri, 9 marzo', 'domenica 8 marzo'],
])('in %s days are called by what they are to the reader', async (language, today, yesterday, before) => {
  await activateLanguage(language)
  expect(dayHeading(sent(2026, 2, 10, 0, 1), now)).toBe(today)
  expect(dayHeading(sent(2026, 2, 9, 23, 59), now)).toBe(yesterday)
  expect(dayHeading(sent(2026, 2, 8, 23, 59), now)).toBe(before)
})

test('includes the year for days of another year', async () => {
  await activateLanguage('en')
  expect(dayHeading(sent(2025, 11, 31, 12, 0), now)).toBe('Wednesday, 31 December 2025')
  expect(dayHeading(sent(2025, 2, 10, 12, 0), now)).toContain('2025')
})
