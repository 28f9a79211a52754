import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audit } from '../../platform/audit.ts'
import { after, day, hour, minute } from '../../platform/clock.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import { type Receiver, startReceiver } from '../../testing/servers/receiver.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { numberEvents } from '../../users/events/feed-store.ts'
import { claimDeliveries, planDeliveries } from './delivery-store.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import { MessageSender } from './send-message.ts'

const app = useTestApp({ WEBHOOK_TO_PRIVATE: '1' })
let account: TestAccount
let receiver: Receiver
let id: string
let secret: string

beforeAll(async () => {
  receiver = await startReceiver()
})

afterAll(() => receiver[Symbol.asyncDispose]())

beforeEach(async () => {
  account = await makeAccount(app())
  receiver.received.length = 0
  receiver.answer = (response) => response.writeHead(204).end()
  const made = await call('POST', '', { name: 'CRM', url: receiver.url, types: ['domain.confirmed'] })
  expect(made.status).toBe(200)
  ;({ id, secret } = made.body)
})

/** Calls as the owner, who signs in again because the clock moves on. */
async function call(method: string, path: string, body?: unknown) {
  const { access_token: token } = await signInAs(app(), account.owner)
  const options = { token, ...(body !== undefined && { body }) }
  return app().call(`${method} /api/v4/webhooks${path}`, options)
}

/** Logs numbered events of an object: `log(1, 2)`. */
async function log(...numbers: number[]) {
  for (const n of numbers) await logAt(account.domainId, n)
}

async function logAt(objectId: number, n: number, objectType = 'domain') {
  const { db } = app().database
  const at = { tenantId: 0, objectType, objectId }
  await audit(db, app().clock, { ...at, event: 'domain.confirmed', actor: {}, data: { n } })
}

const deliver = () => app().webhooks.runNow()
const numbers = () => receiver.received.map(({ body }) => body.data.n)
const deliveries = async (query = '') => (await call('GET', `/${id}/deliveries${query}`)).body.list
const webhook = async () => (await call('GET', '')).body.list[0]

describe('an event', () => {
  test('is delivered with a signature, and listed with the answer', async () => {
    receiver.answer = (response) => response.writeHead(200).end('thanks')
    await log(1)
    await deliver()
    const [message] = receiver.received
    expect(message?.body).toMatchObject({
      type: 'domain.confirmed',
      object: { type: 'domain', id: account.domainId, name: account.domain },
      data: { n: 1 },
    })
    expect(message?.headers['webhook-id']).toBe(message?.body.id)
    const time = message?.headers['webhook-timestamp']
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = createHmac('sha256', key).update([message?.body.id, time, message?.text].join('.'))
    expect(message?.headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`)
    expect(await deliveries()).toMatchObject([
      {
        event: message?.body.id,
        type: 'domain.confirmed',
        state: 'delivered',
        status: 200,
        answer: 'thanks',
      },
    ])
  })

  test('is delivered once, in order, and only to webhooks of its type', async () => {
    await log(1, 2, 3)
    await account.as('owner', `PUT /api/v4/users/${account.member.id}`, { first_name: 'Other type' })
    await deliver()
    await log(4)
    await deliver()
    await deliver()
    expect(numbers()).toEqual([1, 2, 3, 4])
  })

  test('is delivered once by several processes', async () => {
    const { database, clock, secrets, fastify } = app()
    const parts = { db: database.db, clock, secrets, log: fastify.log }
    const workers = Array.from(
      { length: 3 },
      () => new DeliveryWorker({ ...parts, sender: new MessageSender(true) }),
    )
    const users = [account.owner, account.controller, account.member]
    for (let n = 0; n < 60; n++) await logAt(users[n % 3]?.id ?? 0, n, 'user')
    for (let round = 0; round < 5; round++) {
      await Promise.all(workers.map((worker) => worker.runNow()))
    }
    expect(numbers().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n))
    for (const user of users) {
      const own = receiver.received.filter(({ body }) => body.object.id === user.id)
      expect(own.map(({ body }) => body.data.n)).toEqual(
        own.map(({ body }) => body.data.n).toSorted((a, b) => a - b),
      )
    }
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('is delivered again with the same id if the process dies before it records the answer', async () => {
    await log(1, 2)
    const { db } = app().database
    const now = app().clock.now()
    await numberEvents(db)
    // the process that dies has leased the events and sent the first
    const lease = '0197a000-0000-7000-8000-000000000001'
    const until = after(now, 5 * minute)
    const leased = await db.transaction().execute(async (trx) => {
      await planDeliveries(trx, id, now)
      return claimDeliveries(trx, id, { lease, now, until })
    })
    expect(leased).toHaveLength(2)
    await deliver()
    expect(numbers()).toEqual([])
    app().clock.advance(5 * minute)
    await deliver()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      leased.map(({ eventId }) => eventId),
    )
  })
})

describe('an event that is not accepted', () => {
  test('is retried later, and events of the same object wait while others go on', async () => {
    receiver.answer = (response, { body }) =>
      response.writeHead(body.object.type === 'domain' ? 500 : 204).end('no')
    await log(1, 2)
    await logAt(account.member.id, 10, 'user')
    await deliver()
    expect(numbers().toSorted((one, other) => one - other)).toEqual([1, 10])
    const [waiting] = await deliveries('?state=pending&size=1')
    expect(waiting).toMatchObject({ state: 'pending', attempts: expect.any(Number) })
    app().clock.advance(4)
    await deliver()
    expect(numbers()).toHaveLength(2)
    app().clock.advance(1)
    receiver.answer = (response) => response.writeHead(204).end()
    await deliver()
    expect(numbers().slice(2)).toEqual([1, 2])
    expect((await webhook()).failingSince).toBeNull()
  })

  test('waits as long as the receiver asks, up to a day', async () => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end()
    await log(1)
    await deliver()
    app().clock.advance(599)
    await deliver()
    expect(numbers()).toEqual([1])
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '99999999' }).end()
    app().clock.advance(1)
    await deliver()
    expect(numbers()).toEqual([1, 1])
    app().clock.advance(day)
    await deliver()
    expect(numbers()).toEqual([1, 1, 1])
  })

  test('pauses the webhook after three days with a mail, and is delivered after it was resumed', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    await log(1, 2)
    for (let passed = 0; passed < 4 * day; passed += hour) {
      await deliver()
      app().clock.advance(hour)
    }
    expect((await webhook()).paused).toMatchObject({ reason: 'failing' })
    const attempts = numbers().length
    // 5 s, 5 min and 30 min have passed within each hour
    expect(attempts).toBeGreaterThanOrEqual(8)
    const mails = (await app().mails()).filter(
      ({ subject, to }) =>
        subject.includes('webhook was paused') && JSON.stringify(to).includes(account.owner.email),
    )
    expect(mails).toHaveLength(1)
    await log(3)
    receiver.answer = (response) => response.writeHead(204).end()
    await deliver()
    expect(numbers()).toHaveLength(attempts)
    expect((await call('POST', `/${id}/resume`)).status).toBe(200)
    await deliver()
    expect(numbers().slice(attempts)).toEqual([1, 2, 3])
  })

  test('pauses the webhook at once if the receiver is gone', async () => {
    receiver.answer = (response) => response.writeHead(410).end()
    await log(1)
    await deliver()
    expect((await webhook()).paused).toMatchObject({ reason: 'gone' })
  })
})

describe('a webhook', () => {
  test('continues where it was paused', async () => {
    await call('POST', `/${id}/pause`)
    await log(1, 2)
    await deliver()
    expect(numbers()).toEqual([])
    await call('POST', `/${id}/resume`)
    await deliver()
    expect(numbers()).toEqual([1, 2])
  })

  test('delivers events since a date again, with the same ids', async () => {
    app().clock.advance(day)
    await log(1)
    await deliver()
    app().clock.advance(day)
    const from = app().clock.now().toISOString().slice(0, 10)
    await log(2, 3)
    await deliver()
    expect((await call('POST', `/${id}/replay`, { from })).status).toBe(200)
    await deliver()
    expect(numbers()).toEqual([1, 2, 3, 2, 3])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids.slice(3)).toEqual(ids.slice(1, 3))
  })

  test('signs with both secrets after a rotation, until the overlap ends', async () => {
    const rotated = await call('POST', `/${id}/rotate`, { overlapHours: 1 })
    expect(rotated.body.secret).not.toBe(secret)
    await log(1)
    await deliver()
    app().clock.advance(hour)
    await log(2)
    await deliver()
    const counts = receiver.received.map(
      ({ headers }) => String(headers['webhook-signature']).split(' ').length,
    )
    expect(counts).toEqual([2, 1])
  })

  test('sends a test message, also while it is paused', async () => {
    await call('POST', `/${id}/pause`)
    const { body } = await call('POST', `/${id}/test`)
    expect(body.delivery).toMatchObject({ type: 'webhook.test', state: 'delivered', status: 204 })
    expect(receiver.received).toMatchObject([{ body: { type: 'webhook.test', data: { webhook: 'CRM' } } }])
  })

  test('keeps deliveries for 30 days', async () => {
    await log(1)
    await deliver()
    app().clock.advance(31 * day)
    await log(2)
    await deliver()
    const { jobs } = app()
    await jobs.perform('purge', {})
    expect(await deliveries()).toHaveLength(1)
  })
})
