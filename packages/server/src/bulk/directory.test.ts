import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let token = ''

beforeEach(async () => {
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
})

const call = (route: string, body?: unknown) =>
  app().call(route, { token, ...(body !== undefined && { body }) })
const preview = async (body: Record<string, unknown>) =>
  (await call('POST /api/v4/bulk', { ...body, dryRun: true })).body.preview

async function finish(body: Record<string, unknown>) {
  const { id } = (await call('POST /api/v4/bulk', body)).body.batch
  await app().jobs.drain()
  return (await call(`GET /api/v4/batches/${id}`)).body
}

async function makeGroup(name: string, members = [account.member.email]): Promise<number> {
  const { body } = await call('POST /api/v4/groups', { email: `${name}@${account.domain}`, name, members })
  return body.id
}

const membersOf = async (id: number) => (await call(`GET /api/v4/groups/${id}`)).body.members
const names = async (query = '') =>
  (await call(`GET /api/v4/groups${query}`)).body.list.map((one: { name: string }) => one.name)

describe('many domains', () => {
  const bring = async (namespace: string): Promise<number> => {
    const { body: packages } = await call('GET /api/v4/packages')
    const found = packages.find((one: { title: string }) => one.title === 'domain-hosting')
    return (await call('POST /api/v4/domains', { namespace, package: found?.id })).body.id
  }
  const namespaces = async (query = '') =>
    (await call(`GET /api/v4/domains${query}`)).body.list.map((one: { namespace: string }) => one.namespace)

  test('are deleted and restored for renewed verification, at the previewed prices', async () => {
    const { domain: used, domainId } = account
    const ids = [await bring(`one.${used}.org`), await bring(`two.${used}.org`)]
    expect(ids.every((id) => typeof id === 'number')).toBe(true)
    await app().database.pool.query('update domains set status = 50 where id = any($1)', [ids])
    const stranger = await makeAccount(app())
    const all = [...ids, domainId, stranger.domainId]
    const shown = await preview({ objects: 'domains', action: 'delete', ids: all })
    expect(shown).toMatchObject({ ok: 2, refused: 2 })
    expect(shown.rows.map((row: { label: string }) => row.label)).toEqual([used, String(stranger.domainId)])
    const done = await finish({ objects: 'domains', action: 'delete', ids: all })
    expect(done).toMatchObject({ counts: { done: 2, refused: 2 }, price: shown.price })
    expect(await namespaces()).toEqual([used])
    const back = await preview({ objects: 'domains', action: 'restore', filter: { status: 'deleted' } })
    expect(back).toMatchObject({ ok: 2 })
    expect(back.price.monthly.next).toBe(shown.price.monthly.now)
    expect(await finish({ objects: 'domains', action: 'restore', ids: all })).toMatchObject({
      counts: { done: 2, refused: 2 },
    })
    expect(await namespaces()).toHaveLength(3)
    for (const id of ids) {
      expect((await call(`GET /api/v4/domains/${id}`)).body).toMatchObject({
        isConfirmed: false,
        isDeleted: false,
        skus: expect.objectContaining({}),
      })
    }
  })

  test('support neither packages, lists nor unknown filters', async () => {
    const { domainId: id } = account
    for (const action of ['package', 'join', 'leave']) {
      expect((await call('POST /api/v4/bulk', { objects: 'domains', action, ids: [id] })).status).toBe(422)
    }
    const filter = { status: "x' or 1=1" }
    const { status } = await call('POST /api/v4/bulk', { objects: 'domains', action: 'delete', filter })
    expect(status).toBe(422)
  })

  test("are exported with the list's content", async () => {
    await bring(`bücher.${account.domain}.org`)
    const { status, body, headers } = await call('GET /api/v4/domains/export')
    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="domains-2026-03-10.csv"')
    const [head, ...rows] = String(body).trimEnd().split('\r\n')
    expect(head).toBe('"namespace","name","status","spf_whitelist","created_at","id"')
    expect(rows).toHaveLength(2)
    expect(rows.join('\n')).toMatch(/"xn--bcher-kva\.\S+","bücher\.\S+","pending",,2026-03-10 12:00:00,\d+/)
    const none = await call('GET /api/v4/domains/export?status=deleted')
    expect(String(none.body).trimEnd().split('\r\n')).toHaveLength(1)
    expect((await call('GET /api/v4/domains/export?status=x')).status).toBe(422)
  })
})

describe('many distribution lists', () => {
  test('are deleted and restored at the previewed prices', async () => {
    const ids = [await makeGroup('one'), await makeGroup('two'), await makeGroup('three')]
    const stranger = await makeAccount(app())
    const foreign = (
      await stranger.as('owner', 'POST /api/v4/groups', {
        email: `x@${stranger.domain}`,
        name: 'x',
        members: ['a@else.test'],
      })
    ).body.id
    const shown = await preview({ objects: 'groups', action: 'delete', ids: [...ids, foreign] })
    expect(shown).toMatchObject({ ok: 3, refused: 1, rows: [{ label: String(foreign) }] })
    expect(await finish({ objects: 'groups', action: 'delete', ids })).toMatchObject({ counts: { done: 3 } })
    expect(await names()).toEqual([])
    const back = await preview({ objects: 'groups', action: 'restore', filter: { status: 'deleted' } })
    expect(back).toMatchObject({ ok: 3 })
    expect(back.price.monthly.next).toBe(shown.price.monthly.now)
    expect(await finish({ objects: 'groups', action: 'restore', ids })).toMatchObject({ counts: { done: 3 } })
    expect((await names()).toSorted()).toEqual(['one', 'three', 'two'])
    expect(await membersOf(ids[0] ?? 0)).toEqual([account.member.email])
  })

  test('are restored, except if their name has been taken', async () => {
    const id = await makeGroup('team')
    await finish({ objects: 'groups', action: 'delete', ids: [id] })
    await call('POST /api/v4/groups', {
      email: `other@${account.domain}`,
      name: 'team',
      members: ['a@else.test'],
    })
    const shown = await preview({ objects: 'groups', action: 'restore', ids: [id] })
    expect(shown).toMatchObject({ ok: 0, refused: 1, rows: [{ messages: [{ field: 'name' }] }] })
    expect(await finish({ objects: 'groups', action: 'restore', ids: [id] })).toMatchObject({
      counts: { refused: 1, done: 0 },
    })
  })

  test("don't support packages", async () => {
    const { status, body } = await call('POST /api/v4/bulk', {
      objects: 'groups',
      action: 'package',
      ids: [1],
    })
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['action'] })
  })
})

describe('many users', () => {
  test('are added to a list and removed from it', async () => {
    const group = await makeGroup('team')
    const more = await Promise.all(
      [1, 2].map((n) =>
        makeUser(app(), { email: `p${n}@${account.domain}`, walletId: account.owner.walletId }),
      ),
    )
    const ids = [account.member.id, ...more.map((user) => user.id)]
    expect(await finish({ objects: 'users', action: 'join', ids, group })).toMatchObject({
      counts: { done: 3 },
    })
    expect(await membersOf(group)).toEqual(
      [account.member.email, ...more.map((user) => user.email)].toSorted(),
    )
    await finish({ objects: 'users', action: 'leave', ids: ids.slice(1), group })
    expect(await membersOf(group)).toEqual([account.member.email])
  })

  test("can't be added to a list in another account, or to a deleted one", async () => {
    const other = await makeAccount(app())
    const foreign = (
      await other.as('owner', 'POST /api/v4/groups', {
        email: `x@${other.domain}`,
        name: 'x',
        members: ['a@else.test'],
      })
    ).body.id
    const ids = [account.member.id]
    const join = (group: unknown) =>
      call('POST /api/v4/bulk', { objects: 'users', action: 'join', ids, group })
    expect((await join(foreign)).status).toBe(403)
    for (const group of [undefined, 4_000_000_000, 'x']) expect((await join(group)).status).toBe(422)
  })
})

describe('an import file of lists', () => {
  const upload = async (kind: string, file: string) => {
    const { body } = await app().call(`POST /api/v4/imports?kind=${kind}`, {
      token,
      body: file,
      headers: { 'content-type': 'text/csv' },
    })
    await app().jobs.drain()
    return (await call(`GET /api/v4/batches/${body.batch.id}`)).body
  }
  const run = async (id: string) => {
    await call(`POST /api/v4/batches/${id}/start`, {})
    await app().jobs.drain()
    return (await call(`GET /api/v4/batches/${id}`)).body
  }
  const rowsOf = async (id: string) => (await call(`GET /api/v4/batches/${id}/rows`)).body.list

  test('creates lists with their recipients, and reports errors in the others', async () => {
    const { domain, member } = account
    await makeGroup('taken')
    const batch = await upload(
      'groups',
      [
        'E-Mail;Name;Mitglieder',
        `team@${domain};Team;${member.email} x@else.test`,
        `team@${domain};Again;${member.email}`,
        `taken@${domain};Other;${member.email}`,
        `a@${domain};taken;${member.email}`,
        `b@${domain};B;nobody@${domain}`,
        `c@example.test;C;${member.email}`,
        `d@${domain};D;`,
      ].join('\n'),
    )
    expect(batch).toMatchObject({ state: 'ready', counts: { ok: 1, refused: 6 } })
    const fields = (await rowsOf(batch.id)).map(
      (row: { messages: { field: string | null }[] }) => row.messages[0]?.field,
    )
    expect(fields).toEqual([undefined, null, 'email', 'name', 'members', 'email', 'members'])
    expect(await run(batch.id)).toMatchObject({ counts: { done: 1 } })
    const [row] = await rowsOf(batch.id)
    expect(await membersOf(row.objectId)).toEqual([member.email, 'x@else.test'].toSorted())
  })

  test('adds recipients to existing lists', async () => {
    const { domain, member, controller } = account
    const group = await makeGroup('team')
    const batch = await upload(
      'members',
      [
        'list,member',
        `team@${domain},${controller.email}`,
        `team@${domain},${member.email}`,
        `team@${domain},x@else.test`,
        `nothing@${domain},x@else.test`,
        `team@${domain},nobody@${domain}`,
        `team@${domain},team@${domain}`,
        `team@${domain},`,
      ].join('\n'),
    )
    expect(batch).toMatchObject({ counts: { ok: 3, refused: 4 } })
    expect(batch.price.monthly.now).toBe(batch.price.monthly.next)
    expect(await run(batch.id)).toMatchObject({ counts: { done: 3, failed: 0 } })
    expect(await membersOf(group)).toEqual([member.email, controller.email, 'x@else.test'].toSorted())
  })
})
