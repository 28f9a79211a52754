// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { auth, hasPermission, hasSku, isController, updateStatus, updateUser } from './auth.ts'
import { testUser } from './user.test-data.ts'

test('a permission is the flag enable<Permission>', () => {
  const user = testUser(['wallets', 'loginAs'])
  expect(hasPermission('wallets', user)).toBe(true)
  expect(hasPermission('loginAs', user)).toBe(true)
  expect(hasPermission('users', user)).toBe(false)
  expect(hasPermission('wallets', undefined)).toBe(false)
})

test('counts a flag only if it is exactly true', () => {
  const user = testUser()
  Object.assign(user.statusInfo, { enableUsers: 1, enableDomains: 'true' })
  expect(hasPermission('users', user)).toBe(false)
  expect(hasPermission('domains', user)).toBe(false)
})

test('looks up subscriptions by title', () => {
  expect(hasSku('mailbox', testUser())).toBe(true)
  expect(hasSku('beta', testUser())).toBe(false)
})

test('own wallets and managed accounts are controlled', () => {
  const user = testUser()
  expect(isController('own', user)).toBe(true)
  expect(isController('controlled', user)).toBe(true)
  expect(isController('foreign', user)).toBe(false)
  expect(isController(undefined, user)).toBe(false)
})

test('merges changes into the signed-in user only', () => {
  auth.set({ loggedIn: true, user: testUser([], { isLocked: true }) })
  updateUser({ isLocked: false })
  expect(auth.get().user).toMatchObject({ isLocked: false, email: 'jane@acme.test' })
  auth.set({ loggedIn: false })
  updateUser({ isLocked: true })
  expect(auth.get()).toEqual({ loggedIn: false })
})

test('a status response updates permissions and flags, but not its outcome', () => {
  const user = testUser([], { isReady: false, isDegraded: true })
  auth.set({ loggedIn: true, user })
  const flags = { isActive: true, isSuspended: false, isDeleted: false, isImapReady: true }
  const more = { isDegraded: false, isRestricted: false, isReady: true, isAccountDegraded: false }
  const info = { ...testUser(['wallets']).statusInfo, skus: ['beta'] }
  updateStatus({ ...info, ...flags, ...more, status: 'success', message: 'Pushed.' })
  expect(auth.get().user).toEqual({ ...user, ...flags, ...more, isLdapReady: undefined, statusInfo: info })
})
