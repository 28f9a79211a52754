import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ForgetDeleted } from '../../account-lifecycle/forget-deleted.ts'
import { day } from '../../platform/clock.ts'
import { type FileOwner, fileOwner, makeFileOwner } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { Retention } from '../../users/retention.ts'
import { fileSettings } from '../file-settings.ts'
import type { ContentStore, ObjectWriter } from '../storage/content-store.ts'
import { DiskStore } from '../storage/disk-store.ts'
import { GarbageCollection, unknownObjects } from './collect-garbage.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

const settings = (given: Record<string, string> = {}) => z.object(fileSettings).parse(given)
const collect = (given?: Record<string, string>) => new GarbageCollection(app().files, settings(given)).run()

/** Simulates a crash of the process. */
class Crash extends Error {
  override name = 'Crash'
}

/** Store that simulates a crash at a step chosen by the test. */
class DyingStore implements ContentStore {
  readonly pieceBytes: number
  readonly #store: ContentStore
  /** Steps until the crash; negative: never. */
  left = -1

  constructor(store: ContentStore) {
    this.#store = store
    this.pieceBytes = store.pieceBytes
  }

  #step(): void {
    if (this.left === 0) throw new Crash()
    this.left--
  }

  create(id: string): Promise<ObjectWriter> {
    return this.#store.create(id)
  }
  read(id: string, start: number, length: number): AsyncIterable<Uint8Array> {
    return this.#store.read(id, start, length)
  }
  async remove(id: string): Promise<void> {
    this.#step()
    await this.#store.remove(id)
    this.#step()
  }
  probe(): Promise<void> {
    return this.#store.probe()
  }
  close(): void {}
}

/** Ids of the objects in the test server's store. */
async function objects(): Promise<string[]> {
  const { store } = app().files
  if (!(store instanceof DiskStore)) throw new Error('tests keep content on disk')
  const found: string[] = []
  for await (const name of store.list()) found.push(name)
  return found
}

async function chunks(): Promise<string[]> {
  const rows = await app().database.db.selectFrom('fsChunks').select('id').execute()
  return rows.map((row) => row.id)
}

describe('garbage collection', () => {
  test('removes only unneeded content, after a day', async () => {
    const kept = await owner.upload('kept', 'kept')
    const gone = await owner.upload('gone', 'gone')
    const before = (await objects()).length
    await owner.call(`DELETE /api/v4/fs/${gone}`)
    await owner.call(`DELETE /api/v4/fs/trash/${gone}`)
    await collect()
    expect(await objects()).toHaveLength(before)
    app().clock.advance(2 * day)
    await collect()
    expect(await objects()).toHaveLength(before - 1)
    owner = await fileOwner(app(), owner.user)
    expect(await owner.content(kept)).toBe('kept')
  })

  test('keeps content that a copy still uses', async () => {
    const id = await owner.upload('original', 'shared content')
    const { body } = await owner.call(`POST /api/v4/fs/${id}/copy`, { body: { name: 'copy' } })
    await owner.call(`DELETE /api/v4/fs/${id}`)
    await owner.call(`DELETE /api/v4/fs/trash/${id}`)
    app().clock.advance(3 * day)
    await collect()
    app().clock.advance(3 * day)
    await collect()
    owner = await fileOwner(app(), owner.user)
    expect(await owner.content(body.id)).toBe('shared content')
  })

  test('removes abandoned uploads immediately and releases their storage', async () => {
    const { body } = await owner.call('POST /api/v4/fs?name=left&media=resumable&size=10')
    await app().call(`POST /api/v4/fs/uploads/${body.uploadId}?from=0`, { body: 'abc' })
    const before = (await objects()).length
    app().clock.advance(7 * 3600)
    await collect()
    expect(await objects()).toHaveLength(before - 1)
    owner = await fileOwner(app(), owner.user)
    expect((await owner.call('GET /api/v4/fs/quota')).body.uploads).toBe(0)
  })

  test('is prevented by the database for content in use', async () => {
    await owner.upload('in-use', 'x')
    const { db } = app().database
    const doom = db
      .updateTable('fsContents')
      .set({ state: 'doomed', doomedAt: app().clock.now() })
      .where('id', 'in', (query) => query.selectFrom('fsVersions').select('contentId'))
      .execute()
    await expect(doom).rejects.toThrow('in use')
  })

  test('never loses content that is copied concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await owner.upload('contested', `content ${round}`)
      const second = await owner.call(`POST /api/v4/fs/${id}/copy`, { body: {} })
      await owner.call(`DELETE /api/v4/fs/${id}`)
      const [copied] = await Promise.all([
        owner.call(`POST /api/v4/fs/${second.body.id}/copy`, { body: {} }),
        owner.call(`DELETE /api/v4/fs/trash/${id}`).then(() => collect()),
      ])
      expect(await owner.content(copied.body.id)).toBe(`content ${round}`)
    }
  })

  test('removes everything that a purged user had', async () => {
    const person = await makeFileOwner(app())
    const id = await person.upload('theirs', 'x')
    await app().database.pool.query(`update users set deleted_at = $1, status = status | 8 where id = $2`, [
      app().clock.now(),
      person.user.id,
    ])
    app().clock.advance(31 * day)
    const { db } = app().database
    await new ForgetDeleted(db, app().clock, new Retention(app().clock, 30)).purge()
    expect(await db.selectFrom('fsItems').select('id').where('id', '=', id).execute()).toEqual([])
    await collect()
    app().clock.advance(2 * day)
    await collect()
    owner = await fileOwner(app(), owner.user)
    expect(await objects()).toHaveLength((await chunks()).length)
  })
})

/** Random file operations of the property below. */
const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant('upload' as const) },
  { weight: 2, arbitrary: fc.constant('replace' as const) },
  fc.constant('copy' as const),
  { weight: 2, arbitrary: fc.constant('delete' as const) },
  fc.constant('restore' as const),
  fc.constant('purge' as const),
  fc.constant('start' as const),
  fc.constant('pass' as const),
  fc.record({ crash: fc.nat(8) }),
)

test('after arbitrary operations and crashes, every file is intact and nothing is left over', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), fc.nat(), async (acts, seed) => {
      owner = await makeFileOwner(app())
      const files = new Map<string, string>()
      const trashed = new Map<string, string>()
      const pick = (from: Map<string, string>, salt: number) =>
        [...from][(seed + salt) % Math.max(1, from.size)]
      for (const [number, one] of acts.entries()) {
        if (typeof one === 'object') {
          const store = new DyingStore(app().files.store)
          store.left = one.crash
          const dying = new GarbageCollection(
            { ...app().files, store },
            settings({ FILES_TRASH_DAYS: '3650' }),
          )
          await dying.run().catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error
          })
          continue
        }
        const content = `${number} ${randomBytes(20).toString('hex')}`
        const [id, known] = pick(one === 'restore' || one === 'purge' ? trashed : files, number) ?? []
        if (one === 'upload') files.set(await owner.upload(`file ${number}`, content), content)
        if (one === 'pass') {
          app().clock.advance(2 * day)
          owner = await fileOwner(app(), owner.user)
        }
        if (one === 'start') {
          const { body } = await owner.call(`POST /api/v4/fs?name=s${number}&media=resumable&size=99`)
          await app().call(`POST /api/v4/fs/uploads/${body.uploadId}?from=0`, { body: content })
        }
        if (id === undefined || known === undefined) continue
        if (one === 'replace') {
          await owner.call(`PUT /api/v4/fs/${id}?media=content`, { body: content })
          files.set(id, content)
        }
        if (one === 'copy') {
          files.set((await owner.call(`POST /api/v4/fs/${id}/copy`, { body: {} })).body.id, known)
        }
        if (one === 'delete') {
          await owner.call(`DELETE /api/v4/fs/${id}`)
          files.delete(id)
          trashed.set(id, known)
        }
        if (one === 'restore') {
          await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [id] } })
          trashed.delete(id)
          files.set(id, known)
        }
        if (one === 'purge') {
          await owner.call(`DELETE /api/v4/fs/trash/${id}`)
          trashed.delete(id)
        }
      }
      for (const [id, content] of files) expect(await owner.content(id)).toBe(content)
      // finally, the store and the database contain the same objects
      for (let round = 0; round < 2; round++) {
        app().clock.advance(2 * day)
        await collect({ FILES_TRASH_DAYS: '3650' })
      }
      expect((await objects()).sort()).toEqual((await chunks()).sort())
      const { db } = app().database
      expect(
        await unknownObjects(
          db,
          (async function* () {
            yield* await objects()
          })(),
        ),
      ).toEqual([])
      owner = await fileOwner(app(), owner.user)
      for (const [id, content] of files) expect(await owner.content(id)).toBe(content)
      const { rows } = await app().database.pool.query<{ same: boolean }>(
        `select bytes = (select coalesce(sum(size), 0) from fs_versions where owner_id = user_id)
           + (select coalesce(sum(received), 0) from fs_uploads where owner_id = user_id and finished_item_id is null)
           as same from fs_usage where user_id = $1`,
        [owner.user.id],
      )
      expect(rows.every((row) => row.same)).toBe(true)
    }),
    { numRuns: Number(process.env.GC_RUNS ?? '8'), endOnFailure: true },
  )
}, 300_000)
