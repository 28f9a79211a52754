import { beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseGate, databaseGate } from '../../testing/database-gate.ts'
import { makeDomain, makeUser } from '../../testing/factories.ts'
import { servicesHost, servicesSecret, withMailServices } from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'

let gate: DatabaseGate
const app = useTestApp(withMailServices, undefined, {
  databaseUrlOf: async (url) => {
    gate = await databaseGate(url)
    return gate.url
  },
})

beforeAll(async () => {
  await makeDomain(app(), 'acme.test')
  await makeUser(app(), { email: 'jane@acme.test' })
})

const message = {
  client_address: '192.0.2.10',
  client_name: 'mx.far.test',
  sender: 'ann@far.test',
  recipient: 'jane@acme.test',
}

const send = (policy: string, body: string, type = 'application/json', secret = servicesSecret) =>
  app().call(`POST /api/webhooks/policy/${policy}`, {
    host: servicesHost,
    headers: { 'x-services-secret': secret, 'content-type': type },
    body,
  })

const deferred = { status: 403, body: { response: 'DEFER_IF_PERMIT', reason: expect.any(String) } }
const many = 'a'.repeat(50_000)

describe.each(['greylist', 'spf'])('the policy %s', (policy) => {
  test.each([
    ['nothing', {}],
    ['no client', { ...message, client_address: undefined }],
    ['no sender', { ...message, sender: undefined }],
    ['no recipient', { ...message, recipient: '' }],
    ['a list of senders', { ...message, sender: ['ann@far.test'] }],
    ['numbers', { ...message, sender: 7, recipient: 8 }],
    ['objects', { ...message, recipient: { $ne: '' } }],
    ['a sender of 50 kB', { ...message, sender: `${many}@far.test` }],
    ['a recipient of 50 kB', { ...message, recipient: `${many}@acme.test` }],
    ['a client of 50 kB', { ...message, client_address: many }],
    ['a NUL byte', { ...message, sender: 'ann\0@far.test' }],
    ['half a character', { ...message, sender: 'ann\ud800@far.test' }],
    ['a line break', { ...message, client_name: 'mx.far.test\r\nBcc: eve@evil.test' }],
    ['50,000 fields', Object.fromEntries(Array.from({ length: 5e4 }, (_, at) => [`f${at}`, at]))],
  ])('defers a call with %s', async (_, fields) => {
    expect(await send(policy, JSON.stringify(fields))).toMatchObject(deferred)
  })

  test.each([
    ['broken JSON', '{"sender":', 'application/json'],
    ['a list', '[1,2]', 'application/json'],
    ['deep JSON', '['.repeat(100_000), 'application/json'],
    ['null', 'null', 'application/json'],
    ['a form with repeated fields', 'sender=a@b.test&sender=c@d.test', 'application/x-www-form-urlencoded'],
    ['binary data', '\0\u0001\u0002', 'application/octet-stream'],
    ['nothing', '', 'text/plain'],
  ])('defers %s', async (_, body, type) => {
    expect(await send(policy, body, type)).toMatchObject(deferred)
  })

  test.each([
    ['1000 characters of Unicode', `${'ü'.repeat(990)}@far.test`],
    ['a domain of 1000 characters', `ann@${'a.'.repeat(490)}test`],
    ['many signs', `${'@'.repeat(500)}${'<'.repeat(499)}`],
    ['something that looks like SQL', "'; drop table users; --@far.test"],
  ])('decides about a sender of %s', async (_, sender) => {
    const { status, body } = await send(policy, JSON.stringify({ ...message, sender }))
    expect({ status, response: body.response }).toEqual(
      policy === 'spf' ? { status: 200, response: 'DUNNO' } : { status: 403, response: 'DEFER_IF_PERMIT' },
    )
    expect(body.reason ?? 'none').toMatch(/\[G[12]\]$|^none$/)
  })

  test('answers nobody else', async () => {
    const { status } = await send(policy, JSON.stringify(message), 'application/json', 'wrong'.repeat(10))
    expect([401, 403, 404]).toContain(status)
    const { body } = await send(policy, JSON.stringify(message), 'application/json', 'wrong'.repeat(10))
    expect(body.response).toBeUndefined()
  })

  test('defers while the database is away, and decides once it is back', async () => {
    await gate.shut()
    expect(await send(policy, JSON.stringify(message))).toMatchObject(deferred)
    await gate.open()
    // the first call may still get a connection that died
    await expect
      .poll(async () => (await send(policy, JSON.stringify({ ...message, sender: 'ann@back.test' }))).body, {
        timeout: 10_000,
      })
      .toMatchObject(
        policy === 'spf' ? { response: 'DUNNO' } : { reason: expect.stringMatching(/\[G[12]\]$/) },
      )
  })
})
