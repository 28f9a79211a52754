import { domainType } from '@gatehouse/contract/status'
import { makeApiKey } from '../../testing/borrowed.ts'
import { type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import type { Answer, TestApp } from '../../testing/test-app.ts'
import { enterpriseUrn, userUrn } from '../schemas/user-schema.ts'

/** An account with a domain of its own and a key for directory sync. */
export interface ScimAccount {
  readonly owner: MadeUser
  readonly domain: string
  readonly key: string
  /** Makes a request: `scim('GET /Users')`. */
  readonly scim: (route: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  /** Creates a user; returns the resource. */
  readonly add: (name: string, more?: Record<string, unknown>) => Promise<Answer['body']>
}

let counter = 0

export async function makeScimAccount(
  app: TestApp,
  scopes: readonly string[] = ['scim:write'],
): Promise<ScimAccount> {
  const domain = `company${++counter}.test`
  const owner = await makeUser(app, { plan: 'group' })
  await makeDomain(app, domain, { type: domainType.external, walletId: owner.walletId })
  const key = await makeApiKey(app, owner, { kind: 'account', name: 'Entra', scopes })
  const scim: ScimAccount['scim'] = (route, body, headers) => request(app, key, route, { body, headers })
  const add: ScimAccount['add'] = async (name, more = {}) => {
    const made = await scim('POST /Users', userBody(`${name}@${domain}`, more))
    if (made.status !== 201) throw new Error(`no user: ${JSON.stringify(made.body)}`)
    return made.body
  }
  return { owner, domain, key, scim, add }
}

/** A resource of a new user. */
export function userBody(userName: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schemas: [userUrn, enterpriseUrn],
    userName,
    name: { givenName: 'Ann', familyName: 'Lee' },
    active: true,
    emails: [{ value: userName, type: 'work', primary: true }],
    ...more,
  }
}

/** A change with operations. */
export function patchBody(...operations: Record<string, unknown>[]): Record<string, unknown> {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

/** Makes a request with a token; the answer's JSON is parsed. */
export async function request(
  app: TestApp,
  token: string | undefined,
  route: string,
  {
    body,
    headers = {},
  }: { readonly body?: unknown; readonly headers?: Record<string, string> | undefined } = {},
): Promise<Answer> {
  const space = route.indexOf(' ')
  const [method, path] = [route.slice(0, space), route.slice(space + 1)]
  const answer = await app.call(`${method} /api/scim/v2${path}`, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { ...(body !== undefined && { 'content-type': 'application/scim+json' }), ...headers },
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/scim+json')
  return { ...answer, body: isJson ? JSON.parse(answer.body as string) : answer.body } // a text, see `TestApp.call`
}
