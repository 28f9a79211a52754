import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAlias, makeTenant, makeUser } from '../testing/factories.ts'
import { type FileOwner, fileOwner, makeFileOwner } from '../testing/files.ts'
import { createTestApp, useTestApp } from '../testing/test-app.ts'
import { transition } from '../users/user-state.ts'

const app = useTestApp()
let owner: FileOwner
let reader: FileOwner
let writer: FileOwner
let stranger: FileOwner
let otherTenant: FileOwner

beforeAll(async () => {
  const tenantId = await makeTenant(app(), 9)
  owner = await makeFileOwner(app())
  reader = await makeFileOwner(app())
  writer = await makeFileOwner(app())
  stranger = await makeFileOwner(app())
  otherTenant = await makeFileOwner(app(), { tenantId })
})

const people = () => ({ owner, reader, writer, stranger, otherTenant })

/** Creates a shared collection with a file in it and a file shared individually. */
async function world() {
  const root = await owner.collection('shared')
  const inner = await owner.collection('inner', root)
  const file = await owner.upload('in.txt', 'x', { parent: inner })
  for (const [person, permissions] of [
    [reader, 'read-only'],
    [writer, 'read-write'],
  ] as const) {
    const { status } = await owner.call(`POST /api/v4/fs/${root}/permissions`, {
      body: { user: person.user.email, permissions },
    })
    expect(status).toBe(200)
  }
  return { root, inner, file }
}

// biome-ignore format: a table
const table: Record<string, string> = {
  // owner reader writer stranger otherTenant
  'GET /api/v4/fs/{file}':                             '200 200 200 403 404',
  'GET /api/v4/fs/{file}?download=1':                  '200 200 200 403 404',
  'GET /api/v4/fs/{file}?downloadUrl=1':               '200 200 200 403 404',
  'GET /api/v4/fs/{file}?previewUrl=1':                '200 200 200 403 404',
  'GET /api/v4/fs?parent={inner}':                     '200 200 200 403 404',
  'GET /api/v4/fs/{file}/versions':                    '200 403 200 403 404',
  'GET /api/v4/fs/{file}/events':                      '200 403 403 403 404',
  'GET /api/v4/fs/{file}/permissions':                 '200 403 403 403 404',
  'GET /api/v4/fs/{file}/links':                       '200 403 403 403 404',
  'POST /api/v4/fs/{file}/permissions':                '422 403 403 403 404',
  'POST /api/v4/fs/{file}/links':                      '200 403 403 403 404',
  'POST /api/v4/fs/{file}/copy':                       '200 200 200 403 404',
  'PUT /api/v4/fs/{file}':                             '200 403 200 403 404',
  'PUT /api/v4/fs/{file}?media=content':               '200 403 200 403 404',
  'PUT /api/v4/fs/{file}?media=resumable&size=1':      '200 403 200 403 404',
  'POST /api/v4/fs?name=new&parent={inner}':           '200 422 200 422 422',
  'POST /api/v4/fs?name=new&type=collection&parent={inner}': '200 422 200 422 422',
  'DELETE /api/v4/fs/{file}':                          '200 403 200 403 404',
  'DELETE /api/v4/fs/{root}':                          '200 403 403 403 404',
}

describe('access to an item', () => {
  test.each(Object.entries(table))('%s', async (key, expected) => {
    const statuses: Record<string, number> = {}
    for (const [name, person] of Object.entries(people())) {
      const ids = await world()
      const route = key.replaceAll(/\{(\w+)\}/g, (_, id: 'root' | 'inner' | 'file') => ids[id])
      const { status } = await person.call(route, route.startsWith('GET') ? {} : { body: {} })
      statuses[name] = status
    }
    const wanted = expected.split(' ').map(Number)
    expect(statuses).toEqual(
      Object.fromEntries(Object.keys(people()).map((name, index) => [name, wanted[index]])),
    )
  })

  test('matches the flags of the item', async () => {
    const { root, file } = await world()
    const flags = async (person: FileOwner, id: string) => {
      const { isOwner, canUpdate, canDelete, canShare } = (await person.call(`GET /api/v4/fs/${id}`)).body
      return [isOwner, canUpdate, canDelete, canShare]
    }
    expect(await flags(owner, file)).toEqual([true, true, true, true])
    expect(await flags(reader, file)).toEqual([false, false, false, false])
    expect(await flags(writer, file)).toEqual([false, true, true, false])
    expect(await flags(writer, root)).toEqual([false, true, false, false])
  })
})

describe('a shared collection', () => {
  test("can be browsed by its recipients, by its id or the share's, but not upwards", async () => {
    const above = await owner.collection('private')
    const root = await owner.collection('shared', above)
    const file = await owner.upload('in.txt', 'x', { parent: root })
    const { body: share } = await owner.call(`POST /api/v4/fs/${root}/permissions`, {
      body: { user: reader.user.email, permissions: 'read-only' },
    })
    expect(await reader.names(root)).toEqual(['in.txt'])
    expect(await reader.names(share.id)).toEqual(['in.txt'])
    const detail = (await reader.call(`GET /api/v4/fs/${file}`)).body
    expect(detail.path).toEqual([{ id: root, name: 'shared' }])
    expect(detail).toMatchObject({ owner: { email: owner.user.email }, share: { id: share.id } })
    expect((await reader.call(`GET /api/v4/fs/${root}`)).body.parents).toEqual([])
    expect((await reader.call(`GET /api/v4/fs?parent=${above}`)).status).toBe(403)
  })

  test("is listed as shared for all of the recipient's addresses", async () => {
    await makeAlias(app(), reader.user, 'reader-alias@example.test')
    const id = await owner.upload('by-alias.txt', 'x')
    await owner.call(`POST /api/v4/fs/${id}/permissions`, {
      body: { user: 'Reader-Alias@example.test', permissions: 'read-write' },
    })
    const { body } = await reader.call('GET /api/v4/fs/shared?search=by-alias')
    expect(body.list).toMatchObject([
      { id, owner: { email: owner.user.email }, share: { permissions: 'read-write' }, canUpdate: true },
    ])
    expect((await stranger.call('GET /api/v4/fs/shared')).body.list).toEqual([])
  })

  test("gets files from its writers, which belong to the owner and use the owner's storage", async () => {
    const { inner } = await world()
    const before = (await owner.call('GET /api/v4/fs/quota')).body.used
    const own = (await writer.call('GET /api/v4/fs/quota')).body.used
    const id = await writer.upload('added.txt', '12345', { parent: inner })
    expect((await owner.call(`GET /api/v4/fs/${id}`)).body).toMatchObject({ isOwner: true })
    expect((await owner.call('GET /api/v4/fs/quota')).body.used).toBe(before + 5)
    expect((await writer.call('GET /api/v4/fs/quota')).body.used).toBe(own)
  })

  test('confines its contents: writers can move items within it, but not out', async () => {
    const { root, inner, file } = await world()
    const own = await writer.collection('own')
    const put = (headers: Record<string, string>) => writer.call(`PUT /api/v4/fs/${file}`, { headers })
    expect((await put({ 'x-kolab-parents': own })).status).toBe(422)
    expect((await put({ 'x-kolab-add-parents': own })).status).toBe(422)
    expect((await put({ 'x-kolab-parents': '' })).status).toBe(422)
    expect((await put({ 'x-kolab-remove-parents': inner })).status).toBe(422)
    expect((await put({ 'x-kolab-parents': root })).status).toBe(200)
    expect(
      (await writer.call(`PUT /api/v4/fs/${root}`, { headers: { 'x-kolab-parents': own } })).status,
    ).toBe(403)
    expect((await owner.call(`GET /api/v4/fs/${file}`)).body.parents).toEqual([root])
  })

  test('does not receive an upload if its share ends in the meantime', async () => {
    const { root, inner } = await world()
    const begun = await writer.call(`POST /api/v4/fs?name=late&media=resumable&size=3&parent=${inner}`)
    const { body } = await owner.call(`GET /api/v4/fs/${root}/permissions`)
    const share = body.list.find((one: { permissions: string }) => one.permissions === 'read-write')
    await owner.call(`DELETE /api/v4/fs/${root}/permissions/${share.id}`)
    const { status } = await app().call(`POST /api/v4/fs/uploads/${begun.body.uploadId}?from=0`, {
      body: 'abc',
    })
    expect(status).toBe(403)
    expect(await owner.names(inner)).toEqual(['in.txt'])
  })
})

describe('shares by address', () => {
  const share = (id: string, user: unknown, permissions: unknown = 'read-only') =>
    owner.call(`POST /api/v4/fs/${id}/permissions`, { body: { user, permissions } })

  test('have the format that other clients know', async () => {
    const id = await owner.upload('formed.txt', 'x')
    const { body } = await share(id, 'Somebody@Example.test')
    expect(body).toMatchObject({
      status: 'success',
      id: expect.stringMatching(/^share-[0-9a-f-]{36}$/),
      user: 'somebody@example.test',
      permissions: 'read-only',
      link: `http://localhost:8000/file/${body.id}`,
    })
    const changed = await owner.call(`PUT /api/v4/fs/${id}/permissions/${body.id}`, {
      body: { user: 'other@example.test', permissions: 'read-write' },
    })
    expect(changed.body).toMatchObject({ user: 'other@example.test', permissions: 'read-write' })
    const { body: list } = await owner.call(`GET /api/v4/fs/${id}/permissions`)
    expect(list).toMatchObject({ count: 1, list: [{ id: body.id, user: 'other@example.test' }] })
  })

  test('exist once per address, with underscores taken literally', async () => {
    const id = await owner.upload('underscores.txt', 'x')
    expect((await share(id, 'a_b@example.test')).status).toBe(200)
    expect((await share(id, 'axb@example.test')).status).toBe(200)
    const again = await share(id, 'A_B@example.test')
    expect(again.status).toBe(422)
    expect(Object.keys(again.body.errors)).toEqual(['user'])
  })

  test.each([
    ['no address', { user: 'nobody' }, 'user'],
    ['nothing', {}, 'user'],
    ['an unknown right', { permissions: 'full' }, 'permissions'],
  ])('of %s are rejected', async (_, input, field) => {
    const id = await owner.upload('refused.txt', 'x')
    const body = {
      user: 'a@b.test',
      permissions: 'read-only',
      ...input,
      ...(field === 'user' && { user: (input as { user?: string }).user }),
    }
    const answer = await owner.call(`POST /api/v4/fs/${id}/permissions`, { body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test.each(['name', 'size', 'mimetype', 'share-name', '../../x', 'property-share-1'])(
    'called %s do not exist, and no call about them changes the file',
    async (name) => {
      const id = await owner.upload('intact.txt', 'x')
      const path = `/api/v4/fs/${id}/permissions/${encodeURIComponent(name)}`
      const body = { user: 'a@b.test', permissions: 'read-only' }
      expect((await owner.call(`PUT ${path}`, { body })).status).toBe(404)
      expect((await owner.call(`DELETE ${path}`)).status).toBe(404)
      expect((await owner.call(`GET /api/v4/fs/${id}`)).body).toMatchObject({ name: 'intact.txt', size: 1 })
    },
  )

  test('cannot be forged with a property', async () => {
    const secret = await owner.upload('secret.txt', 'x')
    const { body } = await share(secret, 'friend@example.test')
    const planted = await stranger.upload('planted.txt', 'y', {
      query: { [`property-${body.id}`]: `${stranger.user.email}:rw` },
    })
    expect((await stranger.call(`GET /api/v4/fs/${body.id}`)).status).toBe(403)
    expect((await stranger.call(`GET /api/v4/fs/${planted}`)).body.name).toBe('planted.txt')
  })

  test('end with the address: a later holder does not inherit them', async () => {
    const id = await owner.upload('for-alias.txt', 'x')
    await makeAlias(app(), reader.user, 'handed-on@example.test')
    await share(id, 'handed-on@example.test')
    expect((await reader.call(`GET /api/v4/fs/${id}`)).status).toBe(200)
    const { db } = app().database
    await db.deleteFrom('addresses').where('address', '=', 'handed-on@example.test').execute()
    await makeAlias(app(), stranger.user, 'handed-on@example.test')
    expect((await stranger.call(`GET /api/v4/fs/${id}`)).status).toBe(403)
  })
})

describe('an inactive owner', () => {
  test.each(['suspend', 'degrade'] as const)(
    'after a %s serves nobody, and again when it is over',
    async (act) => {
      const giver = await makeFileOwner(app())
      const id = await giver.upload('given.txt', 'x')
      const link = await giver.call(`POST /api/v4/fs/${id}/links`, { body: {} })
      await giver.call(`POST /api/v4/fs/${id}/permissions`, {
        body: { user: reader.user.email, permissions: 'read-only' },
      })
      const token = String(link.body.link).split('/').at(-1)
      const reach = async () => [
        (await reader.call(`GET /api/v4/fs/${id}`)).status,
        (await app().call(`GET /api/v4/fs/links/${token}`)).status,
      ]
      expect(await reach()).toEqual([200, 200])
      const { db } = app().database
      await db.transaction().execute((trx) => transition(trx, app().clock, giver.user.id, act))
      expect(await reach()).toEqual([403, 404])
      await db
        .transaction()
        .execute((trx) =>
          transition(trx, app().clock, giver.user.id, act === 'suspend' ? 'unsuspend' : 'undegrade'),
        )
      expect(await reach()).toEqual([200, 200])
    },
  )
})

describe('the feature', () => {
  test('is refused to degraded users, except for items shared by others', async () => {
    const poor = await makeFileOwner(app(), {
      status: userStatus.active | userStatus.imapReady | userStatus.degraded,
    })
    const { file } = await world()
    await owner.call(`POST /api/v4/fs/${file}/permissions`, {
      body: { user: poor.user.email, permissions: 'read-write' },
    })
    for (const route of [
      'GET /api/v4/fs',
      'GET /api/v4/fs/quota',
      'GET /api/v4/fs/trash',
      'DELETE /api/v4/fs/trash',
    ]) {
      expect((await poor.call(route)).status, route).toBe(403)
    }
    expect((await poor.send('x', 'y')).status).toBe(403)
    expect((await poor.call(`GET /api/v4/fs/${file}`)).status).toBe(200)
    expect((await poor.call('GET /api/v4/fs/shared')).status).toBe(200)
    expect((await poor.call(`POST /api/v4/fs/${file}/copy`, { body: {} })).status).toBe(403)
  })

  test('does not exist where it is disabled', async () => {
    await using bare = await createTestApp({ APP_WITH_FILES: '0' })
    const person = await fileOwner(bare, await makeUser(bare))
    for (const route of [
      'GET /api/v4/fs',
      'POST /api/v4/fs?name=x',
      'GET /api/v4/fs/shared',
      'GET /api/v4/fs/links/x',
    ]) {
      expect((await person.call(route, route.startsWith('GET') ? {} : { body: 'x' })).status, route).toBe(404)
    }
  })
})

test('a lockdown ends uploads, download URLs and links, but keeps shares by address', async () => {
  const person = await makeFileOwner(app())
  const id = await person.upload('locked.txt', 'x')
  const link = await person.call(`POST /api/v4/fs/${id}/links`, { body: {} })
  const begun = await person.call('POST /api/v4/fs?name=late&media=resumable&size=3')
  await person.call(`POST /api/v4/fs/${id}/permissions`, {
    body: { user: reader.user.email, permissions: 'read-only' },
  })
  const address = new URL((await person.call(`GET /api/v4/fs/${id}?downloadUrl=1`)).body.downloadUrl).pathname
  expect((await person.call('POST /api/v4/lockdown', { body: {} })).status).toBe(200)
  const token = String(link.body.link).split('/').at(-1)
  expect((await app().call(`GET /api/v4/fs/links/${token}`)).status).toBe(404)
  expect((await app().call(`GET ${address}`)).status).toBe(404)
  expect(
    (await app().call(`POST /api/v4/fs/uploads/${begun.body.uploadId}?from=0`, { body: 'abc' })).status,
  ).toBe(404)
  expect((await reader.call(`GET /api/v4/fs/${id}`)).status).toBe(200)
})
