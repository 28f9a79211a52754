import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUuid } from '../../platform/ids.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type ContentStore, ObjectMissing } from './content-store.ts'
import { DiskStore } from './disk-store.ts'
import type { FileStorage } from './file-storage.ts'
import { hashContent, readContent } from './read-content.ts'
import { S3Store } from './s3-store.ts'
import { ContentDamaged, openSegment, plainSegment, sealSegment, segmentKey, segmentsOf } from './segments.ts'
import { TooManyBytes, writeContent } from './write-content.ts'

const app = useTestApp()
let folder = ''
let s3: S3Server
const stores = new Map<string, ContentStore>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-store-'))
  s3 = await startS3Server()
  stores.set('disk', await DiskStore.open(folder))
  stores.set('s3', await S3Store.open(s3.settings))
})
afterAll(async () => {
  for (const store of stores.values()) store.close()
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function storageOf(name: string): FileStorage {
  const store = stores.get(name)
  if (store === undefined) throw new Error(`no store ${name}`)
  return { ...app().files, store }
}

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

/** Writes a new content from these parts; rethrows errors. */
async function write(
  storage: FileStorage,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  facts: { room?: number; onPiece?: () => Promise<void>; contentId?: string; position?: number } = {},
) {
  const contentId = facts.contentId ?? newUuid()
  if (facts.contentId === undefined) {
    await storage.db
      .insertInto('fsContents')
      .values({
        ...{ id: contentId, state: 'open', sha256: null, mimetype: 'x/y' },
        ...{ createdAt: storage.clock.now(), doomedAt: null },
      })
      .execute()
  }
  const hash = createHash('sha256')
  const target = {
    contentId,
    position: facts.position ?? 0,
    room: facts.room,
    hash,
    onPiece: facts.onPiece ?? (async () => {}),
  }
  async function* source() {
    yield* parts
  }
  const outcome = await writeContent(storage, target, source()).catch((error: unknown) => error)
  return { contentId, outcome }
}

const chunksOf = (storage: FileStorage, contentId: string) =>
  storage.db
    .selectFrom('fsChunks')
    .select(['id', 'state', 'position', 'size'])
    .where('contentId', '=', contentId)
    .orderBy('position')
    .execute()

function parts(content: Buffer, size: number): Buffer[] {
  const found: Buffer[] = []
  for (let from = 0; from < content.length; from += size) found.push(content.subarray(from, from + size))
  return found
}

describe.each(['disk', 's3'])('content on %s', (name) => {
  test.each([1, plainSegment - 1, plainSegment, plainSegment + 1, 3 * plainSegment, 9 * 1024 * 1024 + 77])(
    'of %i bytes is read as it was written, whole and in any part',
    async (size) => {
      const storage = storageOf(name)
      const content = randomBytes(size)
      const { contentId, outcome } = await write(storage, parts(content, 100_003))
      expect(outcome).toBe(size)
      expect((await whole(readContent(storage, contentId, 0, size))).equals(content)).toBe(true)
      expect(
        (await hashContent(storage, contentId, size)).equals(createHash('sha256').update(content).digest()),
      ).toBe(true)
      for (const [start, length] of [
        [0, 1],
        [size - 1, 1],
        [Math.floor(size / 2), Math.ceil(size / 3)],
        [Math.max(0, plainSegment - 1), Math.min(2, Math.max(1, size - plainSegment + 1))],
      ] as const) {
        if (start + length > size) continue
        const part = await whole(readContent(storage, contentId, start, length))
        expect(part.equals(content.subarray(start, start + length)), `${start}+${length}`).toBe(true)
      }
    },
    60_000,
  )

  test('accepts parts of any size', async () => {
    const storage = storageOf(name)
    const content = randomBytes(2 * plainSegment + 1000)
    const sizes = [1, 70_000, 3, 5, 16_383, 16_384, 200_000, 1, 1]
    const sent: Buffer[] = []
    for (let from = 0, turn = 0; from < content.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1
      sent.push(content.subarray(from, from + size))
      from += size
    }
    const { contentId, outcome } = await write(storage, sent)
    expect(outcome).toBe(content.length)
    expect((await whole(readContent(storage, contentId, 0, content.length))).equals(content)).toBe(true)
    const bytes = Array.from(content.subarray(0, 3000), (_, index) => content.subarray(index, index + 1))
    const slow = await write(storage, bytes)
    expect(
      (await whole(readContent(storage, slow.contentId, 0, 3000))).equals(content.subarray(0, 3000)),
    ).toBe(true)
  })

  test('is split into pieces that are each durable', async () => {
    const storage = storageOf(name)
    const size = storage.store.pieceBytes + 1
    const { contentId } = await write(storage, parts(Buffer.alloc(size), 1024 * 1024))
    expect(await chunksOf(storage, contentId)).toMatchObject([
      { position: 0, size: storage.store.pieceBytes, state: 'stored' },
      { position: storage.store.pieceBytes, size: 1, state: 'stored' },
    ])
  }, 60_000)

  test('keeps what was received when interrupted, and can be resumed', async () => {
    const storage = storageOf(name)
    const content = randomBytes(700_000)
    async function* broken() {
      yield content.subarray(0, 400_000)
      throw new Error('the line is dead')
    }
    const { contentId, outcome } = await write(storage, broken())
    expect(String(outcome)).toContain('the line is dead')
    const rest = content.subarray(400_000)
    await write(storage, [rest], { contentId, position: 400_000 })
    expect((await whole(readContent(storage, contentId, 0, 700_000))).equals(content)).toBe(true)
  })

  test('with too many bytes, or rejected when counted, leaves no object behind', async () => {
    const storage = storageOf(name)
    const many = await write(storage, [Buffer.alloc(10)], { room: 9 })
    expect(many.outcome).toBeInstanceOf(TooManyBytes)
    const refused = await write(storage, [Buffer.alloc(10)], {
      onPiece: () => Promise.reject(new Error('no room')),
    })
    expect(String(refused.outcome)).toContain('no room')
    expect(await chunksOf(storage, many.contentId)).toEqual([])
    expect(await chunksOf(storage, refused.contentId)).toEqual([])
  })

  test('that is missing or altered causes an error', async () => {
    const storage = storageOf(name)
    const { contentId } = await write(storage, [Buffer.from('content')])
    const [chunk] = await chunksOf(storage, contentId)
    const id = chunk?.id ?? ''
    await storage.store.remove(id)
    await expect(whole(readContent(storage, contentId, 0, 7))).rejects.toBeInstanceOf(ObjectMissing)
    const writer = await storage.store.create(id)
    await writer.write([randomBytes(7 + 16)])
    await writer.commit()
    await expect(whole(readContent(storage, contentId, 0, 7))).rejects.toBeInstanceOf(ContentDamaged)
  })

  test('can be deleted repeatedly', async () => {
    const { store } = storageOf(name)
    const id = newUuid()
    await store.remove(id)
    await store.remove(id)
  })

  test('is checked by a probe', async () => {
    await storageOf(name).store.probe()
  })
})

describe('on disk', () => {
  test("an unfinished object doesn't exist, and is deleted by its id", async () => {
    const { store } = storageOf('disk')
    const id = newUuid()
    const writer = await store.create(id)
    await writer.write([Buffer.from('half')])
    await expect(whole(store.read(id, 0, 4))).rejects.toBeInstanceOf(ObjectMissing)
    await store.remove(id)
    expect(await readdir(join(folder, 'tmp'))).not.toContain(id)
    await expect(writer.commit()).rejects.toThrow()
    await writer.discard()
  })

  test('unknown objects are listed', async () => {
    const store = stores.get('disk')
    if (!(store instanceof DiskStore)) throw new Error('made before')
    await writeFile(join(folder, 'stray'), 'x')
    const found: string[] = []
    for await (const name of store.list()) found.push(name)
    expect(found).toContain('stray')
  })
})

describe('segments', () => {
  test('only open with the right key, index and end flag', async () => {
    const key = segmentKey(randomBytes(32))
    const sealed = Buffer.concat(sealSegment(key, 3, false, [Buffer.from('pl'), Buffer.from('ain')]))
    expect(Buffer.from(openSegment(key, 3, false, sealed)).toString()).toBe('plain')
    for (const [other, index, isLast] of [
      [key, 4, false],
      [key, 3, true],
      [segmentKey(randomBytes(32)), 3, false],
    ] as const) {
      expect(() => openSegment(other, index, isLast, sealed)).toThrow(ContentDamaged)
    }
    for (const cut of [0, 15, sealed.length - 1]) {
      expect(() => openSegment(key, 3, false, sealed.subarray(0, cut))).toThrow(ContentDamaged)
    }
  })

  test('of a range are exactly those that contain it', () => {
    const size = 2 * plainSegment + 5
    expect(segmentsOf(size, 0, size)).toMatchObject({ first: 0, last: 2, end: 2, skip: 0, start: 0 })
    expect(segmentsOf(size, 0, size).length).toBe(size + 3 * 16)
    expect(segmentsOf(size, plainSegment, 1)).toMatchObject({ first: 1, last: 1, skip: 0 })
    expect(segmentsOf(size, plainSegment - 1, 2)).toMatchObject({ first: 0, last: 1, skip: plainSegment - 1 })
  })
})

describe('keys', () => {
  test('are rotated without re-encrypting content, and old ones are deleted', async () => {
    const storage = storageOf('disk')
    const { contentId } = await write(storage, [Buffer.from('kept')])
    const { keys, db } = storage
    const before = (await keys.current()).id
    const after = await keys.rotate()
    expect(after).not.toBe(before)
    while (await keys.rewrap());
    await keys.forgetUnused()
    const known = await db.selectFrom('fsKeys').select('id').execute()
    expect(known).toEqual([{ id: after }])
    expect((await whole(readContent(storage, contentId, 0, 4))).toString()).toBe('kept')
  })
})
