// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { customerNumber } from '../../i18n/format.ts'
import { shownWallets } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { balances } from './board/balances.ts'
import { fullName, greetingAt } from './greeting.ts'

test.each([
  [0, 'dashboard.evening'],
  [4, 'dashboard.evening'],
  [5, 'dashboard.morning'],
  [11, 'dashboard.morning'],
  [12, 'dashboard.afternoon'],
  [17, 'dashboard.afternoon'],
  [18, 'dashboard.evening'],
  [23, 'dashboard.evening'],
])('at %i h the greeting is %s', (hour, greeting) => {
  expect(greetingAt(hour)).toBe(greeting)
})

test('formats customer numbers in groups of four', () => {
  expect(customerNumber(44712093)).toBe('4471\u00a02093')
  expect(customerNumber(4294967295)).toBe('4294\u00a09672\u00a095')
  expect(customerNumber(12)).toBe('12')
})

test('shows a partial name', () => {
  expect(fullName(testUser([], { settings: { first_name: 'Jane', last_name: 'Favre' } }))).toBe('Jane Favre')
  expect(fullName(testUser([], { settings: { last_name: 'Favre' } }))).toBe('Favre')
  expect(fullName(testUser())).toBe('')
})

test('adds up balances by currency only', () => {
  const { wallet } = testUser()
  const of = (currency: string, balance: number) => ({ ...wallet, currency, balance })
  expect(balances([of('CHF', 100), of('EUR', -50), of('CHF', -30)])).toEqual([
    { currency: 'CHF', amount: 70 },
    { currency: 'EUR', amount: -50 },
  ])
})

test("shows the user's own wallets and those of managed accounts, the paying one first", () => {
  const user = testUser()
  const [controlled] = user.accounts
  if (!controlled) throw new Error('no account')
  expect(shownWallets(user)).toEqual([...user.wallets, ...user.accounts])
  expect(shownWallets({ ...user, wallets: [] })).toEqual(user.accounts)
  // a user paid for by another account has an unused wallet
  expect(shownWallets({ ...user, wallet: controlled })).toEqual([controlled])
  const used = user.wallets.map((wallet) => ({ ...wallet, balance: 5 }))
  expect(shownWallets({ ...user, wallets: used, wallet: controlled })).toEqual([controlled, ...used])
})
