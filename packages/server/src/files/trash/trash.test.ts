import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { day } from '../../platform/clock.ts'
import { type FileOwner, fileOwner, makeFileOwner } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type FileSettings, fileSettings } from '../file-settings.ts'
import { GarbageCollection } from '../gc/collect-garbage.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

const settings = (given: Record<string, string> = {}): FileSettings => z.object(fileSettings).parse(given)
const collect = (given?: Record<string, string>) => new GarbageCollection(app().files, settings(given)).run()
/** Advances the clock by days; users have to sign in again afterwards. */
async function pass(days: number): Promise<void> {
  app().clock.advance(days * day)
  owner = await fileOwner(app(), owner.user)
}
const remove = (id: string) => owner.call(`DELETE /api/v4/fs/${id}`)
const trash = async () => (await owner.call('GET /api/v4/fs/trash')).body.list

describe('deleting a collection', () => {
  test('includes everything that lies only in it, and appears as one entry', async () => {
    const [place, other] = [await owner.collection('deleted'), await owner.collection('stays')]
    const inner = await owner.collection('inner', place)
    const gone = await owner.upload('gone.txt', '123', { parent: inner })
    const shared = await owner.upload('elsewhere-too.txt', 'x', { parent: inner })
    await owner.call(`PUT /api/v4/fs/${shared}`, { headers: { 'x-kolab-add-parents': other } })
    expect((await remove(place)).body.message).toBe('Folder moved to the trash.')
    expect((await owner.call(`GET /api/v4/fs/${gone}`)).status).toBe(404)
    expect((await owner.call(`GET /api/v4/fs/${shared}`)).status).toBe(200)
    expect(await owner.names(other)).toEqual(['elsewhere-too.txt'])
    const [item] = await trash()
    expect(item).toMatchObject({ id: place, name: 'deleted', items: 2, total_size: 3, from: null })
  })

  test('can be undone, restoring everything to its place', async () => {
    const place = await owner.collection('place')
    const id = await owner.collection('back', place)
    const file = await owner.upload('in.txt', 'content', { parent: id })
    await remove(id)
    const { status } = await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [id] } })
    expect(status).toBe(200)
    expect(await owner.names(place)).toEqual(['back'])
    expect(await owner.content(file)).toBe('content')
  })

  test("doesn't affect what was deleted from it before", async () => {
    const place = await owner.collection('twice-deleted')
    const early = await owner.upload('early.txt', 'x', { parent: place })
    await owner.upload('late.txt', 'x', { parent: place })
    await remove(early)
    await remove(place)
    await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [place] } })
    expect(await owner.names(place)).toEqual(['late.txt'])
    await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [early] } })
    expect(await owner.names(place)).toEqual(['early.txt', 'late.txt'])
  })

  test('leaves individually restored items in the root', async () => {
    const place = await owner.collection('without')
    const id = await owner.upload('orphan.txt', 'x', { parent: place })
    await remove(id)
    await remove(place)
    await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [id] } })
    expect(await owner.names()).toContain('orphan.txt')
  })

  test('ends shares and links permanently', async () => {
    const id = await owner.upload('given.txt', 'x')
    await owner.call(`POST /api/v4/fs/${id}/permissions`, {
      body: { user: 'a@b.test', permissions: 'read-only' },
    })
    await owner.call(`POST /api/v4/fs/${id}/links`, { body: {} })
    await remove(id)
    await owner.call('POST /api/v4/fs/trash/restore', { body: { ids: [id] } })
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body.isShared).toBe(false)
  })
})

describe('the trash', () => {
  test('is not accessible to others', async () => {
    const id = await owner.upload('mine.txt', 'x')
    await remove(id)
    const stranger = await makeFileOwner(app())
    expect((await stranger.call(`DELETE /api/v4/fs/trash/${id}`)).status).toBe(404)
    const body = { ids: [id] }
    expect((await stranger.call('POST /api/v4/fs/trash/restore', { body })).status).toBe(404)
    expect((await stranger.call('GET /api/v4/fs/trash')).body.list).toEqual([])
  })

  test('can be emptied, which frees the storage', async () => {
    const other = await makeFileOwner(app())
    const id = await other.upload('large', 'x'.repeat(1000))
    await other.call(`DELETE /api/v4/fs/${id}`)
    expect((await other.call('GET /api/v4/fs/quota')).body).toMatchObject({ used: 1000, trash: 1000 })
    await other.call('DELETE /api/v4/fs/trash')
    expect((await other.call('GET /api/v4/fs/quota')).body).toMatchObject({ used: 0, trash: 0 })
  })

  test('keeps items for the retention period and then deletes them permanently', async () => {
    const id = await owner.upload('timed.txt', 'x')
    await remove(id)
    await pass(29)
    await collect()
    expect((await trash()).map((item: { id: string }) => item.id)).toContain(id)
    await pass(2)
    await collect()
    expect((await trash()).map((item: { id: string }) => item.id)).not.toContain(id)
  })
})

describe('versions', () => {
  const replace = (id: string, body: string) => owner.call(`PUT /api/v4/fs/${id}?media=content`, { body })
  const versions = async (id: string) => (await owner.call(`GET /api/v4/fs/${id}/versions`)).body.list

  test('are kept, listed newest first, and restored without losing any', async () => {
    const id = await owner.upload('v.txt', 'one')
    await replace(id, 'two')
    await replace(id, 'three')
    const list = await versions(id)
    expect(list).toMatchObject([
      { number: 3, isCurrent: true, size: 5, user: owner.user.email, kept_until: null },
      { number: 2, isCurrent: false },
      { number: 1, isCurrent: false },
    ])
    await owner.call(`POST /api/v4/fs/${id}/versions/${list[2].id}/restore`, { body: {} })
    expect(await owner.content(id)).toBe('one')
    expect(await versions(id)).toHaveLength(4)
  })

  test('can be downloaded and deleted individually, except the current one', async () => {
    const id = await owner.upload('w.txt', 'old')
    await replace(id, 'new')
    const [current, old] = await versions(id)
    const { body } = await owner.call(`GET /api/v4/fs/${id}/versions/${old.id}`)
    expect((await app().call(`GET ${new URL(body.downloadUrl).pathname}`)).body).toBe('old')
    expect((await owner.call(`DELETE /api/v4/fs/${id}/versions/${current.id}`)).status).toBe(422)
    expect((await owner.call(`DELETE /api/v4/fs/${id}/versions/${old.id}`)).status).toBe(200)
    expect(await versions(id)).toHaveLength(1)
  })

  test('are removed when there are too many or they are too old', async () => {
    const id = await owner.upload('many.txt', '0')
    for (const content of ['1', '2', '3', '4']) await replace(id, content)
    await collect({ FILES_VERSIONS: '2' })
    expect((await versions(id)).map((v: { number: number }) => v.number)).toEqual([5, 4, 3])
    await pass(91)
    await collect()
    expect((await versions(id)).map((v: { number: number }) => v.number)).toEqual([5])
    expect(await owner.content(id)).toBe('4')
  })
})
