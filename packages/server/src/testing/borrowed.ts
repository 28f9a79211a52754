import { makeClient, obtainTokens, type SignedIn } from './oauth.ts'
import type { MadeStaff } from './staff.ts'
import type { CallOptions, TestApp } from './test-app.ts'

/** Returns a token of a session in which support staff impersonate a user. */
export async function impersonate(
  app: TestApp,
  staff: MadeStaff,
  userId: number,
  options: Pick<CallOptions, 'host'> = {},
): Promise<string> {
  const path = `POST /api/v4/users/${userId}/login-as`
  const begun = await staff.call(path, { ...options, body: { reason: 'Ticket 7: no mail' } })
  const code = new URL(begun.body.redirectUrl).hash.slice(1)
  const { body } = await app.call('POST /api/auth/login-as', { body: { code } })
  return body.access_token as string // otherwise the call that uses it fails
}

/** Returns an access token for an application with a user's consent. The app's clock must be right. */
export async function appToken(app: TestApp, person: SignedIn): Promise<string> {
  const scopes = ['openid', 'api', 'fs'] as const
  const client = await makeClient(app, { scopes })
  return (await obtainTokens(app, person, client, { scope: scopes.join(' ') })).access_token
}
