// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { Permission } from '../platform/session/auth.ts'
import { testUser } from '../platform/session/user.test-data.ts'
import { accessReason } from './access-reason.ts'

const owner: Permission[] = ['settings', 'users', 'wallets']

test.each<[string, Permission, ReturnType<typeof testUser>, string, string | undefined]>([
  [
    'a degraded owner at the rooms',
    'rooms',
    testUser(owner, { isDegraded: true }),
    'error.accessDegraded',
    '/wallet',
  ],
  [
    'a degraded member at the files',
    'files',
    testUser([], { isDegraded: true }),
    'error.accessDegradedMember',
    undefined,
  ],
  [
    'an owner without a domain at the lists',
    'distlists',
    testUser([...owner, 'domains']),
    'error.accessNoDomain',
    '/domain/new',
  ],
  ['an owner whose plan has no domain', 'distlists', testUser(owner), 'error.accessPlan', undefined],
  ['the same at the domains', 'domains', testUser(owner), 'error.accessPlan', undefined],
  [
    'an owner whose operator offers no lists',
    'distlists',
    testUser([...owner, 'domains', 'folders']),
    'error.accessOff',
    undefined,
  ],
  ['a member at the users', 'users', testUser(), 'error.accessRole', undefined],
  ['a member at the domains', 'domains', testUser(), 'error.accessRole', undefined],
  ['a member at the wallet', 'wallets', testUser(), 'error.hintWallet', undefined],
  ['a member at files that are switched off', 'files', testUser(), 'error.accessOff', undefined],
])('%s reads why, and what to do', (_, perm, user, hint, remedy) => {
  const reason = accessReason(perm, user)
  expect(reason.hint).toBe(hint)
  expect(reason.remedy?.to).toBe(remedy)
})
