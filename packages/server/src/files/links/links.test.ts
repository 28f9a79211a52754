import { beforeAll, describe, expect, test } from 'vitest'
import { day, wireDate } from '../../platform/clock.ts'
import { type FileOwner, makeFileOwner, pathOf } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: FileOwner
let visitors = 0

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

/** Creates a visitor with their own network address. */
function visitor() {
  const ip = `10.1.${++visitors >> 8}.${visitors & 255}`
  return (route: string, body?: unknown, headers: Record<string, string> = {}) =>
    app().call(route, { ip, headers, ...(body !== undefined && { body }) })
}

async function linkTo(id: string, limits: Record<string, unknown> = {}) {
  const { status, body } = await owner.call(`POST /api/v4/fs/${id}/links`, { body: limits })
  expect(status, JSON.stringify(body)).toBe(200)
  return { ...body, token: String(body.link).split('/').at(-1) as string } // the last path segment
}

const download = async (visit: ReturnType<typeof visitor>, token: string, body: unknown = {}) => {
  const answer = await visit(`POST /api/v4/fs/links/${token}/download`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return visit(`GET ${pathOf(answer.body.downloadUrl)}`)
}

describe('a link', () => {
  test('opens a file for anyone who has it, and can be shown to its owner again', async () => {
    const id = await owner.upload('open.txt', 'content')
    const link = await linkTo(id)
    const visit = visitor()
    expect((await visit(`GET /api/v4/fs/links/${link.token}`)).body).toEqual({ requiresPassword: false })
    const opened = await visit(`POST /api/v4/fs/links/${link.token}/open`, {})
    expect(opened.body).toMatchObject({
      item: { id, name: 'open.txt', size: 7 },
      owner: { name: owner.user.email },
      downloads_left: null,
    })
    expect((await download(visit, link.token)).body).toBe('content')
    const [listed] = (await owner.call(`GET /api/v4/fs/${id}/links`)).body.list
    expect(listed).toMatchObject({ link: link.link, downloads: 1, isOpen: true })
  })

  test('is long, random, and stored only as a hash', async () => {
    const { token } = await linkTo(await owner.upload('hashed.txt', 'x'))
    expect(token).toMatch(/^[0-9A-Za-z]{32}$/)
    const { rows } = await app().database.pool.query('select * from fs_links')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('to a collection shows its contents and nothing beside or above it', async () => {
    const above = await owner.collection('above')
    const beside = await owner.upload('beside.txt', 'x', { parent: above })
    const root = await owner.collection('root', above)
    const inner = await owner.collection('inner', root)
    await owner.upload('deep.txt', 'deep', { parent: inner })
    const { token } = await linkTo(root)
    const visit = visitor()
    const items = (parent: string) => visit(`GET /api/v4/fs/links/${token}/items?parent=${parent}`)
    expect((await visit(`GET /api/v4/fs/links/${token}/items`)).body).toMatchObject({
      list: [{ name: 'inner', type: 'collection' }],
      path: [],
    })
    const { body } = await items(inner)
    expect(body).toMatchObject({ list: [{ name: 'deep.txt' }], path: [{ name: 'root' }, { name: 'inner' }] })
    expect((await download(visit, token, { ids: [body.list[0].id] })).body).toBe('deep')
    expect((await items(above)).status).toBe(404)
    for (const ids of [[beside], [above], ['nonsense']]) {
      expect((await visit(`POST /api/v4/fs/links/${token}/download`, { ids })).status).toBe(404)
    }
  })

  test('to a collection can be downloaded as an archive', async () => {
    const root = await owner.collection('packed')
    await owner.upload('a.txt', 'a', { parent: root })
    const { token } = await linkTo(root)
    const answer = await download(visitor(), token)
    expect(answer.headers['content-type']).toBe('application/zip')
    expect(answer.headers['content-disposition']).toContain('packed.zip')
  })

  test('serves HTML and SVG as sandboxed downloads with nosniff', async () => {
    for (const [name, type] of [
      ['page.html', 'text/html'],
      ['drawing.svg', 'image/svg+xml'],
    ] as const) {
      const id = await owner.upload(name, '<svg onload="alert(1)">', { type })
      const { token } = await linkTo(id)
      const { headers } = await download(visitor(), token)
      expect(headers['content-disposition']).toMatch(/^attachment/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
    }
  })
})

describe('limits of a link', () => {
  test('require and check the password, and end open visits when it changes', async () => {
    const id = await owner.upload('protected.txt', 'secret')
    const link = await linkTo(id, { password: 'open sesame' })
    const visit = visitor()
    const open = (password?: string) =>
      visit(`POST /api/v4/fs/links/${link.token}/open`, password === undefined ? {} : { password })
    expect((await visit(`GET /api/v4/fs/links/${link.token}`)).body).toEqual({ requiresPassword: true })
    expect((await open()).body.errors).toHaveProperty('password')
    expect((await open('wrong')).status).toBe(422)
    expect((await visit(`POST /api/v4/fs/links/${link.token}/download`, {})).status).toBe(403)
    const { access } = (await open('open sesame')).body
    expect((await download(visit, link.token, { access })).body).toBe('secret')
    const change = { body: { password: 'another' } }
    await owner.call(`PUT /api/v4/fs/${id}/links/${link.id}`, change)
    expect((await visit(`POST /api/v4/fs/links/${link.token}/download`, { access })).status).toBe(403)
    await owner.call(`PUT /api/v4/fs/${id}/links/${link.id}`, { body: { password: null } })
    expect((await download(visit, link.token)).body).toBe('secret')
  })

  test('count downloads when they begin, even concurrently', async () => {
    const id = await owner.upload('counted.txt', 'x')
    const { token } = await linkTo(id, { max_downloads: 3 })
    const addresses: string[] = []
    for (let number = 0; number < 6; number++) {
      const { body } = await visitor()(`POST /api/v4/fs/links/${token}/download`, {})
      addresses.push(pathOf(body.downloadUrl))
    }
    const answers = await Promise.all(addresses.map((path) => visitor()(`GET ${path}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await visitor()(`GET /api/v4/fs/links/${token}`)).status).toBe(404)
    const [listed] = (await owner.call(`GET /api/v4/fs/${id}/links`)).body.list
    expect(listed).toMatchObject({ downloads: 3, isOpen: false })
  })

  test("of downloads can't be bypassed with previews", async () => {
    const { token } = await linkTo(await owner.upload('limited.txt', 'x'), { max_downloads: 1 })
    const { status } = await visitor()(`POST /api/v4/fs/links/${token}/download`, { preview: true })
    expect(status).toBe(422)
  })

  test('include an expiry date; a past or non-existent date is rejected', async () => {
    const id = await owner.upload('timed.txt', 'x')
    const until = new Date(app().clock.now().getTime() + day * 1000)
    const { token } = await linkTo(id, { expires_at: wireDate(until) })
    for (const expires_at of ['2020-01-01 00:00:00', '2027-02-31 00:00:00', 'soon']) {
      const { status, body } = await owner.call(`POST /api/v4/fs/${id}/links`, { body: { expires_at } })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['expires_at'])
    }
    app().clock.advance(2 * day)
    expect((await visitor()(`GET /api/v4/fs/links/${token}`)).status).toBe(404)
    app().clock.advance(-2 * day)
  })

  test('removing the link ends downloads in progress', async () => {
    const id = await owner.upload('withdrawn.txt', '0123456789')
    const link = await linkTo(id)
    const visit = visitor()
    const { body } = await visit(`POST /api/v4/fs/links/${link.token}/download`, {})
    await visit(`GET ${pathOf(body.downloadUrl)}`)
    await owner.call(`DELETE /api/v4/fs/${id}/links/${link.id}`)
    const more = await visit(`GET ${pathOf(body.downloadUrl)}`, undefined, { range: 'bytes=5-' })
    expect(more.status).toBe(404)
  })
})

describe('guessing', () => {
  test('links is throttled per network address', async () => {
    const visit = visitor()
    const statuses: number[] = []
    for (let guess = 0; guess < 55; guess++) {
      statuses.push((await visit(`GET /api/v4/fs/links/${'x'.repeat(31)}${guess}`)).status)
    }
    expect(statuses[0]).toBe(404)
    expect(statuses.at(-1)).toBe(429)
  })

  test('the password of a link is throttled regardless of the address', async () => {
    const { token } = await linkTo(await owner.upload('guessed.txt', 'x'), { password: 'right' })
    const statuses: number[] = []
    for (let guess = 0; guess < 8; guess++) {
      const { status } = await visitor()(`POST /api/v4/fs/links/${token}/open`, { password: `wrong${guess}` })
      statuses.push(status)
    }
    expect(statuses[0]).toBe(422)
    expect(statuses.at(-1)).toBe(429)
  })
})

test("links can be created only by the portal's applications, not by file clients", async () => {
  const id = await owner.upload('scoped.txt', 'x')
  const { db } = app().database
  await db
    .updateTable('accessTokens')
    .set({ scopes: ['fs'] })
    .where('userId', '=', owner.user.id)
    .execute()
  expect((await owner.call(`GET /api/v4/fs/${id}`)).status).toBe(200)
  expect((await owner.call(`POST /api/v4/fs/${id}/links`, { body: {} })).status).toBe(403)
})
