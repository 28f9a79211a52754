import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSubscriptions, readQuantity, type SubscriptionContext } from './check-subscriptions.ts'
import { type HandlerName, handlerNames, handlers } from './handlers.ts'

const freeUnits: Partial<Record<HandlerName, number>> = { Storage: 5, DomainHosting: 1 }
const inactive: readonly HandlerName[] = ['Beta', 'Domain', 'DomainRegistration', 'DomainRelay']

/** A tenant with every SKU; each id is its handler's name. */
function context(
  held: Partial<Record<HandlerName, number>> = {},
  facts: Partial<SubscriptionContext> = {},
): SubscriptionContext {
  return {
    type: 'user',
    isStaff: false,
    isController: true,
    skus: handlerNames.map((handler) => ({
      id: handler,
      title: handler.toLowerCase(),
      name: handler,
      handler,
      active: !inactive.includes(handler),
      unitsFree: freeUnits[handler] ?? 0,
      held: held[handler] ?? 0,
    })),
    ...facts,
  }
}

function errorsOf(wanted: Record<string, unknown>, about = context()): Record<string, string> {
  const { errors } = checkSubscriptions(new Map(Object.entries(wanted)), about)
  return Object.fromEntries([...errors].map(([id, error]) => [id, error.key.replace('subscriptions.', '')]))
}

const basic = { Mailbox: 1, Storage: 5 }

describe('the handlers', () => {
  test('only reference existing handlers', () => {
    for (const { required = [], forbidden = [], exclusive = [] } of Object.values(handlers)) {
      for (const name of [...required, ...forbidden, ...exclusive]) expect(handlerNames).toContain(name)
    }
  })

  test('exclude each other symmetrically and within one type', () => {
    for (const name of handlerNames) {
      for (const other of handlers[name].exclusive ?? []) {
        expect(handlers[other].exclusive).toContain(name)
        expect(handlers[other].type).toBe(handlers[name].type)
      }
    }
  })
})

describe('a user may have', () => {
  test.each<[string, Record<string, unknown>]>([
    ['the basics', basic],
    ['groupware', { ...basic, Groupware: 1 }],
    ['activesync with groupware', { ...basic, Groupware: 1, Activesync: 1 }],
    ['a second factor', { ...basic, Auth2F: 1 }],
    ['a hundred of storage', { ...basic, Storage: 100 }],
    ['numbers as texts', { Mailbox: '1', Storage: '7' }],
    ['explicit noughts, of other types too', { ...basic, Groupware: 0, Room: 0, Beta: '0' }],
  ])('%s', (_, wanted) => {
    expect(errorsOf(wanted)).toEqual({})
  })

  test('SKUs no longer on sale that the user already has', () => {
    expect(errorsOf({ ...basic, Beta: 1 }, context({ Beta: 1 }))).toEqual({})
  })

  test('SKUs not on sale yet, from staff', () => {
    expect(errorsOf({ ...basic, Beta: 1 }, context({}, { isStaff: true }))).toEqual({})
  })
})

describe('a user may not have', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['nothing', {}, { Mailbox: 'mandatory', Storage: 'min-gb' }],
    ['no mailbox', { Storage: 5, Mailbox: 0 }, { Mailbox: 'mandatory' }],
    ['two mailboxes', { ...basic, Mailbox: 2 }, { Mailbox: 'single' }],
    ['too little storage', { ...basic, Storage: 4 }, { Storage: 'min-gb' }],
    ['too much storage', { ...basic, Storage: 101 }, { Storage: 'max-gb' }],
    ['far too much storage', { ...basic, Storage: 1e9 }, { Storage: 'max-gb' }],
    ['two of groupware', { ...basic, Groupware: 2 }, { Groupware: 'single' }],
    ['activesync alone', { ...basic, Activesync: 1 }, { Activesync: 'requires' }],
    [
      'activesync with a second factor',
      { ...basic, Groupware: 1, Activesync: 1, Auth2F: 1 },
      { Activesync: 'forbids', Auth2F: 'forbids' },
    ],
    ['what is not on sale', { ...basic, Beta: 1 }, { Beta: 'inactive' }],
    ['a room', { ...basic, Room: 1 }, { Room: 'wrong-type' }],
    ['what does not exist', { ...basic, Teapot: 1 }, { Teapot: 'unknown' }],
    ['less than nothing', { ...basic, Groupware: -1 }, { Groupware: 'quantity' }],
    [
      'several mistakes',
      { Mailbox: 2, Storage: 'x', Activesync: 1, Teapot: 1 },
      { Mailbox: 'single', Storage: 'quantity', Activesync: 'requires', Teapot: 'unknown' },
    ],
  ])('%s', (_, wanted, expected) => {
    expect(errorsOf(wanted)).toEqual(expected)
  })

  test('more units of a SKU not on sale than already held', () => {
    const about = context({ Domain: 0 }, { type: 'domain', isStaff: true })
    expect(errorsOf({ DomainHosting: 1, Domain: 1 }, about)).toEqual({ Domain: 'inactive' })
  })
})

describe('a room', () => {
  const room = (facts: Partial<SubscriptionContext> = {}) => context({}, { type: 'room', ...facts })
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['of one person', { Room: 1 }, {}],
    ['of several', { GroupRoom: 1 }, {}],
    ['of both kinds', { Room: 1, GroupRoom: 1 }, { Room: 'forbids', GroupRoom: 'forbids' }],
    ['of no kind', {}, { Room: 'choose-one' }],
  ])('%s', (_, wanted, expected) => {
    expect(errorsOf(wanted, room())).toEqual(expected)
  })

  test('of several is limited to controllers', () => {
    expect(errorsOf({ GroupRoom: 1 }, room({ isController: false }))).toEqual({
      GroupRoom: 'controllers-only',
    })
  })

  test('of several keeps its kind regardless of who changes it', () => {
    const about = context({ GroupRoom: 1 }, { type: 'room', isController: false })
    expect(errorsOf({ GroupRoom: 1 }, about)).toEqual({})
    expect(errorsOf({ Room: 1 }, about)).toEqual({ GroupRoom: 'controllers-only' })
  })
})

test('a domain keeps its hosting', () => {
  expect(errorsOf({}, context({ DomainHosting: 1 }, { type: 'domain' }))).toEqual({
    DomainHosting: 'mandatory',
  })
})

test('SKUs that the tenant does not sell are not required', () => {
  const all = context()
  const poor = { ...all, skus: all.skus.map((sku) => ({ ...sku, active: sku.handler === 'Mailbox' })) }
  expect(errorsOf({ Mailbox: 1 }, poor)).toEqual({})
})

describe('a quantity', () => {
  test.each([
    [0, 0],
    [7, 7],
    ['7', 7],
    ['007', 7],
    [1e9, 1e9],
  ])('%j is %i', (value, expected) => {
    expect(readQuantity(value)).toBe(expected)
  })

  test.each([
    [-1],
    [1.5],
    ['1.5'],
    ['-1'],
    ['1e3'],
    ['0x1'],
    ['many'],
    [''],
    ['1'.repeat(11)],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [2 ** 60],
    [null],
    [undefined],
    [true],
    [[1]],
    [{ count: 1 }],
  ])('%j is none', (value) => {
    expect(readQuantity(value)).toBeUndefined()
  })
})

test('any quantity gets a result, and valid ones are integers within bounds', () => {
  const ids = fc.oneof(fc.constantFrom(...handlerNames), fc.string())
  const values = fc.oneof(fc.integer({ min: -2, max: 110 }), fc.anything())
  const types = fc.constantFrom('user', 'domain', 'group', 'resource', 'sharedFolder', 'room')
  fc.assert(
    fc.property(fc.dictionary(ids, values), types, (given, type) => {
      const about = context({}, { type })
      const { wanted, errors } = checkSubscriptions(new Map(Object.entries(given)), about)
      if (errors.size > 0) return
      for (const sku of about.skus) {
        const units = wanted.get(sku.id) ?? 0
        const { range, readonly: isBasic, type: own } = handlers[sku.handler]
        expect(units).toBeLessThanOrEqual(own === type ? (range?.max ?? 1) : 0)
        if (isBasic && own === type) expect(units).toBeGreaterThan(0)
      }
    }),
  )
})
