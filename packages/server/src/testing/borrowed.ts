import { type MadeUser, signInAs } from './factories.ts'
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

interface KeyFacts {
  readonly kind?: 'personal' | 'account'
  readonly name?: string
  /** Defaults to everything that a key of its kind can have. */
  readonly scopes?: readonly string[]
  readonly networks?: readonly string[]
  readonly expires_at?: string | null
}

/** Creates an API key of a user by the API. */
export async function createKey(
  app: TestApp,
  user: Pick<MadeUser, 'email' | 'password'>,
  facts: KeyFacts = {},
): Promise<{ readonly id: string; readonly key: string; readonly token: string }> {
  const { access_token: token } = await signInAs(app, user)
  const kind = facts.kind ?? 'personal'
  const { body: listed } = await app.call('GET /api/v4/api-keys', { token })
  const groups = listed.groups as { group: string; accesses: string[]; isPersonal: boolean }[] // as in the contract
  const all = groups
    .filter(({ isPersonal }) => kind === 'personal' || !isPersonal)
    .flatMap(({ group, accesses }) => accesses.map((access) => `${group}:${access}`))
  const body = { kind, name: 'Backup', scopes: all, expires_at: null, ...facts }
  const made = await app.call('POST /api/v4/api-keys', { token, body })
  if (made.status !== 200) throw new Error(`no API key: ${JSON.stringify(made.body)}`)
  return { id: made.body.id as string, key: made.body.key as string, token } // as in the contract
}

/** Returns a new API key of a user. */
export async function makeApiKey(
  app: TestApp,
  user: Pick<MadeUser, 'email' | 'password'>,
  facts: KeyFacts = {},
): Promise<string> {
  return (await createKey(app, user, facts)).key
}
