import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { after, hour } from '../../platform/clock.ts'
import { type FileOwner, fileOwner, makeFileOwner, sha256Hex } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ FILES_CHUNK_MIB: '1' })
let owner: FileOwner
let port = 0

beforeAll(async () => {
  owner = await makeFileOwner(app())
  await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  port = (app().fastify.server.address() as AddressInfo).port // of a listening server
})

async function start(name: string, size: number, more = '') {
  const { status, body } = await owner.call(
    `POST /api/v4/fs?name=${name}&media=resumable&size=${size}${more}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body.uploadId as string
}

const chunk = (uploadId: string, from: number | string, body: string | Buffer) =>
  app().call(`POST /api/v4/fs/uploads/${uploadId}?from=${from}`, {
    body,
    headers: { 'content-type': 'application/octet-stream' },
  })

const state = async (uploadId: string) => (await app().call(`GET /api/v4/fs/uploads/${uploadId}`)).body

/** Sends part of a body and disconnects. */
async function breakOff(uploadId: string, from: number, sent: Buffer): Promise<void> {
  const client = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/v4/fs/uploads/${uploadId}?from=${from}`,
    headers: { host: 'localhost:8000', 'content-length': String(sent.length + 1) },
  })
  client.on('error', () => undefined)
  await new Promise<void>((done) => client.write(sent, () => done()))
  const closed = new Promise<void>((done) => client.once('close', () => done()))
  client.destroy()
  await closed
}

/** Polls until a condition holds, limited by the test's timeout. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((later) => setImmediate(later))
}

describe('a resumable upload', () => {
  test('is answered as other clients expect and ends with the file', async () => {
    const begun = await owner.call('POST /api/v4/fs', {
      body: { name: 'large.bin', media: 'resumable', size: 6 },
    })
    expect(begun.body).toEqual({
      status: 'success',
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uploaded: 0,
      maxChunkSize: 1024 * 1024 - 8192,
    })
    const { uploadId } = begun.body
    expect((await chunk(uploadId, 0, 'abc')).body).toEqual({ status: 'success', uploadId, uploaded: 3 })
    const { body } = await chunk(uploadId, 3, 'def')
    expect(body).toMatchObject({
      status: 'success',
      type: 'file',
      name: 'large.bin',
      size: 6,
      mimetype: 'text/plain',
    })
    expect(await owner.content(body.id)).toBe('abcdef')
  })

  test('reports its offset with GET and HEAD', async () => {
    const uploadId = await start('asked', 10)
    await chunk(uploadId, 0, '12345')
    expect(await state(uploadId)).toMatchObject({ uploaded: 5, size: 10, isComplete: false })
    const head = await app().fastify.inject({
      method: 'HEAD',
      url: `/api/v4/fs/uploads/${uploadId}`,
      headers: { host: 'localhost:8000' },
    })
    expect(head.headers).toMatchObject({ 'upload-offset': '5', 'upload-length': '10' })
    expect((await owner.call('GET /api/v4/fs/uploads')).body.list[0]).toMatchObject({
      uploadId,
      name: 'asked',
      uploaded: 5,
    })
  })

  test('of existing content creates a version', async () => {
    const id = await owner.upload('replaced.txt', 'old')
    const { body } = await owner.call(`PUT /api/v4/fs/${id}?media=resumable&size=3`)
    await chunk(body.uploadId, 0, 'new')
    expect(await owner.content(id)).toBe('new')
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.versions).toBe(2)
  })

  test('returns the same file if the last chunk is repeated', async () => {
    const uploadId = await start('again', 2)
    const first = await chunk(uploadId, 0, 'ok')
    const second = await chunk(uploadId, 0, 'ok')
    expect(second.body).toMatchObject({ id: first.body.id, size: 2 })
    expect(await state(uploadId)).toMatchObject({ isComplete: true, id: first.body.id })
  })

  test('without any bytes is completed by an empty chunk', async () => {
    const uploadId = await start('nothing', 0)
    const { body } = await chunk(uploadId, 0, '')
    expect(body).toMatchObject({ name: 'nothing', size: 0 })
  })

  test('of several pieces is byte-identical, as proved by its checksum', async () => {
    const content = randomBytes(3 * 1024 * 1024 + 12_345)
    const uploadId = await start('pieces', content.length, `&sha256=${sha256Hex(content)}`)
    for (let from = 0; from < content.length; from += 700_001) {
      await chunk(uploadId, from, content.subarray(from, from + 700_001))
    }
    const { id } = await state(uploadId)
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.sha256).toBe(sha256Hex(content))
  })
})

describe('an invalid chunk', () => {
  test.each([0, 2, 4, 99])('at offset %i is a 409 with the current offset', async (from) => {
    const uploadId = await start('offset', 100)
    await chunk(uploadId, 0, 'abc')
    const { status, body } = await chunk(uploadId, from, 'xyz')
    expect({ status, uploaded: body.uploaded }).toEqual({ status: 409, uploaded: 3 })
    expect(await state(uploadId)).toMatchObject({ uploaded: 3 })
  })

  test.each(['', 'x', '-1', '1.5', '1e99', '99999999999999999999'])(
    'from %j is a 422 of that field',
    async (from) => {
      const { status, body } = await chunk(await start('field', 10), from, 'a')
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['from'])
    },
  )

  test('with more bytes than announced is rejected, and none are kept', async () => {
    const uploadId = await start('too-long', 5)
    await chunk(uploadId, 0, 'abc')
    const { status, body } = await chunk(uploadId, 3, 'defg')
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty('size')
    expect(await state(uploadId)).toMatchObject({ uploaded: 3 })
    expect((await chunk(uploadId, 3, 'de')).status).toBe(200)
  })

  test('that is too long is rejected even without a declared length', async () => {
    const uploadId = await start('endless', 5)
    const body = Readable.from(['ab', 'cd', 'ef', 'gh'])
    const { status, body: answer } = await app().call(`POST /api/v4/fs/uploads/${uploadId}?from=0`, {
      body,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(status).toBe(422)
    expect(answer.errors).toHaveProperty('size')
    expect(await state(uploadId)).toMatchObject({ uploaded: 0 })
    expect((await chunk(uploadId, 0, 'abcde')).status).toBe(200)
  })

  test('of an unknown, expired or long finished upload is a 404', async () => {
    expect((await chunk('00000000-0000-4000-8000-000000000000', 0, 'a')).status).toBe(404)
    expect((await chunk('nonsense', 0, 'a')).status).toBe(404)
    const uploadId = await start('expired', 10)
    app().clock.advance(7 * hour)
    expect((await chunk(uploadId, 0, 'a')).status).toBe(404)
    app().clock.advance(-7 * hour)
  })
})

describe('an incomplete request', () => {
  test('without a size is a 422', async () => {
    const { status, body } = await owner.call('POST /api/v4/fs?name=x&media=resumable')
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['size'])
  })

  test('with fewer bytes than declared is rejected', async () => {
    const { status, body } = await owner.send('short', 'abc', { query: { size: 10 } })
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty('size')
    expect(await owner.names()).not.toContain('short')
  })
})

describe('the secret of an upload', () => {
  test('is not in the database', async () => {
    const uploadId = await start('hidden', 10)
    const { rows } = await app().database.pool.query('select * from fs_uploads')
    expect(JSON.stringify(rows)).not.toContain(uploadId)
  })

  test('is useless to another signed-in user', async () => {
    const stranger = await makeFileOwner(app())
    const uploadId = await start('mine', 10)
    const { status } = await stranger.call(`POST /api/v4/fs/uploads/${uploadId}?from=0`, { body: 'x' })
    expect(status).toBe(403)
  })

  test('expires with the session that began it, and with a suspension', async () => {
    const other = await fileOwner(app(), owner.user)
    const begun = await other.call('POST /api/v4/fs?name=session&media=resumable&size=3')
    await other.call('POST /api/auth/logout')
    expect((await chunk(begun.body.uploadId, 0, 'abc')).status).toBe(404)
  })

  test('expires when the owner cancels the upload, whose bytes are deleted', async () => {
    const uploadId = await start('given-up', 10)
    await chunk(uploadId, 0, 'abc')
    expect((await app().call(`DELETE /api/v4/fs/uploads/${uploadId}`)).status).toBe(200)
    expect((await chunk(uploadId, 3, 'abc')).status).toBe(404)
  })
})

describe('a broken connection', () => {
  test('keeps what was received, and the upload resumes from there', async () => {
    const content = randomBytes(900_000)
    const uploadId = await start('broken', content.length)
    await breakOff(uploadId, 0, content.subarray(0, 500_000))
    await until(async () => (await state(uploadId)).uploaded > 0)
    const { uploaded } = await state(uploadId)
    expect(uploaded).toBeLessThanOrEqual(500_000)
    const { body } = await chunk(uploadId, uploaded, content.subarray(uploaded))
    expect((await owner.call(`GET /api/v4/fs/${body.id}`)).body.sha256).toBe(sha256Hex(content))
  })

  test('during a single-request upload leaves nothing behind', async () => {
    const before = await owner.call('GET /api/v4/fs/quota')
    const client = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v4/fs?name=half',
      headers: { host: 'localhost:8000', authorization: `Bearer ${owner.token}`, 'content-length': '1000' },
    })
    client.on('error', () => undefined)
    await new Promise<void>((done) => client.write('half', () => done()))
    const uploads = async () => {
      const { rows } = await app().database.pool.query(`select id from fs_uploads where name = 'half'`)
      return rows.length
    }
    await until(async () => (await uploads()) === 1)
    client.destroy()
    await until(async () => (await uploads()) === 0)
    expect(await owner.names()).not.toContain('half')
    expect((await owner.call('GET /api/v4/fs/quota')).body.used).toBe(before.body.used)
  })
})

describe('two concurrent writers of an upload', () => {
  test('with the same offset result in one success, one 409 and an intact file', async () => {
    const content = randomBytes(600_000)
    const uploadId = await start('race', content.length)
    const half = content.subarray(0, 300_000)
    const answers = await Promise.all([1, 2, 3, 4].map(() => chunk(uploadId, 0, half)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers) {
      if (status !== 200) expect(body).toMatchObject({ uploaded: expect.any(Number) })
    }
    const { body } = await chunk(uploadId, 300_000, content.subarray(300_000))
    expect((await owner.call(`GET /api/v4/fs/${body.id}`)).body.sha256).toBe(sha256Hex(content))
  })
})

describe('the quota', () => {
  const gib = 1024 ** 3

  test('is checked against the announced size before the first byte', async () => {
    const { status, body } = await owner.call(`POST /api/v4/fs?name=huge&media=resumable&size=${6 * gib}`)
    expect(status).toBe(422)
    expect(body.errors.size).toMatch(/storage/)
  })

  test('stops an upload when it is used up midway, and counts what was received', async () => {
    const poor = await makeFileOwner(app())
    const { db } = app().database
    const uploads = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const { body } = await poor.call(`POST /api/v4/fs?name=${name}&media=resumable&size=20`)
        return body.uploadId as string
      }),
    )
    // all but thirty of the five gigabytes are used concurrently
    await db
      .insertInto('fsUsage')
      .values({ userId: poor.user.id, bytes: 5 * gib - 30 })
      .execute()
    expect((await chunk(uploads[0] ?? '', 0, 'x'.repeat(20))).status).toBe(200)
    const over = await chunk(uploads[1] ?? '', 0, 'x'.repeat(20))
    expect(over.status).toBe(422)
    expect(over.body.errors.size).toMatch(/storage/)
    expect(await state(uploads[1] ?? '')).toMatchObject({ uploaded: 0 })
    expect((await poor.call('GET /api/v4/fs/quota')).body.used).toBe(5 * gib - 10)
  })

  test('leaves nothing behind of a file of unknown size that exceeds it', async () => {
    const poor = await makeFileOwner(app())
    await app()
      .database.db.insertInto('fsUsage')
      .values({ userId: poor.user.id, bytes: 5 * gib - 30 })
      .execute()
    const send = (name: string, parts: string[]) =>
      poor.call(`POST /api/v4/fs?name=${name}`, {
        body: Readable.from(parts),
        headers: { 'content-type': 'application/octet-stream' },
      })
    const over = await send('over', ['x'.repeat(20), 'x'.repeat(20)])
    expect(over.status).toBe(422)
    expect(over.body.errors.size).toMatch(/storage/)
    expect((await poor.call('GET /api/v4/fs/quota')).body).toMatchObject({ used: 5 * gib - 30, uploads: 0 })
    expect(await poor.names()).toEqual([])
    expect((await send('within', ['x'.repeat(20), 'x'.repeat(10)])).status).toBe(200)
    expect((await send('nothing-left', ['x'])).status).toBe(422)
  })

  test('counts stored bytes regardless of the state of uploads', async () => {
    const fresh = await makeFileOwner(app())
    const used = async () => (await fresh.call('GET /api/v4/fs/quota')).body
    await fresh.upload('a', '12345')
    const begun = await fresh.call('POST /api/v4/fs?name=b&media=resumable&size=10')
    await chunk(begun.body.uploadId, 0, 'abc')
    expect(await used()).toMatchObject({ used: 8, uploads: 3, limit: 5 * gib })
    await chunk(begun.body.uploadId, 3, 'defghij')
    expect(await used()).toMatchObject({ used: 15, uploads: 0 })
    await app().call(`DELETE /api/v4/fs/uploads/${begun.body.uploadId}`)
    expect(await used()).toMatchObject({ used: 15 })
  })
})

test('an upload is kept if its target collection is deleted in the meantime', async () => {
  const place = await owner.collection('vanishing')
  const uploadId = await start('survivor', 3, `&parent=${place}`)
  await owner.call(`DELETE /api/v4/fs/${place}`)
  await chunk(uploadId, 0, 'abc')
  expect(await owner.names()).toContain('survivor')
})

test('an If-Match with stale content does not overwrite a concurrent change', async () => {
  const id = await owner.upload('shared-pen.txt', 'one')
  const tag = `"${sha256Hex('one')}"`
  const put = (body: string) =>
    owner.call(`PUT /api/v4/fs/${id}?media=content`, { body, headers: { 'if-match': tag } })
  expect((await put('two')).status).toBe(200)
  expect((await put('three')).status).toBe(409)
  expect(await owner.content(id)).toBe('two')
})

test('an upload expires a few hours after its last chunk', async () => {
  const uploadId = await start('waiting', 10)
  app().clock.advance(5 * hour)
  await chunk(uploadId, 0, 'abc')
  const { expires_at } = await state(uploadId)
  expect(new Date(`${expires_at.replace(' ', 'T')}Z`)).toEqual(after(app().clock.now(), 6 * hour))
  app().clock.advance(-5 * hour)
})
