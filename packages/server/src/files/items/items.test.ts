import { beforeAll, describe, expect, test } from 'vitest'
import { type FileOwner, makeFileOwner, sha256Hex } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

/** Returns an item as its page shows it. */
async function shown(id: string) {
  const { status, body } = await owner.call(`GET /api/v4/fs/${id}`)
  expect(status).toBe(200)
  return body
}

describe('a file uploaded in one request', () => {
  test('is returned in full form and can be read back byte for byte', async () => {
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
    expect(await shown(body.id)).toMatchObject({
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
    expect(await shown(id)).toMatchObject({ size: 0, sha256: sha256Hex('') })
  })

  test('may be JSON, which is treated as content', async () => {
    const id = await owner.upload('data.json', '{"name":"other"}', { type: 'application/json' })
    expect(await owner.content(id)).toBe('{"name":"other"}')
    expect(await shown(id)).toMatchObject({ name: 'data.json', mimetype: 'application/json' })
  })

  test('is encrypted at rest', async () => {
    const secret = 'nobody reads this on the disk'.repeat(100)
    const id = await owner.upload('secret.txt', secret)
    const { rows } = await app().database.pool.query<{ id: string }>(
      `select h.id from fs_chunks h join fs_versions v using (content_id) where v.item_id = $1`,
      [id],
    )
    const bytes: Uint8Array[] = []
    for await (const part of app().files.store.read(rows[0]?.id ?? '', 0, secret.length)) bytes.push(part)
    expect(Buffer.concat(bytes).length).toBe(secret.length)
    expect(Buffer.concat(bytes).includes('nobody')).toBe(false)
  })

  test('has the declared media type, or the one detected from its first bytes', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
    expect(await shown(await owner.upload('a', png))).toMatchObject({ mimetype: 'image/png' })
    expect(await shown(await owner.upload('b', 'plain words'))).toMatchObject({ mimetype: 'text/plain' })
    expect(await shown(await owner.upload('c.html', '<p>'))).toMatchObject({ mimetype: 'text/html' })
    expect(await shown(await owner.upload('d', Buffer.from([0, 1, 2])))).toMatchObject({
      mimetype: 'application/octet-stream',
    })
    expect(await shown(await owner.upload('e', png, { type: 'image/x-own' }))).toMatchObject({
      mimetype: 'image/x-own',
    })
  })

  test('is validated against the declared checksum and keeps the declared time', async () => {
    const query = { sha256: sha256Hex('right'), mtime: 1_700_000_000 }
    const id = await owner.upload('checked', 'right', { query })
    expect(await shown(id)).toMatchObject({ mtime: '2023-11-14 22:13' })
    const { status, body } = await owner.send('wrong', 'other', { query })
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty('sha256')
    expect(await owner.names()).not.toContain('wrong')
  })
})

describe('a name', () => {
  test.each([
    ['a slash', 'a/b'],
    ['a star', 'a*b'],
    ['a quote', 'a"b'],
    ['a control character', 'a\u0007b'],
    ['a line break', 'a\nb'],
    ['DEL', 'a\u007fb'],
    ['a turn of the writing direction', 'a\u202egpj.exe'],
    ['an isolate', 'a\u2066b'],
    ['a line separator', 'a\u2028b'],
    ['nothing', ''],
    ['blanks', '   '],
    ['one dot', '.'],
    ['two dots', '..'],
    ['513 bytes', 'x'.repeat(513)],
    ['171 characters of three bytes', '€'.repeat(171)],
  ])('of %s is rejected for files, collections and renames', async (_, name) => {
    const id = await owner.upload('before', 'x')
    const answers = [
      await owner.send(name, 'x'),
      await owner.call('POST /api/v4/fs', { body: { type: 'collection', name } }),
      ...(name.trim() === '' ? [] : [await owner.call(`PUT /api/v4/fs/${id}`, { body: { name } })]),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['name'])
    }
    expect(await shown(id)).toMatchObject({ name: 'before' })
  })

  test.each([
    ['letters of every script', 'Übersicht 日本 مرحبا.txt'],
    ['512 bytes', 'x'.repeat(512)],
    ['backslashes and percent signs', '%_\\ 100%'],
    ['a mark of direction', 'a\u200f1'],
    ['emoji', '👩‍👩‍👧‍👦.png'],
  ])('of %s is accepted', async (_, name) => {
    expect(await shown(await owner.upload(name, 'x'))).toMatchObject({ name })
  })

  test('is stored in NFC, so that names that look the same are equal', async () => {
    expect(await shown(await owner.upload('e\u0301.txt', 'x'))).toMatchObject({ name: '\u00e9.txt' })
  })

  test('may exist twice unless the client requests otherwise', async () => {
    const place = await owner.collection('twice')
    await owner.upload('same.txt', '1', { parent: place })
    await owner.upload('same.txt', '2', { parent: place })
    const conflict = (value: string) => ({ parent: place, query: { conflict: value } })
    expect((await owner.send('same.txt', '3', conflict('fail'))).status).toBe(409)
    const renamed = await owner.upload('same.txt', '4', conflict('rename'))
    expect(await shown(renamed)).toMatchObject({ name: 'same (2).txt' })
    const replaced = await owner.upload('same (2).txt', '5', conflict('replace'))
    expect(replaced).toBe(renamed)
    expect(await owner.content(renamed)).toBe('5')
    expect(await owner.names(place)).toEqual(['same (2).txt', 'same.txt', 'same.txt'])
  })
})

describe('a list', () => {
  let place = ''
  beforeAll(async () => {
    place = await owner.collection('listed')
    await owner.upload('b.txt', '22', { parent: place })
    await owner.upload('a.txt', '333', { parent: place })
    const inner = await owner.collection('c', place)
    await owner.upload('needle.txt', '1', { parent: inner })
  })
  const names = async (query: string) => {
    const { status, body } = await owner.call(`GET /api/v4/fs?parent=${place}&${query}`)
    expect(status).toBe(200)
    return body.list.map((item: { name: string }) => item.name)
  }

  test('is sorted by name or as requested', async () => {
    expect(await names('')).toEqual(['a.txt', 'b.txt', 'c'])
    expect(await names('sort=name&order=desc')).toEqual(['c', 'b.txt', 'a.txt'])
    expect(await names('sort=size')).toEqual(['c', 'b.txt', 'a.txt'])
    expect(await names('collections_first=1')).toEqual(['c', 'a.txt', 'b.txt'])
  })

  test('can be limited to collections or files', async () => {
    expect(await names('type=collection')).toEqual(['c'])
    expect(await names('type=file')).toEqual(['a.txt', 'b.txt'])
  })

  test('is paged', async () => {
    expect(await names('size=2')).toEqual(['a.txt', 'b.txt'])
    const { body } = await owner.call(`GET /api/v4/fs?parent=${place}&size=2&page=2`)
    expect(body).toMatchObject({ count: 1, hasMore: false, total: 3, collection: { id: place } })
  })

  test('can be searched in one collection or recursively, with wildcards taken literally', async () => {
    expect(await names('search=NEEDLE')).toEqual([])
    expect(await names('search=NEEDLE&recursive=1')).toEqual(['needle.txt'])
    expect(await names('search=%25&recursive=1')).toEqual([])
    const { body } = await owner.call('GET /api/v4/fs?search=needle&recursive=1')
    expect(body.list[0].path.map((step: { name: string }) => step.name)).toEqual(['listed', 'c'])
  })

  test('of an item that is not a collection does not exist', async () => {
    const file = await owner.upload('no-collection', 'x')
    expect((await owner.call(`GET /api/v4/fs?parent=${file}`)).status).toBe(404)
    expect((await owner.call('GET /api/v4/fs?parent=nonsense')).status).toBe(404)
  })
})

describe('updating metadata', () => {
  test("without a name keeps the name and the item's place in the list", async () => {
    const place = await owner.collection('target')
    const id = await owner.upload('kept.txt', 'x')
    const { status, body } = await owner.call(`PUT /api/v4/fs/${id}`, {
      headers: { 'x-kolab-parents': place },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'kept.txt' })
    expect(await owner.names(place)).toEqual(['kept.txt'])
  })

  test('moves by headers: replace all parents, add one, remove one', async () => {
    const [one, two] = [await owner.collection('one'), await owner.collection('two')]
    const id = await owner.upload('moved.txt', 'x')
    const put = (headers: Record<string, string>) => owner.call(`PUT /api/v4/fs/${id}`, { headers })
    await put({ 'x-kolab-parents': one })
    await put({ 'x-kolab-add-parents': two })
    expect((await shown(id)).parents.sort()).toEqual([one, two].sort())
    await put({ 'x-kolab-remove-parents': one })
    expect((await shown(id)).parents).toEqual([two])
    await put({ 'x-kolab-parents': '' })
    expect(await owner.names()).toContain('moved.txt')
  })

  test('renames and moves collections too', async () => {
    const [outer, inner] = [await owner.collection('outer'), await owner.collection('inner')]
    expect((await owner.call(`PUT /api/v4/fs/${inner}`, { body: { name: 'renamed' } })).status).toBe(200)
    expect((await owner.call('POST /api/v4/fs/move', { body: { ids: [inner], parent: outer } })).status).toBe(
      200,
    )
    expect(await owner.names(outer)).toEqual(['renamed'])
  })

  test('never creates a cycle, even indirectly or concurrently', async () => {
    const [a, b, c] = [await owner.collection('a'), await owner.collection('b'), await owner.collection('c')]
    const put = (id: string, headers: Record<string, string>) =>
      owner.call(`PUT /api/v4/fs/${id}`, { headers })
    await put(b, { 'x-kolab-parents': a })
    await put(c, { 'x-kolab-parents': b })
    expect((await put(a, { 'x-kolab-parents': c })).status).toBe(422)
    expect((await put(a, { 'x-kolab-add-parents': a })).status).toBe(422)
    const [d, e] = [await owner.collection('d'), await owner.collection('e')]
    const both = await Promise.all([put(d, { 'x-kolab-parents': e }), put(e, { 'x-kolab-parents': d })])
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422])
  })

  test("rejects parents that are files, belong to someone else or don't exist", async () => {
    const file = await owner.upload('parent.txt', 'x')
    const stranger = await makeFileOwner(app())
    const foreign = await stranger.collection('foreign')
    const id = await owner.upload('child.txt', 'x')
    for (const parent of [file, foreign, 'nonsense', '00000000-0000-4000-8000-000000000000']) {
      const put = await owner.call(`PUT /api/v4/fs/${id}`, { headers: { 'x-kolab-parents': parent } })
      const post = await owner.send('child.txt', 'x', { headers: { 'x-kolab-parents': parent } })
      expect([put.status, post.status]).toEqual([422, 422])
      // other clients read the first entry of a list
      expect(put.body.errors[0]).toMatch(/folder/)
    }
  })

  test("of a collection's content is not allowed, and another media type is an error", async () => {
    const collection = await owner.collection('contentless')
    const put = (query: string) => owner.call(`PUT /api/v4/fs/${collection}?${query}`, { body: 'x' })
    expect((await put('media=content')).status).toBe(405)
    const other = await owner.call(`PUT /api/v4/fs/${collection}?media=other`)
    expect(other.status).toBe(422)
    expect(other.body.errors).toHaveProperty('media')
  })
})

describe('deduplication', () => {
  const dedupe = (value: string) => ({
    'property-hash': value,
    'deduplicate-property': 'hash',
    'deduplicate-value': value,
  })

  test('replaces exactly the item with that value, keeps the previous content as a version and changes nothing else', async () => {
    const first = await owner.upload('one.jpg', 'one', { query: dedupe('a_c') })
    const lookalike = await owner.upload('two.jpg', 'two', { query: dedupe('abc') })
    expect(lookalike).not.toBe(first)
    const again = await owner.upload('renamed.jpg', 'three', { query: dedupe('a_c') })
    expect(again).toBe(first)
    expect(await owner.content(first)).toBe('three')
    expect(await shown(first)).toMatchObject({ name: 'renamed.jpg', versions: 2 })
    expect(await owner.content(lookalike)).toBe('two')
  })

  test('matches nothing with an empty value', async () => {
    const first = await owner.upload('empty1', 'x', { query: { 'property-hash': 'some' } })
    const { body } = await owner.send('empty2', 'y', {
      query: { 'deduplicate-property': 'hash', 'deduplicate-value': '' },
    })
    expect(body.id).not.toBe(first)
  })

  test('changes nothing if the upload fails', async () => {
    const id = await owner.upload('stays', 'whole', { query: dedupe('stays') })
    const failed = await owner.send('stays', 'broken', {
      query: { ...dedupe('stays'), sha256: sha256Hex('something else') },
    })
    expect(failed.status).toBe(422)
    expect(await owner.content(id)).toBe('whole')
  })

  test('of collections reuses the collection with new parents', async () => {
    const place = await owner.collection('phone')
    const facts = { type: 'collection', name: 'Camera', deviceId: 'phone-1', ...dedupe('camera') }
    const first = await owner.call('POST /api/v4/fs', { body: facts })
    const again = await owner.call('POST /api/v4/fs', { body: { ...facts, parent: place } })
    expect(again.body).toEqual(first.body)
    expect(await owner.names(place)).toEqual(['Camera'])
  })

  test.each([
    ['a name', 'property-name'],
    ['NAME', 'property-NAME'],
    ['a sign', 'property-a.b'],
    ['a long one', `property-${'x'.repeat(192)}`],
  ])('properties named %s are rejected in the format that other clients expect', async (_, key) => {
    const { status, body } = await owner.send('p', 'x', { query: { [key]: 'v' } })
    expect(status).toBe(422)
    expect(body.errors[0]).toMatch(/property/)
  })
})

describe('a copy', () => {
  test('has the same content, is independent and counts towards the quota', async () => {
    const place = await owner.collection('copied')
    const inner = await owner.collection('inner', place)
    const id = await owner.upload('orig.txt', 'content', { parent: inner })
    const used = async () => (await owner.call('GET /api/v4/fs/quota')).body.used
    const before = await used()
    const { body } = await owner.call(`POST /api/v4/fs/${place}/copy`, { body: { name: 'copy' } })
    expect(await used()).toBe(before + 7)
    const [copied] = (await owner.call(`GET /api/v4/fs?parent=${body.id}`)).body.list
    const [file] = (await owner.call(`GET /api/v4/fs?parent=${copied.id}`)).body.list
    await owner.call(`PUT /api/v4/fs/${id}?media=content`, { body: 'changed' })
    expect(await owner.content(file.id)).toBe('content')
  })

  test('never goes into itself', async () => {
    const place = await owner.collection('self')
    const inner = await owner.collection('inner', place)
    const { status } = await owner.call(`POST /api/v4/fs/${place}/copy`, { body: { parent: inner } })
    expect(status).toBe(422)
  })
})

test('changes to an item are logged for the item and its owner', async () => {
  const id = await owner.upload('recorded.txt', 'x')
  await owner.call(`PUT /api/v4/fs/${id}`, { body: { name: 'renamed.txt' } })
  const { body } = await owner.call(`GET /api/v4/fs/${id}/events`)
  expect(body.list.map((entry: { event: string }) => entry.event)).toEqual(['file.updated', 'file.created'])
  expect(body.list[0]).toMatchObject({
    actor: owner.user.email,
    title: 'File or folder renamed',
    data: { before: { name: 'recorded.txt' }, after: { name: 'renamed.txt' } },
  })
  const events = await owner.call(`GET /api/v4/users/${owner.user.id}/events?event=file.`)
  expect(events.body.list[0]).toMatchObject({ event: 'file.updated' })
})
