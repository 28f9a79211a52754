import { beforeAll, describe, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner, sha256Hex } from '../testing/files.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

describe('a file that is sent in one request', () => {
  test('is answered with its full form, and read again byte for byte', async () => {
    const { status, body } = await owner.send('notes.txt', 'hello files', {
      type: 'text/plain; charset=utf-8',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      type: 'file',
      name: 'notes.txt',
      size: 11,
      mimetype: 'text/plain',
    })
    expect(await owner.content(body.id)).toBe('hello files')
    const shown = await owner.call(`GET /api/v4/fs/${body.id}`)
    expect(shown.body).toMatchObject({
      name: 'notes.txt',
      mtime: '2026-03-10 12:00',
      isOwner: true,
      canUpdate: true,
      canDelete: true,
      canShare: true,
      sha256: sha256Hex('hello files'),
      versions: 1,
      scan: 'off',
      parents: [],
      path: [],
    })
  })

  test('may be empty', async () => {
    const id = await owner.upload('empty', '')
    expect(await owner.content(id)).toBe('')
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body).toMatchObject({ size: 0, sha256: sha256Hex('') })
  })

  test('is encrypted where it lies', async () => {
    const secret = 'nobody reads this on the disk'.repeat(100)
    const id = await owner.upload('secret.txt', secret)
    const { rows } = await app().database.pool.query<{ id: string }>(
      `select h.id from fs_chunks h join fs_versions v using (content_id) where v.item_id = $1`,
      [id],
    )
    const bytes: Uint8Array[] = []
    const chunk = rows[0]?.id ?? ''
    for await (const part of app().files.store.read(chunk, 0, secret.length)) bytes.push(part)
    expect(Buffer.concat(bytes).length).toBe(secret.length)
    expect(Buffer.concat(bytes).includes('nobody')).toBe(false)
  })
})
