import { afterEach, expect, test, vi } from 'vitest'
import { type LinkValues, linkBody, localDay } from './link-values.ts'

afterEach(() => vi.unstubAllEnvs())

const values = (change: Partial<LinkValues> = {}): LinkValues => ({
  expires_at: '',
  password: '',
  keepPassword: false,
  max_downloads: '',
  ...change,
})

test('shows that a link has no limits', () => {
  expect(linkBody(values())).toEqual({ expires_at: null, max_downloads: null, password: null })
})

test.each([
  ['UTC', '2026-12-24 23:59:59'],
  ['Europe/Zurich', '2026-12-24 22:59:59'],
  ['America/New_York', '2026-12-25 04:59:59'],
])('in %s a link ends with its day, at %s', (zone, end) => {
  vi.stubEnv('TZ', zone)
  expect(linkBody(values({ expires_at: '2026-12-24' })).expires_at).toBe(end)
  expect(localDay(end)).toBe('2026-12-24')
})

test('keeps, changes or removes a password', () => {
  const link = { hasPassword: true }
  expect(linkBody(values({ keepPassword: true }), link)).not.toHaveProperty('password')
  expect(linkBody(values({ password: 'new' }), link).password).toBe('new')
  expect(linkBody(values(), link).password).toBeNull()
  expect(linkBody(values({ keepPassword: true, password: 'x' }), { hasPassword: false }).password).toBe('x')
})

test('sends the number of downloads as typed, for the server to validate', () => {
  expect(linkBody(values({ max_downloads: ' 5 ' })).max_downloads).toBe('5')
})
