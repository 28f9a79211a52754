import { expect, test } from 'vitest'
import { testDetail } from '../user.test-data.ts'
import {
  baseOf,
  changedFields,
  changedSkus,
  countListChanges,
  mergeValues,
  type UserValues,
  updateOf,
} from './user-values.ts'

const { values: base } = baseOf(testDetail())

const changed = (change: Partial<UserValues>): UserValues => ({ ...base, ...change })

test('an unchanged user has nothing to send', () => {
  expect(changedFields(base, base)).toEqual([])
  expect(updateOf(base, base)).toEqual({})
})

test.each<[Partial<UserValues>, object]>([
  [{ first_name: 'Edward' }, { first_name: 'Edward' }],
  [{ first_name: '' }, { first_name: null }],
  [{ aliases: [] }, { aliases: [] }],
  [{ skus: { mailbox: 1, storage: 6 } }, { skus: { mailbox: 1, storage: 6 } }],
  [{ passwordLinkCode: 'S-c' }, { passwordLinkCode: 'S-c' }],
  [{ password: 'abc' }, { password: 'abc', password_confirmation: null }],
  [{ password_confirmation: 'abc' }, { password: null, password_confirmation: 'abc' }],
])('of %j only that is sent', (change, update) => {
  expect(updateOf(changed(change), base)).toEqual(update)
})

test('applies the input to a newer state', () => {
  const theirs: UserValues = {
    ...base,
    first_name: 'Edgar',
    phone: '1',
    aliases: ['two@acme.test', 'theirs@acme.test'],
    skus: { mailbox: 1, storage: 9 },
  }
  const mine = changed({
    last_name: 'Mine',
    phone: '2',
    aliases: ['one@acme.test', 'mine@acme.test'],
    skus: { groupware: 1, mailbox: 1, storage: 5 },
  })
  expect(mergeValues(mine, base, theirs)).toEqual({
    ...theirs,
    last_name: 'Mine',
    phone: '2',
    aliases: ['theirs@acme.test', 'mine@acme.test'],
    skus: { groupware: 1, mailbox: 1, storage: 9 },
  })
})

test('counts changes as a person would', () => {
  expect(countListChanges(['a', 'b'], ['a', 'b'])).toBe(0)
  expect(countListChanges(['a', 'x'], ['a', 'b'])).toBe(1)
  expect(countListChanges(['a', 'b', 'c'], ['a'])).toBe(2)
  expect(changedSkus({ a: 1, b: 2 }, { b: 1, c: 1 })).toEqual(['b', 'c', 'a'])
})
