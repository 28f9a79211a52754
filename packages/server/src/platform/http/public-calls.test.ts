import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { expect, test } from 'vitest'

/** Calls that ignore the token. Their own tests show what strangers may do with them. */
const publicCalls = [
  'GET /api/auth/signup/domains',
  'GET /api/auth/signup/invitations/{id}',
  'GET /api/auth/signup/plans',
  'GET /api/v4/exports/downloads/{token}',
  'GET /api/v4/exports/keys',
  'GET /api/v4/fs/downloads/{downloadId}',
  'GET /api/v4/fs/links/{token}',
  'GET /api/v4/fs/links/{token}/items',
  'GET /api/v4/fs/previews/{previewId}',
  'GET /content/faq/{*}',
  'POST /api/auth/login',
  'POST /api/auth/login-as',
  'POST /api/auth/login/attempt',
  'POST /api/auth/login/attempt/cancel',
  'POST /api/auth/passkey',
  'POST /api/auth/passkey/options',
  'POST /api/auth/password-reset',
  'POST /api/auth/password-reset/attempt',
  'POST /api/auth/password-reset/init',
  'POST /api/auth/password-reset/verify',
  'POST /api/auth/refresh',
  'POST /api/auth/signup',
  'POST /api/auth/signup/init',
  'POST /api/auth/signup/validate',
  'POST /api/auth/signup/verify',
  'POST /api/oauth/logout',
  'POST /api/v4/companion/pair',
  'POST /api/v4/fs/links/{token}/download',
  'POST /api/v4/fs/links/{token}/open',
  'POST /api/v4/support/request',
]

test('exactly these calls on the users’ host need no token', () => {
  const table = Object.entries(routes) as [string, RouteDefinition][] // the keys of an object literal
  const found = table.filter(([, { auth, hosts }]) => auth === 'public' && (hosts?.includes('user') ?? true))
  expect(found.map(([key]) => key).sort()).toEqual(publicCalls)
})
