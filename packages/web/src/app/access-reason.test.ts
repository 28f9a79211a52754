// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { accessReason } from './access-reason.ts'
import type { Permission } from './auth.ts'
import { testUser } from './user.test-data.ts'

const owner: Permission[] = ['settings', 'users', 'wallets']

test.each<[string, Permission, ReturnType<typeof testUser>, string, string | undefined]>([
  [
    'a degraded owner at the rooms',
    'rooms',
    testUser(owner, { isDegraded: true }),
    'access.degraded',
    '/wallet',
  ],
  [
    'a degraded member at the files',
    'files',
    testUser([], { isDegraded: true }),
    'access.degradedMember',
    undefined,
  ],
  [
    'an owner without a domain at the lists',
    'distlists',
    testUser([...owner, 'domains']),
    'access.noDomain',
    '/domain/new',
  ],
  ['an owner whose plan has no domain', 'distlists', testUser(owner), 'access.plan', undefined],
  ['the same at the domains', 'domains', testUser(owner), 'access.plan', undefined],
  [
    'an owner whose operator offers no lists',
    'distlists',
    testUser([...owner, 'domains', 'folders']),
    'access.off',
    undefined,
  ],
  ['a member at the users', 'users', testUser(), 'access.role', undefined],
  ['a member at the domains', 'domains', testUser(), 'access.role', undefined],
  ['a member at the wallet', 'wallets', testUser(), 'error.hintWallet', undefined],
  ['a member at files that are switched off', 'files', testUser(), 'access.off', undefined],
])('%s reads why, and what to do', (_, perm, user, hint, remedy) => {
  const reason = accessReason(perm, user)
  expect(reason.hint).toBe(hint)
  expect(reason.remedy?.to).toBe(remedy)
})
