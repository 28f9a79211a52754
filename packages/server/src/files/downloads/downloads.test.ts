import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { day } from '../../platform/clock.ts'
import { type FileOwner, fileOwner, makeFileOwner, pathOf, sha256Hex } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

const addressOf = async (id: string, kind: 'downloadUrl' | 'previewUrl' = 'downloadUrl') => {
  const { status, body } = await owner.call(`GET /api/v4/fs/${id}?${kind}=1`)
  expect(status, JSON.stringify(body)).toBe(200)
  return pathOf(body[kind])
}

/** Fetches a response as raw bytes. */
async function bytesOf(path: string, headers: Record<string, string> = {}, ip = '10.0.0.1') {
  const response = await app().fastify.inject({
    method: 'GET',
    url: path,
    headers: { host: 'localhost:8000', 'x-forwarded-for': ip, ...headers },
  })
  return { status: response.statusCode, bytes: response.rawPayload, headers: response.headers }
}

describe('a download', () => {
  test('has a length, type, ETag and name, and is sandboxed', async () => {
    const id = await owner.upload('Übersicht "1".txt'.replaceAll('"', ''), 'content', { type: 'text/html' })
    const { status, headers, bytes } = await bytesOf(await addressOf(id))
    expect(status).toBe(200)
    expect(bytes.toString()).toBe('content')
    expect(headers).toMatchObject({
      'content-length': '7',
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: `"${sha256Hex('content')}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-disposition':
        'attachment; filename="Ubersicht 1.txt"; filename*=UTF-8\'\'%C3%9Cbersicht%201.txt',
    })
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  test('begins once; a second one, also from elsewhere, is a 404', async () => {
    const path = await addressOf(await owner.upload('once', 'content'))
    expect((await bytesOf(path)).status).toBe(200)
    expect((await bytesOf(path)).status).toBe(404)
    expect((await bytesOf(path, { range: 'bytes=0-1' }, '10.9.9.9')).status).toBe(404)
  })

  test('that was interrupted resumes with ranges of the same content', async () => {
    const id = await owner.upload('resumed', '0123456789')
    const path = await addressOf(id)
    await bytesOf(path)
    await owner.call(`PUT /api/v4/fs/${id}?media=content`, { body: 'something else' })
    const rest = await bytesOf(path, { range: 'bytes=4-' })
    expect(rest.status).toBe(206)
    expect(rest.headers['content-range']).toBe('bytes 4-9/10')
    expect(rest.bytes.toString()).toBe('456789')
  })

  test('must begin within a minute and may continue for a day', async () => {
    const id = await owner.upload('timed', 'x')
    const late = await addressOf(id)
    app().clock.advance(61)
    expect((await bytesOf(late)).status).toBe(404)
    const begun = await addressOf(id)
    await bytesOf(begun)
    app().clock.advance(2 * day)
    expect((await bytesOf(begun, { range: 'bytes=0-' })).status).toBe(404)
    app().clock.advance(-2 * day - 61)
  })

  test('ends with the session and with the file', async () => {
    const id = await owner.upload('ended', 'x')
    const other = await fileOwner(app(), owner.user)
    const path = pathOf((await other.call(`GET /api/v4/fs/${id}?downloadUrl=1`)).body.downloadUrl)
    await other.call('POST /api/auth/logout')
    expect((await bytesOf(path)).status).toBe(404)
    const second = await addressOf(id)
    await owner.call(`DELETE /api/v4/fs/${id}`)
    expect((await bytesOf(second)).status).toBe(404)
  })

  test('with HEAD returns all headers without consuming the URL', async () => {
    const path = await addressOf(await owner.upload('head', 'content'))
    const head = await app().call(`HEAD ${path}`)
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe('7')
    expect((await bytesOf(path)).status).toBe(200)
  })
})

describe('an uploaded script', () => {
  test.each([
    ['gadget.js', 'text/javascript'],
    ['gadget.js', 'application/javascript'],
    ['gadget.mjs', 'application/x-ecmascript'],
    ['gadget.js', 'TEXT/JavaScript'],
    ['gadget.css', 'text/css'],
    ['gadget.html', 'text/html'],
    ['gadget.xhtml', 'application/xhtml+xml'],
    ['gadget.svg', 'image/svg+xml'],
    ['gadget.xml', 'text/xml'],
    ['gadget.json', 'application/json'],
    ['gadget.wasm', 'application/wasm'],
    ['gadget.webmanifest', 'application/manifest+json'],
    ['gadget.vtt', 'text/vtt'],
  ])('%s of the type %s is served as plain bytes', async (name, type) => {
    const id = await owner.upload(name, 'window.gadget = 1', { type })
    const bearer = { authorization: `Bearer ${owner.token}` }
    for (const [path, more] of [[await addressOf(id)], [`/api/v4/fs/${id}?download=1`, bearer]] as const) {
      const { status, headers } = await bytesOf(path, more)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('detected by its name alone is also served as plain bytes', async () => {
    const id = await owner.upload('gadget.js', 'window.gadget = 1')
    const { headers } = await bytesOf(await addressOf(id))
    expect(headers['content-type']).toBe('application/octet-stream')
  })

  const uses = [
    ...['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet'],
    ...['object', 'embed', 'manifest', 'xslt', 'font', 'track', 'report', 'json', 'webidentity', 'Script'],
  ]
  test.each(uses)('is refused when a page requests it as %s', async (use) => {
    const id = await owner.upload('gadget.txt', 'window.gadget = 1', { type: 'text/plain' })
    for (const kind of ['downloadUrl', 'previewUrl'] as const) {
      const path = await addressOf(id, kind)
      expect((await bytesOf(path, { 'sec-fetch-dest': use })).status).toBe(403)
      // the refusal did not consume the URL
      expect((await bytesOf(path, { 'sec-fetch-dest': 'empty' })).status).toBe(200)
    }
  })

  test('is refused as an embedded object, except for a PDF preview', async () => {
    const id = await owner.upload('paper.pdf', '%PDF-1.7', { type: 'application/pdf' })
    const embedded = { 'sec-fetch-dest': 'embed' }
    expect((await bytesOf(await addressOf(id), embedded)).status).toBe(403)
    expect((await bytesOf(await addressOf(id, 'previewUrl'), embedded)).status).toBe(200)
  })
})

describe('a range', () => {
  const content = randomBytes(700_000)
  let path = ''
  beforeAll(async () => {
    const id = await owner.upload('ranges', content)
    path = `/api/v4/fs/${id}?download=1`
  })
  const part = (range: string, more: Record<string, string> = {}) =>
    bytesOf(path, { authorization: `Bearer ${owner.token}`, range, ...more })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, 700_000],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=262144-524287', 262_144, 524_288],
    ['bytes=300000-699999', 300_000, 700_000],
    ['bytes=699999-', 699_999, 700_000],
    ['bytes=-5', 699_995, 700_000],
    ['bytes=-9999999', 0, 700_000],
    ['bytes=5-99999999', 5, 700_000],
  ])('%s returns exactly these bytes', async (range, start, end) => {
    const { status, bytes, headers } = await part(range)
    expect(status).toBe(206)
    expect(bytes.equals(content.subarray(start, end))).toBe(true)
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/700000`)
  })

  test.each(['bytes=700000-', 'bytes=999999-1000000', 'bytes=-0'])('%s is a 416', async (range) => {
    const { status, headers } = await part(range)
    expect(status).toBe(416)
    expect(headers['content-range']).toBe('bytes */700000')
  })

  test.each(['bytes=5-2', 'bytes=a-b', 'bytes=', 'items=0-5', 'bytes=0-1,5-6'])(
    '%s is all of it',
    async (range) => {
      expect((await part(range)).status).toBe(200)
    },
  )

  test('is valid as long as the content is unchanged', async () => {
    const tag = `"${sha256Hex(content)}"`
    expect((await part('bytes=0-0', { 'if-range': tag })).status).toBe(206)
    expect((await part('bytes=0-0', { 'if-range': '"other"' })).status).toBe(200)
    expect((await part('', { 'if-none-match': tag })).status).toBe(304)
  })
})

describe('a preview', () => {
  test.each([
    ['page.html', 'text/html', '<script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['data.json', 'application/json', '{"a":1}', 'text/plain; charset=utf-8'],
    ['paper.pdf', 'application/pdf', '%PDF-1.7', 'application/pdf'],
    ['song.mp3', 'audio/mpeg', 'ID3', 'audio/mpeg'],
  ])('of %s is shown inline as %s in a sandbox', async (name, type, content, shown) => {
    const id = await owner.upload(name, content, { type })
    const path = await addressOf(id, 'previewUrl')
    const { status, headers } = await bytesOf(path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(shown)
    expect(headers['content-disposition']).toMatch(/^inline/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect((await bytesOf(path, { range: 'bytes=0-0' })).status).toBe(206)
  })

  test.each([
    ['<!doctype html><script>alert(1)</script>', 'image/png'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/png'],
    ['<script>alert(1)</script>', 'application/pdf'],
  ])('of %s that claims to be %s is shown as such or not at all', async (content, type) => {
    const id = await owner.upload('disguised', content, { type })
    const { headers } = await bytesOf(await addressOf(id, 'previewUrl'))
    expect(headers['content-type']).toBe(type)
    expect(headers['x-content-type-options']).toBe('nosniff')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    expect(policy.includes('sandbox')).toBe(type !== 'application/pdf')
  })

  test.each(['text/html; charset="x"; name=y', 'TEXT/HTML'])(
    'or a download is not steered by the rest of the type %j',
    async (type) => {
      const id = await owner.upload('typed', '<p>', { type })
      const { status, headers } = await bytesOf(await addressOf(id))
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['content-disposition']).toMatch(/^attachment/)
    },
  )

  test.each(['text/html, image/png', 'nonsense', '../../etc', 'a'.repeat(300)])(
    'has no type %j: nobody can send it',
    async (type) => {
      expect((await owner.send('typed', '<p>', { type })).status).toBe(400)
    },
  )

  test.each([
    ['drawing.svg', 'image/svg+xml'],
    ['page.xhtml', 'application/xhtml+xml'],
    ['program.exe', 'application/octet-stream'],
  ])('of %s does not exist', async (name, type) => {
    const id = await owner.upload(name, Buffer.from([0, 1, 2]), { type })
    expect((await owner.call(`GET /api/v4/fs/${id}?previewUrl=1`)).status).toBe(422)
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.hasPreview).toBe(false)
  })
})

describe('an archive', () => {
  /** Returns the paths and texts of a zip archive. */
  async function unpack(bytes: Buffer): Promise<Record<string, string>> {
    const zip = await yauzl.fromBufferPromise(bytes)
    const found: Record<string, string> = {}
    for await (const entry of zip.eachEntry()) {
      const parts: Buffer[] = []
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer) // bytes
      found[entry.fileName] = Buffer.concat(parts).toString()
    }
    return found
  }

  test('contains items and everything below them with safe, unique names', async () => {
    const place = await owner.collection('zipped')
    const inner = await owner.collection('in:ner', place)
    await owner.upload('same.txt', '1', { parent: place })
    await owner.upload('same.txt', '2', { parent: place })
    await owner.upload('..\\evil.txt', '3', { parent: inner })
    await owner.upload('con', '4', { parent: inner })
    const single = await owner.upload('single.txt', '5')
    const { body } = await owner.call('POST /api/v4/fs/zip', { body: { ids: [place, single], name: 'mine' } })
    expect(body.name).toBe('mine.zip')
    const { status, bytes, headers } = await bytesOf(pathOf(body.downloadUrl))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/zip')
    expect(await unpack(bytes)).toEqual({
      'zipped/': '',
      'zipped/in_ner/': '',
      'zipped/in_ner/.._evil.txt': '3',
      'zipped/in_ner/_con': '4',
      'zipped/same.txt': expect.stringMatching(/[12]/),
      'zipped/same (2).txt': expect.stringMatching(/[12]/),
      'single.txt': '5',
    })
  })

  test('truncates long names but keeps their extension', async () => {
    const place = await owner.collection('long')
    for (const name of [`${'€'.repeat(100)}.pdf`, `${'€'.repeat(100)}.pdf`, 'x'.repeat(512)]) {
      await owner.upload(name, 'x', { parent: place })
    }
    const { body } = await owner.call('POST /api/v4/fs/zip', { body: { ids: [place] } })
    const { bytes } = await bytesOf(pathOf(body.downloadUrl))
    const names = Object.keys(await unpack(bytes)).map((path) => path.split('/')[1] ?? '')
    expect(names.toSorted()).toEqual(
      ['', 'x'.repeat(240), `${'€'.repeat(78)} (2).pdf`, `${'€'.repeat(78)}.pdf`].toSorted(),
    )
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  test("of another user's items is refused", async () => {
    const stranger = await makeFileOwner(app())
    const id = await stranger.upload('foreign', 'x')
    expect((await owner.call('POST /api/v4/fs/zip', { body: { ids: [id] } })).status).toBe(403)
  })
})

test('content altered in the store causes an error, never wrong bytes', async () => {
  const id = await owner.upload('damaged', randomBytes(300_000))
  const { db } = app().database
  const chunk = await db
    .selectFrom('fsChunks as h')
    .innerJoin('fsVersions as v', 'v.contentId', 'h.contentId')
    .select('h.id')
    .where('v.itemId', '=', id)
    .executeTakeFirstOrThrow()
  const { store } = app().files
  const stored: Uint8Array[] = []
  for await (const part of store.read(chunk.id, 0, 300_032)) stored.push(Buffer.from(part))
  const altered = Buffer.concat(stored)
  altered[10] = (altered[10] ?? 0) ^ 1
  await store.remove(chunk.id)
  const writer = await store.create(chunk.id)
  await writer.write([altered])
  await writer.commit()
  expect((await owner.call(`GET /api/v4/fs/${id}?download=1`)).status).toBe(500)
})
