import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { type FileOwner, makeFileOwner, sha256Hex } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner
let endpoint = ''
let gate: Server
/** Bytes after which the connection through the proxy breaks once. */
let breakAfter = Number.POSITIVE_INFINITY

beforeAll(async () => {
  owner = await makeFileOwner(app())
  await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app().fastify.server.address() as AddressInfo // of a listening server
  // a proxy between client and server that can be disconnected
  gate = createServer((socket) => {
    const through = connect(port, '127.0.0.1')
    let passed = 0
    socket.on('data', (bytes: Buffer) => {
      passed += bytes.length
      if (passed > breakAfter) {
        breakAfter = Number.POSITIVE_INFINITY
        socket.destroy()
        through.destroy()
      } else through.write(bytes)
    })
    through.on('data', (bytes) => socket.write(bytes))
    for (const [one, other] of [
      [socket, through],
      [through, socket],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  endpoint = `http://localhost:${(gate.address() as AddressInfo).port}/api/v4/fs/tus`
})
afterAll(() => gate.close())

/** Uploads content with a third-party client; returns the URL of the upload. */
function send(
  content: Buffer,
  metadata: Record<string, string>,
  more: { chunkSize?: number } = {},
): Promise<string> {
  return new Promise((done, fail) => {
    const upload = new Upload(Readable.from([content]), {
      endpoint,
      metadata,
      headers: { authorization: `Bearer ${owner.token}` },
      uploadSize: content.length,
      chunkSize: more.chunkSize ?? Math.max(1, content.length),
      retryDelays: [0, 50, 100],
      onError: fail,
      onSuccess: () => done(upload.url ?? ''),
    })
    upload.start()
  })
}

const state = async (address: string) =>
  (await app().call(`GET /api/v4/fs/uploads/${address.split('/').at(-1)}`)).body

test('tus uploads a file, in one request and in chunks', async () => {
  for (const chunkSize of [1_000_000, 70_000]) {
    const content = randomBytes(300_000)
    const address = await send(
      content,
      { filename: `tus-${chunkSize}`, sha256: sha256Hex(content) },
      { chunkSize },
    )
    const { id, isComplete } = await state(address)
    expect(isComplete).toBe(true)
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body).toMatchObject({
      name: `tus-${chunkSize}`,
      sha256: sha256Hex(content),
    })
  }
})

test('tus resumes where the connection broke, keeping the bytes received', async () => {
  const content = randomBytes(2_000_000)
  breakAfter = 1_200_000
  const address = await send(content, { name: 'broken' }, { chunkSize: content.length })
  expect(breakAfter).toBe(Number.POSITIVE_INFINITY)
  const { id } = await state(address)
  expect((await owner.call(`GET /api/v4/fs/${id}`)).body.sha256).toBe(sha256Hex(content))
})

test('tus uploads to a collection or replaces a file according to the metadata', async () => {
  const place = await owner.collection('tus')
  const first = await state(await send(Buffer.from('one'), { name: 'in.txt', parent: place }))
  expect(await owner.names(place)).toEqual(['in.txt'])
  await send(Buffer.from('two'), { item: first.id })
  expect(await owner.content(first.id)).toBe('two')
})

test('tus accepts an empty file', async () => {
  const { id } = await state(await send(Buffer.alloc(0), { name: 'empty' }))
  expect(await owner.content(id)).toBe('')
})

const raw = (method: string, path: string, headers: Record<string, string>, body = '') =>
  app().fastify.inject({
    method: method as 'POST',
    url: path,
    payload: body,
    headers: {
      host: 'localhost:8000',
      'tus-resumable': '1.0.0',
      authorization: `Bearer ${owner.token}`,
      ...headers,
    },
  })

const meta = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

test('tus rejects what the other routes reject, with the same statuses', async () => {
  const path = '/api/v4/fs/tus'
  const create = (length: string, metadata: Record<string, string>, headers: Record<string, string> = {}) =>
    raw('POST', path, { 'upload-length': length, 'upload-metadata': meta(metadata), ...headers })
  expect((await create('3', { name: 'a/b' })).statusCode).toBe(422)
  expect((await create('3', { other: 'x' })).statusCode).toBe(422)
  expect((await create('3', { name: 'x', parent: 'nonsense' })).statusCode).toBe(422)
  expect((await create('3', { name: 'x', sha256: 'nonsense' })).statusCode).toBe(422)
  expect((await create(String(6 * 1024 ** 3), { name: 'x' })).statusCode).toBe(422)
  expect((await create('3', { name: 'x' }, { authorization: 'Bearer none' })).statusCode).toBe(401)
  const stranger = await makeFileOwner(app())
  const made = await create('3', { name: 'x' })
  expect(made.statusCode).toBe(201)
  const address = String(made.headers.location)
  const patch = (offset: string, body: string, token = owner.token) =>
    raw(
      'PATCH',
      address,
      {
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        authorization: `Bearer ${token}`,
      },
      body,
    )
  expect((await patch('2', 'abc')).statusCode).toBe(409)
  expect((await patch('0', 'abc', stranger.token)).statusCode).toBe(403)
  expect((await raw('HEAD', address, {})).headers['upload-offset']).toBe('0')
  expect((await patch('0', 'abc')).statusCode).toBe(204)
  expect((await raw('HEAD', `${path}/nonsense`, {})).statusCode).toBe(404)
})

const begin = async (name: string) => {
  const metadata = { 'upload-length': '3', 'upload-metadata': meta({ name, conflict: 'fail' }) }
  return String((await raw('POST', '/api/v4/fs/tus', metadata)).headers.location)
}

const patch = (address: string, offset: string, headers: Record<string, string> = {}) => {
  const chunk = { 'upload-offset': offset, 'content-type': 'application/offset+octet-stream', ...headers }
  return raw('PATCH', address, chunk, 'abc')
}

test('tus returns the error envelope to clients that accept JSON, and a line of English to others', async () => {
  const json = { accept: 'application/json, text/plain, */*', 'accept-language': 'de' }
  const [first, second, third, fourth] = [
    await begin('said'),
    await begin('said'),
    await begin('said'),
    await begin('said'),
  ]
  expect((await patch(first, '0')).statusCode).toBe(204)
  const refused = await patch(second, '0', json)
  const message = createTranslator('de')('files.name-taken')
  expect([refused.statusCode, refused.json()]).toEqual([409, { status: 'error', message }])
  const inEnglish = await patch(third, '0')
  const text = createTranslator('en')('files.name-taken')
  expect([inEnglish.statusCode, inEnglish.body]).toEqual([409, `${text}\n`])
  // errors of the library itself have no translation
  const elsewhere = await patch(fourth, '1', json)
  expect(elsewhere.statusCode).toBe(409)
  expect(() => elsewhere.json()).toThrow()
})

test('tus creates the file of a complete upload when the client queries its offset', async () => {
  const [first, second] = [await begin('late'), await begin('late')]
  expect((await patch(first, '0')).statusCode).toBe(204)
  expect((await patch(second, '0')).statusCode).toBe(409)
  expect((await raw('HEAD', second, {})).statusCode).toBe(409)
  await owner.call(`DELETE /api/v4/fs/${(await state(first)).id}`)
  expect((await raw('HEAD', second, {})).headers['upload-offset']).toBe('3')
  const { id } = await state(second)
  expect(await owner.content(id)).toBe('abc')
  expect((await raw('HEAD', second, {})).statusCode).toBe(200)
})
