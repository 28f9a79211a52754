import { makeClient, obtainTokens, type SignedIn } from './oauth.ts'
import type { MadeStaff } from './staff.ts'
import type { CallOptions, TestApp } from './test-app.ts'

/** A token of a session of support staff as a user. */
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
  return body.access_token as string // or the call that uses it fails
}

/** A token with which an application acts for a person who has consented. The clock of the app must be right. */
export async function appToken(app: TestApp, person: SignedIn): Promise<string> {
  const scopes = ['openid', 'api', 'fs'] as const
  const client = await makeClient(app, { scopes })
  return (await obtainTokens(app, person, client, { scope: scopes.join(' ') })).access_token
}
