import { createHash, createHmac } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeUser, signInAs } from '../../../testing/factories.ts'
import { makeFileOwner } from '../../../testing/files.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { after } from '../../clock.ts'
import { newUuid } from '../../ids.ts'

const app = useTestApp()
let user: MadeUser

beforeAll(async () => {
  user = await makeUser(app())
})

let counter = 0
const newKey = () => `key-number-${++counter}`

const refresh = (refresh_token: string, key?: string, path = '/api/auth/refresh') =>
  app().call(`POST ${path}`, {
    body: { refresh_token },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

test("a repeated request gets the first response, so that a lost response doesn't cost the session", async () => {
  const { refresh_token } = await signInAs(app(), user)
  const key = newKey()
  const first = await refresh(refresh_token, key)
  const second = await refresh(refresh_token, key)
  expect(first.status).toBe(200)
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  expect(second.status).toBe(200)
  expect(second.body).toEqual(first.body)
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect((await app().call('GET /api/auth/info', { token: first.body.access_token })).status).toBe(200)
})

test('without a key, the second request is a token reuse', async () => {
  const { refresh_token } = await signInAs(app(), user)
  expect((await refresh(refresh_token)).status).toBe(200)
  app().clock.advance(10)
  expect((await refresh(refresh_token)).status).toBe(401)
})

test('the same key with another body is rejected, and the first response is kept', async () => {
  const { refresh_token } = await signInAs(app(), user)
  const key = newKey()
  const first = await refresh(refresh_token, key)
  const other = await refresh('something-else', key)
  expect(other).toMatchObject({ status: 422, body: { status: 'error', message: 'Input validation error' } })
  expect((await refresh(refresh_token, key)).body).toEqual(first.body)
})

test('the same key for another call is a different request', async () => {
  const { refresh_token } = await signInAs(app(), user)
  const key = newKey()
  const { body } = await refresh(refresh_token, key)
  const info = await refresh(body.refresh_token, key, '/api/auth/info?refresh=1')
  expect(info).toMatchObject({ status: 200, body: { id: user.id } })
  expect(info.headers).not.toHaveProperty('idempotency-replayed')
})

test('the same key of two users results in two requests', async () => {
  const key = newKey()
  const make = async (who: MadeUser) => {
    const { access_token: token } = await signInAs(app(), who)
    return app().call('POST /api/v4/password-reset/code', { token, headers: { 'idempotency-key': key } })
  }
  const [mine, theirs] = [await make(user), await make(await makeUser(app()))]
  expect(mine.status).toBe(200)
  expect(theirs.status).toBe(200)
  expect(theirs.body.code).not.toBe(mine.body.code)
})

test('while the first request is in progress, the second is told to retry', async () => {
  const body = { email: user.email, password: user.password }
  const headers = { 'idempotency-key': newKey() }
  const both = [1, 2].map(() => app().call('POST /api/auth/login', { body, headers }))
  const answers = await Promise.all(both)
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409])
  const waiting = answers.find((answer) => answer.status === 409)
  expect(waiting?.headers['retry-after']).toBe('1')
  expect(waiting?.body).toEqual({ status: 'error', message: 'This request is still being processed.' })
  const later = await app().call('POST /api/auth/login', { body, headers })
  expect(later.body).toEqual(answers.find((answer) => answer.status === 200)?.body)
})

test('a failed request releases the key for a corrected one', async () => {
  const headers = { 'idempotency-key': newKey() }
  const login = (password: string) =>
    app().call('POST /api/auth/login', { body: { email: user.email, password }, headers })
  expect((await login('wrong')).status).toBe(401)
  expect((await login(user.password)).status).toBe(200)
  const empty = { 'idempotency-key': newKey() }
  expect((await app().call('POST /api/auth/login', { headers: empty })).status).toBe(422)
})

describe('a key', () => {
  test.each(['', 'short', 'x'.repeat(256), 'with blank in it', 'umlaut-ü-key'])(
    '"%s" is a 400',
    async (key) => {
      expect((await refresh('x', key)).status).toBe(400)
    },
  )

  test('of a request whose process died is released after fifteen seconds', async () => {
    const { refresh_token } = await signInAs(app(), user)
    const key = newKey()
    const name = createHash('sha256').update(`public POST /api/auth/refresh ${key}`).digest()
    const secret = app().secrets.derive('idempotency-fingerprint', `${name.toString('hex')} ${key}`)
    await app()
      .database.db.insertInto('idempotencyKeys')
      .values({
        name,
        fingerprint: createHmac('sha256', secret)
          .update(JSON.stringify([{}, { refresh_token }]))
          .digest(),
        createdAt: app().clock.now(),
        leasedUntil: after(app().clock.now(), 15),
      })
      .execute()
    expect((await refresh(refresh_token, key)).status).toBe(409)
    app().clock.advance(16)
    expect((await refresh(refresh_token, key)).status).toBe(200)
    expect((await refresh(refresh_token, key)).headers['idempotency-replayed']).toBe('true')
  })

  test('is ignored for reads', async () => {
    const { access_token: token } = await signInAs(app(), user)
    const headers = { 'idempotency-key': 'x' }
    expect((await app().call('GET /api/auth/info', { token, headers })).status).toBe(200)
  })
})

test('the table contains neither keys nor tokens in plain text', async () => {
  const { refresh_token } = await signInAs(app(), user)
  const key = newKey()
  const { body } = await refresh(refresh_token, key)
  const rows = await app().database.db.selectFrom('idempotencyKeys').selectAll().execute()
  const dump = rows.map((row) =>
    Buffer.concat([row.name, row.fingerprint, row.answer ?? Buffer.alloc(0)]).toString('latin1'),
  )
  for (const secret of [key, body.access_token, body.refresh_token]) expect(dump.join()).not.toContain(secret)
})

test("a stolen database doesn't allow guessing passwords from a sign-in's fingerprint", async () => {
  const body = { email: user.email, password: user.password }
  const key = newKey()
  await app().call('POST /api/auth/login', { body, headers: { 'idempotency-key': key } })
  const { rows } = await app().database.pool.query<{ fingerprint: Buffer }>(
    'select fingerprint from idempotency_keys order by created_at desc',
  )
  const guesses = [[{}, body], body, [body]].map((guess) => JSON.stringify(guess))
  const known = guesses.flatMap((guess) => [
    createHash('sha256').update(guess).digest('hex'),
    createHmac('sha256', key).update(guess).digest('hex'),
  ])
  expect(rows.length).toBeGreaterThan(0)
  for (const { fingerprint } of rows) expect(known).not.toContain(fingerprint.toString('hex'))
})

describe('a long-running request', () => {
  async function beginUpload() {
    const owner = await makeFileOwner(app())
    const key = newKey()
    const headers = { 'content-type': 'text/plain', 'idempotency-key': key }
    const send = (body: unknown) => owner.call('POST /api/v4/fs?name=slow.txt', { body, headers })
    const body = new PassThrough()
    body.write('the first half ')
    const answer = send(body)
    const name = createHash('sha256').update(`${owner.user.id} POST /api/v4/fs ${key}`).digest()
    const { db } = app().database
    const row = () =>
      db.selectFrom('idempotencyKeys').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
    await expect
      .poll(
        () =>
          row().then(
            ({ acted }) => acted,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true)
    return { owner, send, body, answer, name, row }
  }

  test('keeps its key while its process is alive', async () => {
    const { owner, send, body, answer, row } = await beginUpload()
    for (let round = 0; round < 2; round++) {
      app().clock.advance(14)
      const now = app().clock.now()
      await expect
        .poll(async () => (await row()).leasedUntil > after(now, 10), { timeout: 30_000 })
        .toBe(true)
    }
    expect((await send('the whole')).status).toBe(409)
    body.end('and the second')
    const { status, body: first } = await answer
    expect(status).toBe(200)
    expect((await send('the whole')).body).toEqual(first)
    expect(await owner.names()).toEqual(['slow.txt'])
  })

  test('commits nothing more once another run holds its key', async () => {
    const { owner, send, body, answer, name } = await beginUpload()
    const taken = { holder: newUuid(), leased_until: app().clock.now() }
    const { db } = app().database
    await db.updateTable('idempotencyKeys').set(taken).where('name', '=', name).execute()
    body.end('and the second')
    expect((await answer).status).toBe(409)
    expect(await owner.names()).toEqual([])
    app().clock.advance(1)
    expect((await send('the whole')).status).toBe(200)
    expect(await owner.names()).toEqual(['slow.txt'])
  })
})

test("a request that was carried out and can't be repeated is answered with a 409 that says so", async () => {
  const { access_token: token } = await signInAs(app(), user)
  const headers = { 'idempotency-key': newKey() }
  const ask = () => app().call('POST /api/v4/password-reset/code', { token, headers })
  expect((await ask()).status).toBe(200)
  // simulates a process that died after its first commit
  await app()
    .database.db.updateTable('idempotencyKeys')
    .set({ answer: null, acted: true, leasedUntil: after(app().clock.now(), -1) })
    .where('holder', 'is not', null)
    .execute()
  expect(await ask()).toMatchObject({
    status: 409,
    body: {
      message: 'This request was carried out, but the response was lost. Reload the page to see the result.',
    },
  })
})
