// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { Variant } from '../../platform/config.ts'
import { neededPermission } from '../../platform/navigation/route-entry.ts'
import type { Permission } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { cockpitRoutes } from '../cockpit.ts'
import { guard } from './guards.ts'
import { routeTable } from './route-table.ts'

function route(path: string, variant: Variant = 'user') {
  const entry = [...cockpitRoutes, ...routeTable].find(
    (other) => other.path === path && other.variants.includes(variant),
  )
  if (!entry) throw new Error(`no route ${path} for ${variant}`)
  return entry
}

const nobody = { loggedIn: false }

test('the route table has the permissions of the specification', () => {
  const expected: Record<string, Permission> = {
    '/distlist/$id': 'distlists',
    '/distlists': 'distlists',
    '/companion/$companion': 'companionapps',
    '/companions': 'companionapps',
    '/domain/$id': 'domains',
    '/domains': 'domains',
    '/files/{-$parent}': 'files',
    '/resource/$id': 'resources',
    '/resources': 'resources',
    '/room/$id': 'rooms',
    '/rooms': 'rooms',
    '/activity': 'users',
    '/policies': 'settings',
    '/shared-folder/$id': 'folders',
    '/shared-folders': 'folders',
    '/user/$user': 'users',
    '/users/add': 'users',
    '/users': 'users',
    '/import': 'users',
    '/import/$batch': 'users',
    '/wallet': 'wallets',
  }
  const found = routeTable.flatMap((entry) => {
    const perm = entry.variants.includes('user') && neededPermission(entry, 'user')
    return perm ? [[entry.path, perm]] : []
  })
  expect(Object.fromEntries(found)).toEqual(expected)
})

test('each variant has each path once', () => {
  for (const variant of ['user', 'admin', 'reseller'] as const) {
    const paths = [...cockpitRoutes, ...routeTable]
      .filter((entry) => entry.variants.includes(variant))
      .map((entry) => entry.path)
    expect(paths).toEqual([...new Set(paths)])
  }
})

test.each(['/login', '/logout', '/signup/$', '/password-reset/{-$code}', '/meet/$room', '/$'])(
  '%s is open to everyone',
  (path) => {
    expect(guard(route(path), nobody, 'user').kind).toBe('pass')
  },
)

test.each(['/dashboard', '/settings', '/payment/status', '/users', '/oauth/authorize', '/file/$file'])(
  '%s requires sign-in',
  (path) => {
    expect(guard(route(path), nobody, 'user').kind).toBe('login')
  },
)

test('a missing permission is reported by name', () => {
  const auth = { loggedIn: true, user: testUser(['users']) }
  expect(guard(route('/users'), auth, 'user')).toEqual({ kind: 'pass' })
  expect(guard(route('/wallet'), auth, 'user')).toEqual({ kind: 'forbidden', perm: 'wallets' })
})

test('staff need no permissions for objects, nor resellers for their wallet', () => {
  const auth = { loggedIn: true, user: testUser() }
  expect(guard(route('/user/$user', 'admin'), auth, 'admin').kind).toBe('pass')
  expect(guard(route('/wallet', 'reseller'), auth, 'reseller').kind).toBe('pass')
})

test('a locked user can open only the payment status and public pages', () => {
  const auth = { loggedIn: true, user: testUser(['users'], { isLocked: true }) }
  expect(guard(route('/dashboard'), auth, 'user').kind).toBe('locked')
  expect(guard(route('/users'), auth, 'user').kind).toBe('locked')
  expect(guard(route('/payment/status'), auth, 'user').kind).toBe('pass')
  expect(guard(route('/logout'), auth, 'user').kind).toBe('pass')
  expect(guard(route('/meet/$room'), auth, 'user').kind).toBe('pass')
})

test('the lock applies only to ordinary users', () => {
  const auth = { loggedIn: true, user: testUser([], { isLocked: true }) }
  expect(guard(route('/dashboard', 'admin'), auth, 'admin').kind).toBe('pass')
})

test.each(['user', 'admin'] as const)(
  'users who must set up a second factor on %s can open only that page',
  (variant) => {
    const auth = { loggedIn: true, user: testUser(['users'], { mustEnrol: true, isLocked: true }) }
    expect(guard(route('/dashboard', variant), auth, variant).kind).toBe('enrol')
    expect(guard(route('/security', variant), auth, variant).kind).toBe('enrol')
    expect(guard(route('/enrol', variant), auth, variant).kind).toBe('pass')
    expect(guard(route('/logout', variant), auth, variant).kind).toBe('pass')
  },
)

test('a user with nothing to set up is redirected from the setup page', () => {
  const auth = { loggedIn: true, user: testUser() }
  expect(guard(route('/enrol'), auth, 'user').kind).toBe('enrolled')
  expect(guard(route('/enrol'), nobody, 'user').kind).toBe('login')
})
