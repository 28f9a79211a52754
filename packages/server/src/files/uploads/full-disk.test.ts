import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner } from '../../testing/files.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const mebibyte = 1024 * 1024
const disk = mountDisk(64)
const title =
  disk === undefined ? 'a full disk (skipped: file systems can only be mounted as root)' : 'a full disk'

/** Mounts a small separate disk; undefined if the user lacks the permission. */
function mountDisk(mebibytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}

describe.skipIf(disk === undefined)(title, () => {
  const folder = disk ?? ''
  const ballast = join(folder, 'ballast')
  let app: TestApp
  let owner: FileOwner

  beforeAll(async () => {
    app = await createTestApp({ FILES_FOLDER: folder })
    owner = await makeFileOwner(app)
    await app.jobs.start(1)
  })

  afterAll(async () => {
    await app?.close()
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  })

  /** Fills the disk except for this many bytes. */
  async function fillUpTo(left: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    await writeFile(ballast, Buffer.alloc(bavail * bsize - left))
  }

  const readiness = async () => (await app.call('GET /api/health/readiness')).status
  const objects = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile() && entry.name !== 'ballast').map(({ name }) => name)
  }
  const freeBytes = async () => {
    const { body } = await app.call('GET /api/webhooks/metrics')
    return Number(/^gatehouse_disk_free_bytes\{folder="files"\} (\d+)/m.exec(String(body))?.[1])
  }

  test('a full disk rejects a file with 507 and a clear message, and leaves nothing behind', async () => {
    const kept = await owner.upload('kept.txt', 'what was there before')
    const before = await objects()
    expect(await readiness()).toBe(200)
    expect(await freeBytes()).toBeGreaterThan(32 * mebibyte)

    await fillUpTo(2 * mebibyte)
    expect(await readiness()).toBe(503)
    expect(await freeBytes()).toBeLessThanOrEqual(2 * mebibyte)
    for (const conflict of ['keep', 'replace']) {
      const refused = await owner.send('big.bin', Buffer.alloc(6 * mebibyte, 'x'), { query: { conflict } })
      expect(refused).toMatchObject({
        status: 507,
        body: {
          status: 'error',
          message: 'The server is out of storage. Nothing was saved. Try again later, or contact support.',
        },
      })
    }
    expect(await owner.names()).toEqual(['kept.txt'])
    expect(await objects()).toEqual(before)
    const { db } = app.database
    expect(await db.selectFrom('fsChunks').select('id').where('state', '<>', 'stored').execute()).toEqual([])
    expect((await owner.call('GET /api/v4/fs/uploads')).body.list).toEqual([])
    // existing files are still readable
    expect(await owner.content(kept)).toBe('what was there before')

    await rm(ballast)
    expect(await readiness()).toBe(200)
    const id = await owner.upload('big.bin', Buffer.alloc(6 * mebibyte, 'x'))
    expect(await owner.content(id)).toHaveLength(6 * mebibyte)
  }, 120_000)

  test('a full disk keeps the chunks already received, and the upload resumes when space is available', async () => {
    const chunk = Buffer.alloc(3 * mebibyte, 'y')
    const { body } = await owner.call('POST /api/v4/fs', {
      body: { name: 'parts.bin', media: 'resumable', size: 2 * chunk.length },
    })
    const send = (from: number) =>
      owner.call(`POST /api/v4/fs/uploads/${body.uploadId}?from=${from}`, {
        body: chunk,
        headers: { 'content-type': 'application/octet-stream' },
      })
    const sendByTus = (offset: number) =>
      owner.call(`PATCH /api/v4/fs/tus/${body.uploadId}`, {
        body: chunk,
        headers: {
          accept: 'application/json',
          'content-type': 'application/offset+octet-stream',
          'tus-resumable': '1.0.0',
          'upload-offset': String(offset),
        },
      })
    expect(await send(0)).toMatchObject({ status: 200, body: { uploaded: chunk.length } })
    await fillUpTo(mebibyte)
    expect((await send(chunk.length)).status).toBe(507)
    const byTus = await sendByTus(chunk.length)
    expect(byTus.status).toBe(507)
    expect(JSON.parse(String(byTus.body))).toMatchObject({
      status: 'error',
      message: expect.stringContaining('out of storage'),
    })
    await rm(ballast)
    const { body: now } = await owner.call(`GET /api/v4/fs/uploads/${body.uploadId}`)
    expect(now.uploaded).toBe(chunk.length)
    expect((await send(chunk.length)).status).toBe(200)
  }, 120_000)
})
