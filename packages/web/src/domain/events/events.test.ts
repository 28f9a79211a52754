// @vitest-environment happy-dom

import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { changesIn } from './event-changes.ts'
import { commentWords, fieldLabel, fieldOrder, valueWords } from './event-words.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('events')
})

test('a change shows only the differences in lists and quantities, in form order', () => {
  const data = {
    before: { phone: null, aliases: ['a@x', 'b@x'], subscriptions: { mailbox: 1, storage: 5 } },
    after: { phone: '1', aliases: ['b@x', 'c@x'], subscriptions: { mailbox: 1, storage: 9 } },
  }
  expect(changesIn(data, fieldOrder)).toEqual([
    { field: 'aliases', before: 'a@x', after: 'c@x' },
    { field: 'subscriptions', before: 'storage 5', after: 'storage 9' },
    { field: 'phone', before: '', after: '1' },
  ])
  expect(changesIn(null)).toEqual([])
  expect(changesIn({ mail: 'welcome' })).toEqual([])
})

test('a file event names the file, and other names are not facts', () => {
  expect(changesIn({ file: 'id', name: 'plan.txt' })).toEqual([
    { field: 'name', before: '', after: 'plan.txt' },
  ])
  expect(changesIn({ name: 'plan.txt' })).toEqual([])
})

test('a delegation shows the delegate and the rights', () => {
  const data = { delegatee: 'ned@acme.test', after: { mail: 'read-write', send_as: true } }
  const say = (field: string, value: unknown) => valueWords(field, value, {})
  expect(changesIn(data, fieldOrder, say)).toEqual([
    { field: 'delegatee', before: '', after: 'ned@acme.test' },
    { field: 'mail', before: '', after: 'can edit' },
    { field: 'send_as', before: '', after: 'on' },
  ])
})

test('settings are parsed from their stored form', () => {
  const data = {
    before: { limit_geo: '["CH"]', greylist_enabled: null },
    after: { limit_geo: '["CH","DE"]', greylist_enabled: 'false', first_name: '[x]', password_policy: '[' },
  }
  const say = (field: string, value: unknown) => valueWords(field, value, {})
  expect(changesIn(data, fieldOrder, say)).toEqual([
    { field: 'first_name', before: '', after: '[x]' },
    { field: 'limit_geo', before: '', after: 'Germany' },
    { field: 'greylist_enabled', before: '', after: 'off' },
    { field: 'password_policy', before: '', after: '[' },
  ])
})

test.each([
  ['country', 'CH', undefined, 'Switzerland'],
  ['limit_geo', 'nowhere', undefined, 'nowhere'],
  ['greylist_enabled', false, undefined, 'off'],
  ['max_password_age', '6', undefined, '6 months'],
  ['subscriptions', 'storage', 12, 'Room for mail × 12'],
  ['subscriptions', 'beta', 1, 'beta'],
  ['password_policy', 'min:8', undefined, 'min:8'],
  ['status', 7, undefined, '7'],
  ['discount', 30, undefined, '30\u00a0%'],
  ['packageDiscount', 50, undefined, '50\u00a0%'],
  ['name', 'de', 'Postfach', 'de: Postfach'],
  ['suspensionReason', 'unpaid', undefined, 'unpaid'],
  ['suspensionReason', 'mood', undefined, 'mood'],
])('%s %j is shown by name', (field, value, count, expected) => {
  expect(valueWords(field, value, { storage: 'Room for mail' }, count)).toBe(expected)
})

test('wallet settings are shown by name, and money in its currency', async () => {
  const data = {
    before: { alerts: [2000], monthly_ceiling: null },
    after: { alerts: [500, 2000], monthly_ceiling: 5000 },
  }
  const say = (field: string, value: unknown, count?: unknown) => valueWords(field, value, {}, count, 'EUR')
  const told = async (language: Language) => {
    await activateLanguage(language)
    await loadMessages('events')
    return changesIn(data, fieldOrder, say).map(({ field, after }) => [fieldLabel(field), after])
  }
  for (const [language, alerts, ceiling] of [
    ['de', 'Guthabenwarnungen', 'Monatliche Obergrenze'],
    ['fr', 'Alertes de solde', 'Plafond mensuel'],
    ['it', 'Avvisi sul saldo', 'Limite mensile'],
    ['en', 'Balance alerts', 'Monthly ceiling'],
  ] as const) {
    expect(await told(language)).toEqual([
      [alerts, formatPrice(500, 'EUR', language)],
      [ceiling, formatPrice(5000, 'EUR', language)],
    ])
  }
})

test("a product's price is shown as money", () => {
  expect(valueWords('cost', 640, {}, undefined, 'EUR')).toBe(formatPrice(640, 'EUR', 'en'))
})

test('unknown fields keep the recorded name', () => {
  expect(fieldLabel('first_name')).toBe('First name')
  expect(fieldLabel('shoe_size')).toBe('shoe_size')
  expect(commentWords('[PasswordReset] A new password')).toBe('A new password')
  expect(commentWords('called on Monday')).toBe('called on Monday')
})

test('long lists show some names and count the rest', () => {
  const members = Array.from({ length: 20 }, (_, number) => `user${number}@b.test`)
  const [change] = changesIn({ before: { members: [] }, after: { members } }, [])
  expect(change?.after).toMatch(/^user0@b\.test, .*user11@b\.test, … \(\+8\)$/)
})
