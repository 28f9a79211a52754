import { errorEnvelope } from '@gatehouse/contract/envelope'
import { bodyLimitOf, type RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain, signInAs, strongPassword } from '../../testing/factories.ts'
import { makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer } from '../../testing/payments/sandbox.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let token = ''
const own = new Map<string, string>()

/** Fills a path with an object of the caller, or else with the caller. */
function ownPath(path: string): string {
  const collection = /^\/api\/v4\/([a-z-]+)\//.exec(path)?.[1] ?? ''
  return path.replace('{id}', own.get(collection) ?? own.get('users') ?? '')
}

beforeAll(async () => {
  const payer = await makePayer(app(), { plan: 'group' })
  await makeMandate(app(), payer)
  const { user } = payer
  own.set('users', String(user.id))
  own.set('wallets', user.walletId)
  const domain = { type: 4, status: 50, walletId: user.walletId }
  own.set('domains', String(await makeDomain(app(), 'fuzzy.test', domain)))
  token = (await signInAs(app(), user)).access_token
  const facts = {
    email: 'all@fuzzy.test',
    members: ['x@y.test'],
    domain: 'fuzzy.test',
    type: 'mail',
    name: 'All',
    url: 'https://hooks.example.org/',
    types: [],
  }
  const file = await app().call('POST /api/v4/fs?name=fuzzy.txt', { token, body: 'x' })
  own.set('fs', String(file.body.id))
  for (const collection of ['groups', 'resources', 'shared-folders', 'rooms', 'webhooks']) {
    const { body } = await app().call(`POST /api/v4/${collection}`, { token, body: facts })
    own.set(collection, String(body.id))
  }
})

/** Texts that a user, a broken client or an attacker might send. */
const texts: Record<string, string> = {
  empty: '',
  blanks: '  \t\n',
  NUL: 'a\0b',
  'lone surrogate': 'a\ud800b',
  'lone low surrogate': '\udfff',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
  'right to left': '\u202egnp.exe مرحبا',
  'full-width digits': '１２３４５６',
  combining: 'e\u0301\u0323'.repeat(50),
  SQL: `'; drop table users; --`,
  'SQL in quotes': `" or ""="`,
  HTML: '<script>alert(1)</script>',
  proto: '__proto__',
  constructor: 'constructor',
  percent: '%',
  'percent-encoded': '%00%0d%0a',
  wildcards: '%_\\',
  'line breaks': 'a\r\nBcc: victim@example.test',
  backslash: '\\u003cb\\u003e',
  template: '{{7*7}}#{7*7}<%= 7*7 %>',
  path: '../../../../etc/passwd',
  'byte order mark': '\ufeffuser@example.test',
  'not a character': '\uffff\ufffe',
  long: 'x'.repeat(100_000),
  'long address': `${'x'.repeat(300)}@example.test`,
}

const values: Record<string, unknown> = {
  ...texts,
  null: null,
  true: true,
  false: false,
  zero: 0,
  'negative number': -1,
  fraction: 1.5,
  'huge number': 1e308,
  'beyond exact numbers': 2 ** 60,
  'empty list': [],
  list: ['a', 1, null, ['b']],
  'empty object': {},
  object: { a: { b: 'c' }, key: 'value' },
  'object like a message': { key: 'validation.required', toString: 'x' },
  deep: JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown,
}

/** Valid input by field, so that each hostile value reaches the code behind other fields. */
const usual: Record<string, unknown> = {
  email: 'somebody@example.test',
  password: strongPassword,
  password_confirmation: strongPassword,
  secondfactor: '123456',
  refresh_token: 'x'.repeat(43),
  code: 'A'.repeat(32),
  short_code: 'ABCDE',
  plan: 'individual',
  first_name: 'Jo',
  last_name: 'Doe',
  login: 'somebody',
  domain: 'example.test',
  summary: 'Help',
  body: 'Please',
  name: 'Jo',
  namespace: 'fuzzed.test',
  spf_whitelist: ['.a.test'],
  members: ['x@y.test'],
  sender_policy: ['a.test'],
  invitation_policy: 'accept',
  acl: ['anyone, read-only'],
}

/** Encodes like a browser: lone surrogates become the replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

let caller = 0

/** Returns a different address for each call, so that throttling doesn't hide other results. */
function nextAddress(): string {
  caller += 1
  return `198.${18 + (caller >> 16)}.${(caller >> 8) & 255}.${caller & 255}`
}

/** Once, because a schema is compiled at its first use. */
const strictEnvelope = errorEnvelope.strict()

function expectAnswer(answer: Answer, allowed: readonly number[], about = ''): void {
  const said = `${about} ${JSON.stringify(answer.body).slice(0, 300)}`
  expect(allowed, `${answer.status} ${said}`).toContain(answer.status)
  const isFile = answer.status === 200 && answer.headers['content-disposition'] !== undefined
  // the type of a sent file is checked by its route's tests
  if (!isFile) expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  if (answer.status === 200) return
  const envelope = strictEnvelope.safeParse(answer.body)
  expect(envelope.error, said).toBeUndefined()
  expect(answer.body.errors !== undefined, said).toBe(answer.status === 422)
}

// uploaded files are not JSON; the tests of imports send hostile ones. Calls of staff are made on their own
// hosts
const table = (Object.entries(routes) as [string, RouteDefinition][])
  .filter(([, { upload, hosts }]) => upload !== true && (hosts?.includes('user') ?? true))
  .map(([key, definition]) => {
    const space = key.indexOf(' ')
    return { key, method: key.slice(0, space), path: key.slice(space + 1), definition }
  })

/** Excludes the documented 500 of a support form without recipient. */
const documented = (definition: RouteDefinition) => [
  200,
  400,
  ...definition.errors.filter((status) => status < 500),
]

/** Adds the status for a body that the call rejects regardless of content. */
function documentedFor(definition: RouteDefinition, body: string): number[] {
  return Buffer.byteLength(body) > bodyLimitOf(definition) ? [413] : documented(definition)
}

async function send(method: string, path: string, body: unknown, signedIn = true): Promise<Answer> {
  return app().call(`${method} ${path}`, {
    ip: nextAddress(),
    ...(signedIn && { token }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
}

/** Makes independent calls a few at a time: while the database works on one, the next is prepared. */
async function inParallel<T>(cases: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...cases]
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: 6 }, next))
}

describe('hostile values in the body', () => {
  const cases = table.flatMap((call) =>
    Object.keys(call.definition.body?.shape ?? {}).map((field) => ({ ...call, field })),
  )
  test.each(cases)('$key: $field', async ({ method, path, definition, field }) => {
    const fields = Object.keys(definition.body?.shape ?? {})
    const known = Object.fromEntries(
      fields.filter((name) => name in usual).map((name) => [name, usual[name]]),
    )
    // some calls check permissions before they validate the input
    const target = ownPath(path)
    await inParallel(Object.entries(values), async ([name, value]) => {
      const sent = { ...known, [field]: value }
      const answer = await send(method, target, sent)
      expectAnswer(answer, documentedFor(definition, JSON.stringify(sent)))
      const isTaken = definition.body?.shape[field]?.safeParse(value).success === true
      // a path with an unfilled parameter isn't found, and a token of another kind is rejected; both take
      // precedence over the input
      const isThere = !target.includes('{') && (definition.scopes?.includes('api') ?? true)
      const isWrongType =
        isThere && typeof value === 'object' && value !== null && name !== 'deep' && !isTaken
      if (isWrongType) {
        expect(answer.status, name).toBe(422)
        expect(Object.keys(answer.body.errors), name).toContain(field)
      }
    })
    const { [field]: _, ...without } = known
    expectAnswer(await send(method, target, without), documented(definition))
  })
})

describe('hostile values in the path', () => {
  const cases = table.filter(({ path }) => path.includes('{'))
  test.each(cases)('$key', async ({ method, path, definition }) => {
    const raw = ['%', '%E0%A4%A', '%00', '..', '%2e%2e', '%2F', ';', '+', '__proto__', '1/../2', '//']
    await inParallel([...Object.values(texts).map(encoded), ...raw], async (segment) => {
      const answer = await send(method, path.replace(/\{.+?\}/, segment), undefined)
      expectAnswer(answer, [404, ...documented(definition)])
    })
  })
})

/** Texts that a query can change on their way. */
const encodedTexts = ['empty', 'NUL', 'lone surrogate', 'emoji', 'percent', 'percent-encoded', 'line breaks']

describe('hostile values in the query', () => {
  const cases = table.flatMap((call) => {
    const inQuery = Object.keys(call.definition.query?.shape ?? {})
    const inBody = Object.keys(call.definition.body?.shape ?? {}).filter((name) => !inQuery.includes(name))
    return [
      ...inQuery.map((field) => ({ ...call, field, sent: Object.keys(texts) })),
      // a field of the body is read from the query alike, and the body has had the other texts
      ...inBody.map((field) => ({ ...call, field, sent: encodedTexts })),
    ]
  })
  test.each(cases)('$key: $field', async ({ method, path, definition, field, sent }) => {
    const target = ownPath(path).replace('{*}', 'signup')
    const queries = sent
      .flatMap((name) => texts[name] ?? [])
      .filter((text) => text.length <= 5000)
      .map((text) => `${field}=${encoded(text)}`)
    const malformed = [
      field,
      `${field}=%`,
      `${field}=%E0%A4%A`,
      `${field}=a&${field}=b`,
      `${field}[]=a`,
      '__proto__=a&__proto__=b',
      '&&=&',
    ]
    await inParallel([...queries, ...malformed], async (query) => {
      expectAnswer(await send(method, `${target}?${query}`, undefined), documented(definition))
    })
  })
})

describe('hostile bodies', () => {
  const bodies: [name: string, body: string, type: string][] = [
    ['a list', '[1,2]', 'application/json'],
    ['a text', '"text"', 'application/json'],
    ['a number', '1', 'application/json'],
    ['null', 'null', 'application/json'],
    ['no JSON', '{"email":', 'application/json'],
    ['JSON with a prototype', '{"__proto__":{"email":"a"}}', 'application/json'],
    ['JSON with a constructor', '{"constructor":{"prototype":{"email":"a"}}}', 'application/json'],
    ['very deep JSON', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'application/json'],
    ['a text of another type', 'hello', 'text/plain'],
    ['XML', '<a/>', 'application/xml'],
    ['a picture', '\u0001\u0002', 'image/png'],
    ['a broken type', '{}', 'application/json; charset'],
    ['no type at all', '{}', ';;;'],
    ['multipart', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
  ]
  const cases = table.filter(({ method }) => method === 'POST')
  test.each(cases)('$key', async ({ path, definition }) => {
    await inParallel(bodies, async ([name, body, type]) => {
      const answer = await app().call(`POST ${path}`, {
        body,
        token,
        ip: nextAddress(),
        headers: { 'content-type': type },
      })
      const isUnreadable = !['very deep JSON', 'a broken type'].includes(name)
      expectAnswer(answer, isUnreadable ? [400] : documentedFor(definition, body), name)
    })
    const large = await app().call(`POST ${path}`, {
      body: JSON.stringify({ email: 'x'.repeat(Math.max(1024 * 1024, definition.bodyLimit ?? 0)) }),
      token,
      ip: nextAddress(),
      headers: { 'content-type': 'application/json' },
    })
    expectAnswer(large, [413])
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const empty = await app().call(`POST ${path}`, {
        body: '',
        ip: nextAddress(),
        headers: { 'content-type': type },
      })
      expectAnswer(empty, documented(definition))
    }
    const form = await app().call(`POST ${path}`, {
      body: 'email=a%00b&__proto__=x&code=%ff&a[b]=c&&=',
      ip: nextAddress(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expectAnswer(form, documented(definition))
  })
})

describe('hostile tokens and headers', () => {
  const headers: Record<string, string>[] = [
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${'x'.repeat(5000)}` },
    { authorization: 'Bearer a b' },
    { authorization: 'Basic dXNlcjpwYXNz' },
    { authorization: "Bearer ' or 1=1" },
    { 'accept-language': '*;q=x,,;;en-' },
    { cookie: 'language=%E0%A4%A; language' },
    { 'x-forwarded-for': 'nobody, ::1, 1.2.3.4.5' },
    { 'x-forwarded-for': '8.8.8.8', 'x-client-ip': '::::::' },
    { host: 'admin.localhost:99999' },
    { host: '[::1]:80' },
    { host: '' },
    { 'user-agent': 'ü'.repeat(2000) },
    { 'idempotency-key': '' },
    { 'idempotency-key': 'short' },
    { 'idempotency-key': 'x'.repeat(300) },
  ]
  test.each(table)('$key', async ({ method, path, definition }) => {
    const target = ownPath(path).replace('{*}', 'signup')
    await inParallel(headers, async (header) => {
      const answer = await app().call(`${method} ${target}`, { headers: header })
      expectAnswer(answer, [404, ...documented(definition)])
      if (definition.auth === 'token' && answer.status !== 404) expect(answer.status).toBe(401)
    })
  })
})

test('hostile input created nothing', async () => {
  const { rows } = await app().database.pool.query<Record<string, number>>(
    `select (select count(*) from users) as users, (select count(*) from domains) as domains,
       (select count(*) from directory_objects) as objects, (select count(*) from sessions) as sessions`,
  )
  expect(rows).toEqual([{ users: 1, domains: 1, objects: 3, sessions: 2 }])
})

test('jobs enqueued by accepted input are processed without errors', async () => {
  await app().jobs.drain()
  expect(await app().jobs.failed()).toEqual([])
  // there are many
}, 120_000)
