import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import { expect, test } from 'vitest'
import {
  completeUnits,
  heldUnits,
  isChosen,
  isOneOf,
  lockOf,
  sortSkus,
  toggle,
  type Units,
  withUnits,
} from './rules.ts'
import { testSku, userSkus } from './sku.test-data.ts'

const basic = { mailbox: 1, storage: 5 }

function find(handler: string, skus: readonly Sku[] = userSkus): Sku {
  const found = skus.find((sku) => sku.handler === handler)
  if (!found) throw new Error(`no ${handler}`)
  return found
}

const lock = (handler: string, units: Units) => lockOf(find(handler), userSkus, units, {})
const press = (handler: string, on: boolean, units: Units) => toggle(find(handler), on, userSkus, units)

test('the most important SKU comes first', () => {
  expect(sortSkus(userSkus).map(({ handler }) => handler)).toEqual([
    ...['Mailbox', 'Storage', 'Groupware', 'Activesync', 'Auth2F', 'Beta'],
  ])
})

test('the held units are a selection that changes nothing', () => {
  expect(
    heldUnits({ storage: { count: 5, costs: [0, 0, 0, 0, 0] }, mailbox: { count: 1, costs: [500] } }),
  ).toEqual(basic)
})

test('required SKUs are present with their free units', () => {
  expect(completeUnits(userSkus, {})).toEqual(basic)
  expect(completeUnits(userSkus, { storage: 30 })).toEqual({ mailbox: 1, storage: 30 })
  expect(isChosen(find('Mailbox'), {})).toBe(true)
  expect(lock('Mailbox', basic)).toEqual({ kind: 'included' })
})

test('a SKU that requires another is locked without it and removed with it', () => {
  expect(lock('Activesync', basic)).toEqual({ kind: 'requires', others: ['Groupware'] })
  const both = press('Activesync', true, press('Groupware', true, basic))
  expect(both).toEqual({ ...basic, activesync: 1, groupware: 1 })
  expect(press('Groupware', false, both)).toEqual(basic)
})

test('a SKU that excludes another removes it and locks it until it is removed itself', () => {
  const synced = { ...basic, activesync: 1, groupware: 1 }
  expect(lock('Auth2F', synced)).toBeUndefined()
  const secure = press('Auth2F', true, synced)
  expect(secure).toEqual({ ...basic, auth2f: 1, groupware: 1 })
  expect(lock('Activesync', secure)).toEqual({ kind: 'forbidden', others: ['Auth2F'] })
  expect(lock('Activesync', press('Auth2F', false, secure))).toBeUndefined()
})

test('exactly one of mutually exclusive SKUs is selected', () => {
  const rooms = [
    testSku('Room', { exclusive: ['GroupRoom'] }),
    testSku('GroupRoom', { exclusive: ['Room'], cost: 300 }),
  ]
  const [room] = rooms
  if (!room) throw new Error('no room')
  expect(rooms.map((sku) => isOneOf(sku, rooms))).toEqual([true, true])
  expect(isOneOf(room, [room])).toBe(false)
  expect(lockOf(room, rooms, { room: 1 }, {})).toBeUndefined()
  expect(toggle(find('GroupRoom', rooms), true, rooms, { room: 1 })).toEqual({ grouproom: 1 })
})

test('SKUs not on sale can be kept and removed, but not added', () => {
  const skus = [testSku('Beta', { active: 0 })]
  const beta = find('Beta', skus)
  expect(lockOf(beta, skus, {}, {})).toEqual({ kind: 'notOnSale' })
  expect(lockOf(beta, skus, {}, { beta: { count: 1, costs: [0] } })).toBeUndefined()
  expect(lockOf(beta, skus, { beta: 1 }, {})).toBeUndefined()
})

test('equal selections have the same form, however they were made', () => {
  const back = press('Groupware', false, press('Groupware', true, basic))
  expect(JSON.stringify(back)).toBe(JSON.stringify(basic))
  const more = withUnits(find('Storage'), 5, userSkus, withUnits(find('Storage'), 9, userSkus, basic))
  expect(JSON.stringify(more)).toBe(JSON.stringify(basic))
})
