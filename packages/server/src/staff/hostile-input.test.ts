import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain, makeUser } from '../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
const own = new Map<string, string>()
let admin: MadeStaff
let reseller: MadeStaff

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller')
  const user = await makeUser(app())
  own.set('users', String(user.id))
  own.set('eventlog', String(user.id))
  own.set('wallets', user.walletId)
  own.set('tenants', '0')
  own.set('domains', String(await makeDomain(app(), 'own.test', { type: 4, walletId: user.walletId })))
})

const values: readonly unknown[] = [
  '',
  ' \t\n',
  'a\0b',
  'a\ud800b',
  '👩‍👩‍👧‍👦',
  '\u202egnp.exe',
  "'; drop table users; --",
  '__proto__',
  '%_\\',
  '%00%0d%0a',
  'a\r\nBcc: victim@example.test',
  '\0@x',
  '@',
  'cst_\0',
  'tr_%',
  '9'.repeat(400),
  'x'.repeat(100_000),
  '00000000-0000-7000-8000-000000000000',
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 60,
  [],
  ['a', null],
  {},
  { key: 'value' },
]

/** Valid input, so that each malicious value reaches the code behind the other checks. */
const usual: Record<string, unknown> = {
  comment: 'why',
  reason: 'abuse',
  amount: 1,
  description: 'because',
  discount: 10,
  email: 'somebody@elsewhere.test',
  active: true,
}

const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
  .filter(([, { hosts, upload }]) => hosts?.some((host) => host !== 'user') === true && upload !== true)
  .map(([key, definition]) => {
    const [method = '', path = ''] = key.split(' ')
    return { key, method, path, definition }
  })

function send(definition: RouteDefinition, method: string, path: string, body?: unknown): Promise<Answer> {
  const by = definition.hosts?.includes('admin') === true ? admin : reseller
  return by.call(`${method} ${path}`, {
    ...(method !== 'GET' && {
      body: JSON.stringify(body ?? {}),
      headers: { 'content-type': 'application/json' },
    }),
  })
}

function ownPath(path: string): string {
  const collection = /^\/api\/v4\/([a-z-]+)\//.exec(path)?.[1] ?? ''
  return path
    .replace('{type}', 'user')
    .replace('{chart}', 'users')
    .replace('{period}', '2026-01')
    .replace('{id}', own.get(collection) ?? '1')
    .replaceAll(/\{\w+\}/g, 'none')
}

/** Larger forms without files may be rejected for their size; other calls read four times as much. */
const bodyAlwaysRead = 64 * 1024

/** Once, because a schema is compiled at its first use. */
const strictEnvelope = errorEnvelope.strict()

function expectAnswer(answer: Answer, definition: RouteDefinition, about: string, bytes = 0): void {
  const tooLarge = bytes > bodyAlwaysRead ? [413] : []
  const allowed = [200, 400, 404, ...tooLarge, ...definition.errors.filter((status) => status < 500)]
  expect(allowed, `${about}: ${JSON.stringify(answer.body).slice(0, 300)}`).toContain(answer.status)
  if (answer.status === 200) return
  expect(strictEnvelope.safeParse(answer.body).error, about).toBeUndefined()
}

describe('malicious staff input causes client errors, never server errors', () => {
  test.each(table)('$key', async ({ method, path, definition }) => {
    const target = ownPath(path)
    const fields = Object.keys({ ...definition.body?.shape, ...definition.query?.shape })
    for (const field of fields) {
      for (const value of values) {
        const about = `${field}: ${String(JSON.stringify(value)).slice(0, 60)}`
        if (method !== 'GET') {
          const known = Object.fromEntries(
            fields.filter((name) => name in usual).map((name) => [name, usual[name]]),
          )
          const body = { ...known, [field]: value }
          const answer = await send(definition, method, target, body)
          expectAnswer(answer, definition, about, Buffer.byteLength(JSON.stringify(body)))
        } else if (typeof value === 'string' && value.length < 5000) {
          const text = encodeURIComponent(Buffer.from(value).toString())
          expectAnswer(await send(definition, method, `${target}?${field}=${text}`), definition, about)
        }
      }
    }
    for (const value of ['%00', '%', '..', '-1', '0', '4294967296', '1e3', '%E0%A4%A', "'", '__proto__']) {
      expectAnswer(await send(definition, method, path.replaceAll(/\{\w+\}/g, value)), definition, value)
    }
  })

  test('accepted input is processed without failures', async () => {
    await app().jobs.drain()
    expect(await app().jobs.failed()).toEqual([])
  })
})
