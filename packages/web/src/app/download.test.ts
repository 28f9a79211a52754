import { expect, test } from 'vitest'
import { fileName } from './download.ts'

test('a file has the name that the server gives it', () => {
  expect(fileName('attachment; filename="users-2026-11-21.csv"')).toBe('users-2026-11-21.csv')
  expect(fileName('attachment; filename=users.csv; size=3')).toBe('users.csv')
  expect(fileName(`attachment; filename="b.csv"; filename*=UTF-8''B%C3%A4ren.csv`)).toBe('Bären.csv')
})

test('a broken name gives way to the plain one, none at all to "unknown"', () => {
  expect(fileName(`attachment; filename="plain.csv"; filename*=UTF-8''%E4`)).toBe('plain.csv')
  expect(fileName('attachment')).toBe('unknown')
  expect(fileName(null)).toBe('unknown')
})
