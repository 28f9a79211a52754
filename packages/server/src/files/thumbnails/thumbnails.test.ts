import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

async function thumbnail(id: string, size = '256') {
  const response = await app().fastify.inject({
    method: 'GET',
    url: `/api/v4/fs/${id}/thumbnail?size=${size}`,
    headers: { host: 'localhost:8000', authorization: `Bearer ${owner.token}` },
  })
  return { status: response.statusCode, bytes: response.rawPayload, headers: response.headers }
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3a7' } })
    .jpeg()
    .toBuffer()

/** Creates a small single-coloured PNG file with these dimensions. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const row = Buffer.alloc(Math.ceil(width / 8) + 1)
  const data = deflateSync(Buffer.concat(Array.from({ length: 100 }, () => row)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Buffer): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1
  }
  return ~crc >>> 0
}

describe('a thumbnail', () => {
  test('of an image is small and cacheable', async () => {
    const id = await owner.upload('photo.jpg', await picture(2000, 1000))
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.hasThumbnail).toBe(true)
    const { status, bytes, headers } = await thumbnail(id)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=86400' })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 128 })
    expect((await thumbnail(id)).bytes.equals(bytes)).toBe(true)
  })

  test('is encrypted at rest and deleted with the content', async () => {
    const { db } = app().database
    const rows = await db.selectFrom('fsThumbnails').select('sealed').execute()
    for (const { sealed } of rows) expect(sealed?.includes('WEBP')).toBe(false)
  })

  test.each([
    ['text', 'a.txt', Buffer.from('text')],
    ['SVG', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('of %s does not exist', async (_, name, content) => {
    const id = await owner.upload(name, content)
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.hasThumbnail).toBe(false)
    expect((await thumbnail(id)).status).toBe(404)
  })

  test.each(['avif', 'gif', 'jpeg', 'png', 'tiff', 'webp'] as const)('is created for %s', async (format) => {
    const content = await sharp(await picture(30, 30))
      .toFormat(format)
      .toBuffer()
    const id = await owner.upload(`small.${format}`, content, { type: `image/${format}` })
    expect((await thumbnail(id, '64')).status).toBe(200)
  })

  test.each([
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ],
    ['a PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'],
    ['a page', '<!doctype html><title>x</title>'],
  ])('of %s that claims to be a PNG does not exist', async (_, content) => {
    const id = await owner.upload('disguised.png', content, { type: 'image/png' })
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.mimetype).toBe('image/png')
    expect((await thumbnail(id)).status).toBe(404)
  })

  test.each([
    ['says it has ten thousand million pixels', bomb(100_000, 100_000)],
    ['is cut off', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['is nothing but its first bytes', Buffer.from('ffd8ffe0', 'hex')],
  ])('of an image that %s does not exist, and the server keeps running', async (_, content) => {
    const id = await owner.upload('hostile.png', content)
    expect((await thumbnail(id)).status).toBe(404)
    // a second request doesn't try again
    expect((await thumbnail(id)).status).toBe(404)
    const good = await owner.upload('good.jpg', await picture(10, 10))
    expect((await thumbnail(good, '64')).status).toBe(200)
  })
})
