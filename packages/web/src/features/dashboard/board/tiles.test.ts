// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import type { Permission } from '../../../platform/session/auth.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { restOf, spans, tilesFor } from './tiles.ts'

afterEach(() => {
  config['app.webmail_url'] = null
})

const names = (permissions: Permission[]) => tilesFor('user', testUser(permissions)).map(({ name }) => name)
const everything: Permission[] = [
  'companionapps',
  'distlists',
  'domains',
  'files',
  'folders',
  'resources',
  'rooms',
  'settings',
  'users',
  'wallets',
]

test('shows all tiles in product order', () => {
  config['app.webmail_url'] = '/webmail/'
  const order =
    'account domains users distlists resources folders wallet rooms files policies webmail companions'
  expect(names(everything)).toEqual(order.split(' '))
})

test('the account is always shown, everything else by permission', () => {
  expect(names([])).toEqual(['account'])
  for (const permission of everything) expect(names([permission])).toHaveLength(2)
})

test('webmail links to the configured URL', () => {
  config['app.webmail_url'] = 'https://mail.example.test/'
  expect(tilesFor('user', testUser()).at(-1)).toMatchObject({
    name: 'webmail',
    to: 'https://mail.example.test/',
  })
})

test('staff have their own tiles', () => {
  const staff = (variant: 'admin' | 'reseller', permissions: Permission[]) =>
    tilesFor(variant, testUser(permissions)).map(({ name }) => name)
  expect(staff('admin', everything)).toEqual(['stats', 'tenants', 'approvals', 'operations'])
  expect(staff('reseller', ['wallets'])).toEqual(['wallet', 'invitations', 'stats', 'approvals', 'tenant'])
  expect(staff('reseller', [])).toEqual(['invitations', 'stats', 'approvals', 'tenant'])
})

test.each([
  ['full rows', [1, 1, 1, 1, 1, 1, 2], 4, [1, 1, 1, 1, 1, 1, 2]],
  ['a single column left at the end', [1, 1, 2, 1, 1, 1], 4, [1, 1, 2, 1, 1, 2]],
  ['more than one column left at the end', [1, 1, 2, 1], 4, [1, 1, 2, 1]],
  ['a gap before the wide tile', [1, 1, 1, 2, 1], 4, [1, 1, 2, 2, 2]],
  ['two columns', [1, 2, 1, 1, 1], 2, [2, 2, 1, 1, 2]],
  ['one tile', [1], 4, [1]],
])('spans: %s', (_, widths, columns, expected) => {
  expect(spans(widths, columns)).toEqual(expected)
})

test.each([
  ['beside a single tile', [1, 1, 1, 1, 1], 4, 3],
  ['beside two', [2, 2, 1, 1], 4, 2],
  ['below a full row', [2, 2], 4, 4],
  ['below a row with too little room', [1, 2], 4, 4],
  ['below nothing', [], 2, 2],
])('what is wide has its place %s', (_, taken, columns, expected) => {
  expect(restOf(taken, columns)).toBe(expected)
})
