import { describe, expect, test } from 'vitest'
import { formatPrice } from './billing/price.ts'
import { isLanguage } from './language.ts'
import { permissionFlag, permissions } from './permissions.ts'
import { bodyLimitOf, borrowedCallers, type RouteDefinition } from './route.ts'
import { routes } from './routes.ts'

const table = Object.entries(routes) as [string, RouteDefinition][]

describe('the route table', () => {
  test.each(table)('%s is complete', (key, definition) => {
    expect(key).toMatch(
      /^(GET|POST|PUT|DELETE) (\/api\/(auth|v4|oauth)\/|\/content\/|\/oauth\/)\S+( @staff)?$/,
    )
    expect(definition.summary).toBeTruthy()
    const named = [...key.matchAll(/\{(.+?)\}/g)].map((match) => match[1])
    expect(Object.keys(definition.params?.shape ?? {})).toEqual(named)
    if (key.startsWith('GET')) expect(definition.body).toBeUndefined()
    else expect(definition.query).toBeUndefined()
  })

  test.each(table)('%s documents its errors', (_, definition) => {
    if (definition.auth === 'token') expect(definition.errors).toEqual(expect.arrayContaining([401, 403]))
    if (definition.body !== undefined || definition.query !== undefined)
      expect(definition.errors).toContain(422)
    if (definition.params !== undefined || definition.hosts !== undefined)
      expect(definition.errors).toContain(404)
  })

  test.each(table)('%s limits the length of every text parameter', (_, definition) => {
    for (const [name, field] of Object.entries(definition.body?.shape ?? {})) {
      const parsed = definition.body?.safeParse({ [name]: 'x'.repeat(2_000_000) })
      const issues = parsed?.error?.issues.filter((issue) => issue.path[0] === name) ?? []
      const isSwitch = name === 'refresh' || name === 'user'
      if (!isSwitch) expect(issues.length, `${name} ${field.def.type}`).toBeGreaterThan(0)
    }
  })
})

describe('the body limit', () => {
  test.each(table.filter(([key]) => key.startsWith('POST /api/auth/')))(
    'is small for %s',
    (_, definition) => {
      if (definition.auth !== 'token') expect(bodyLimitOf(definition)).toBe(16 * 1024)
    },
  )

  test('is the same for all calls on a path', () => {
    for (const [key, definition] of table.filter(([name]) => name.endsWith(' @staff'))) {
      const other = table.find(([name]) => name === key.replace(' @staff', ''))
      expect(other === undefined ? undefined : bodyLimitOf(other[1])).toBe(bodyLimitOf(definition))
    }
  })
})

describe('impersonating callers', () => {
  test.each(table)('%s declares which of them it accepts', (_, { auth, openTo, hosts, stepUp }) => {
    if (auth === 'public') {
      expect(openTo).toBeUndefined()
      return
    }
    for (const caller of openTo ?? ['none said']) expect(borrowedCallers).toContain(caller)
    const isClosed = stepUp === true || hosts?.includes('user') === false
    if (isClosed) expect(openTo).toEqual([])
  })
})

describe('a price', () => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
  test.each([
    [990, undefined, '9,90 CHF'],
    [0, undefined, '0,00 CHF'],
    [-5, undefined, '− 0,05 CHF'],
    [123_456_789, 'EUR', '1.234.567,89 €'],
    [1, 'BTC', '0,010000 BTC'],
  ])('of %i in %s is %s', (cents, currency, expected) => {
    expect(plain(formatPrice(cents, currency))).toBe(expected)
  })

  test.each([
    ['en', '− CHF 0.99'],
    ['de', '− 0,99 CHF'],
    ['fr', '− 0.99 CHF'],
    ['it', '− CHF 0.99'],
  ] as const)('below zero has its minus in front of everything: in %s it is %s', (language, expected) => {
    expect(plain(formatPrice(-99, 'CHF', language))).toBe(expected)
    expect(formatPrice(-0, 'CHF', language)).toBe(formatPrice(0, 'CHF', language))
  })
})

test('every permission has a flag of the same name', () => {
  expect(permissionFlag('wallets')).toBe('enableWallets')
  expect(permissionFlag('loginAs')).toBe('enableLoginAs')
  expect(new Set(permissions.map(permissionFlag)).size).toBe(permissions.length)
})

test.each([
  ['en', true],
  ['it', true],
  ['pt', false],
  ['', false],
  [null, false],
  ['toString', false],
])('%j is a language of the product: %s', (value, expected) => {
  expect(isLanguage(value)).toBe(expected)
})
