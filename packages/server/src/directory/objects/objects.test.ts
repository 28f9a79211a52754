import { mailboxStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { after, day, wireDate } from '../../platform/clock.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { type Collection, makeObject, newObject } from '../../testing/directory-fixture.ts'
import { type MadeUser, makeTenant, makeUser, setStatus, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import type { DirectoryKind } from './object.ts'

const app = useTestApp()
let account: TestAccount

const collections: readonly Collection[] = ['groups', 'resources', 'shared-folders']
const kindOf: Readonly<Record<Collection, DirectoryKind>> = {
  groups: 'group',
  resources: 'resource',
  'shared-folders': 'shared-folder',
}

beforeAll(async () => {
  await makeTenant(app(), 7)
})

beforeEach(async () => {
  account = await makeAccount(app())
})

const row = (id: number) =>
  app().database.db.selectFrom('directoryObjects').selectAll().where('id', '=', id).executeTakeFirst()

describe.each(collections)('%s', (collection) => {
  const path = `/api/v4/${collection}`
  const kind = kindOf[collection]
  const list = async (query = '') => (await account.as('owner', `GET ${path}${query}`)).body
  const names = async (query: string) => (await list(query)).list.map((one: { name: string }) => one.name)

  describe('the list', () => {
    test("shows the account's objects by name, with a total and a message", async () => {
      for (const name of ['Zeta', 'alpha', 'Émile', '1 first'])
        await makeObject(account, collection, { name })
      const body = await list()
      expect(body).toMatchObject({ count: 4, total: 4, hasMore: false })
      expect(body.message).toMatch(/^4 .* found\.$/)
      expect(body.list.map((one: { name: string }) => one.name)).toEqual([
        '1 first',
        'alpha',
        'Émile',
        'Zeta',
      ])
      expect(body.list[0]).toMatchObject({
        created_at: wireDate(app().clock.now()),
        deleted_at: null,
        restorable_until: null,
        isReady: false,
      })
    })

    test('supports search, sorting and paging', async () => {
      for (const name of ['One', 'Two', 'Three', 'Other', 'a_b']) {
        app().clock.advance(1)
        await makeObject(account, collection, { name })
      }
      expect(await names('?search=HRE')).toEqual(['Three'])
      expect(await names('?search=ONE')).toEqual(['One'])
      expect(await names('?search=%25')).toEqual([])
      expect(await names('?search=_')).toEqual(['a_b'])
      expect(await names(`?search=${account.domain}&sort=created&order=desc`)).toEqual([
        'a_b',
        'Other',
        'Three',
        'Two',
        'One',
      ])
      expect(await names('?sort=created&size=2&page=2')).toEqual(['Three', 'Other'])
      expect(await list('?sort=created&size=2&page=9')).toMatchObject({ count: 0, total: 5, hasMore: false })
      expect(await list('?size=2')).toMatchObject({ count: 2, total: 5, hasMore: true })
      const emails: string[] = (await list('?sort=email')).list.map((one: { email: string }) => one.email)
      expect(emails).toEqual([...emails].sort())
      for (const query of [
        '?page=0',
        '?page=-1',
        '?sort=password',
        '?order=up',
        '?status=gone',
        '?size=101',
      ]) {
        expect((await account.as('owner', `GET ${path}${query}`)).status, query).toBe(422)
      }
    })

    test('can be filtered by state', async () => {
      const ready = await makeObject(account, collection, { name: 'Ready' })
      await app().jobs.drain()
      await makeObject(account, collection, { name: 'New' })
      expect(await names('?status=active')).toEqual(['Ready'])
      expect(await names('?status=pending')).toEqual(['New'])
      expect(await names('?status=suspended')).toEqual([])
      expect(await names('?status=deleted')).toEqual([])
      await account.as('owner', `DELETE ${path}/${ready}`)
      expect(await names('?status=active')).toEqual([])
      expect((await list('?status=deleted')).list).toEqual([
        expect.objectContaining({
          id: ready,
          name: 'Ready',
          isDeleted: true,
          deleted_at: wireDate(app().clock.now()),
          restorable_until: wireDate(after(app().clock.now(), 30 * day)),
        }),
      ])
      expect(await names('')).toEqual(['New'])
    })

    test('is complete for owners and controllers of the account and empty for everyone else', async () => {
      await makeObject(account, collection)
      const total = async (who: 'controller' | 'member') => (await account.as(who, `GET ${path}`)).body.total
      expect([await total('controller'), await total('member')]).toEqual([1, 0])
    })
  })

  describe('a single object', () => {
    test('can be read, changed and deleted only by controllers of the account', async () => {
      const stranger = await makeUser(app())
      const foreigner = await makeUser(app(), { tenantId: 7 })
      const admin = await makeUser(app(), { role: 'admin' })
      const reseller = await makeUser(app(), { role: 'reseller' })
      const foreignReseller = await makeUser(app(), { role: 'reseller', tenantId: 7 })
      const id = await makeObject(account, collection)
      const status = async (who: MadeUser | undefined, route: string, body?: unknown) => {
        const token = who && (await signInAs(app(), who)).access_token
        return (await app().call(route, { token, body })).status
      }
      const expected: [MadeUser | undefined, number, number, number][] = [
        // read, update, configure
        [undefined, 401, 401, 401],
        [account.member, 403, 403, 403],
        [stranger, 403, 403, 403],
        [foreigner, 404, 404, 404],
        [foreignReseller, 404, 404, 404],
        [reseller, 403, 403, 403],
        [admin, 403, 403, 403],
        [account.controller, 200, 200, 200],
        [account.owner, 200, 200, 200],
      ]
      for (const [who, show, change, configure] of expected) {
        const about = who?.email ?? 'nobody'
        for (const tail of ['', '/status', '/skus']) {
          expect(await status(who, `GET ${path}/${id}${tail}`), `${about} GET ${tail}`).toBe(show)
        }
        expect(await status(who, `PUT ${path}/${id}`, {}), `${about} PUT`).toBe(change)
        expect(await status(who, `POST ${path}/${id}/config`, {}), `${about} config`).toBe(configure)
        const deletion = configure === 200 ? 404 : configure
        expect(await status(who, `POST ${path}/${id}/restore`, {}), `${about} restore`).toBe(
          // an object that is not deleted cannot be restored by anyone
          who === undefined ? 401 : 404,
        )
        if (deletion !== 404)
          expect(await status(who, `DELETE ${path}/${id}`), `${about} DELETE`).toBe(configure)
        if (show !== 200) continue
        const token = who && (await signInAs(app(), who)).access_token
        expect((await app().call(`GET ${path}/${id}`, { token })).body).toMatchObject({
          canUpdate: change === 200,
          canConfigure: configure === 200,
          canDelete: configure === 200,
          canReadEvents: true,
        })
      }
      expect(await status(account.controller, `DELETE ${path}/${id}`)).toBe(200)
    })

    test('is not found under another id or kind, or an invalid id', async () => {
      const id = await makeObject(account, collection)
      const other = collections.find((one) => one !== collection) ?? 'groups'
      for (const route of [
        `GET ${path}/${id + 1}`,
        `GET /api/v4/${other}/${id}`,
        `GET ${path}/0`,
        `GET ${path}/abc`,
        `GET ${path}/99999999999`,
        `PUT ${path}/${account.member.id}`,
        `DELETE ${path}/${account.domainId}`,
        `POST ${path}/x/config`,
        `POST ${path}/x/restore`,
      ]) {
        const body = route.startsWith('GET') ? undefined : {}
        expect((await account.as('owner', route, body)).status, route).toBe(404)
      }
    })

    test('cannot be created by users or changed by suspended owners', async () => {
      const body = newObject(account, collection)
      expect((await account.as('member', `POST ${path}`, body)).status).toBe(403)
      expect((await app().call(`POST ${path}`, { body })).status).toBe(401)
      expect((await account.as('member', `POST ${path}`, {})).status).toBe(403)
      await setStatus(app(), account.owner, 35 | 4)
      expect((await account.as('owner', `POST ${path}`, body)).status).toBe(403)
    })

    test('shows its SKU but not those of other kinds', async () => {
      const id = await makeObject(account, collection)
      const { body } = await account.as('owner', `GET ${path}/${id}/skus`)
      expect(body.map((sku: { title: string }) => sku.title)).toEqual([kind])
      expect(Object.keys((await account.as('owner', `GET ${path}/${id}`)).body.skus)).toEqual([body[0].id])
    })

    test('reports its set-up progress, which a refresh advances', async () => {
      await app().jobs.drain()
      const id = await makeObject(account, collection)
      const status = async (query = '') =>
        (await account.as('owner', `GET ${path}/${id}/status${query}`)).body
      app().backend.fail(1)
      await app().jobs.drain()
      expect(await status()).toMatchObject({ processState: 'failed', isDone: false, isReady: false })
      expect(await status('?refresh=1')).toMatchObject({ status: 'success', processState: 'waiting' })
      await app().jobs.drain()
      expect(await status('?refresh=1')).toMatchObject({
        status: 'success',
        message: 'The setup is complete.',
        processState: 'done',
        isReady: true,
      })
      const { domain } = account
      await app()
        .database.db.updateTable('domains')
        .set({ status: 1 })
        .where('namespace', '=', domain)
        .execute()
      expect(await status('?refresh=1')).toMatchObject({
        status: 'error',
        message: 'The domain wasn’t found in DNS.',
      })
    })
  })

  test('logs changes for the account, with titles and names', async () => {
    const id = await makeObject(account, collection, { name: 'Recorded' })
    await account.as('owner', `PUT ${path}/${id}`, { name: 'Renamed' })
    await account.as('owner', `DELETE ${path}/${id}`)
    await account.as('owner', `POST ${path}/${id}/restore`, {})
    const { body } = await account.as('controller', `GET /api/v4/events?objectType=${kind}`)
    expect(body.list.map((one: { event: string }) => one.event)).toEqual(
      ['restored', 'deleted', 'updated', 'created'].map((verb) => `${kind}.${verb}`),
    )
    for (const one of body.list) {
      expect(one.title).not.toBe(one.event)
      expect(one.actor).toBe(account.owner.email)
      expect(one.object).toBe(kind === 'group' ? (await row(id))?.email : 'Renamed')
    }
  })

  test('never answers arbitrary input with a server error', async () => {
    const id = await makeObject(account, collection)
    const values: unknown[] = [
      '',
      'a\0b',
      '\ud800',
      '__proto__',
      'x'.repeat(100_000),
      -1,
      1e308,
      true,
      [],
      [[]],
      [null],
      {},
      { a: { b: 1 } },
      ['\0'],
      ['\ud800@x.test'],
      [`\udfff@${account.domain}`],
      'ſ@ſ.test',
      ['İ@example.test, full'],
      'manual:\ud800@x.test',
      "'; drop table directory_objects; --",
    ]
    const keys = ['name', 'email', 'members', 'domain', 'type', 'aliases', 'revision']
    const settings = ['sender_policy', 'invitation_policy', 'acl', '__proto__', 'constructor']
    for (const value of values) {
      for (const key of keys) {
        const body = { ...newObject(account, collection), [key]: value }
        for (const route of [`POST ${path}`, `PUT ${path}/${id}`]) {
          const { status } = await account.as('owner', route, body)
          expect(status, `${route} ${key} ${JSON.stringify(value).slice(0, 40)}`).toBeLessThan(500)
        }
      }
      for (const key of settings) {
        const { status } = await account.as('owner', `POST ${path}/${id}/config`, { [key]: value })
        expect(status, `config ${key} ${JSON.stringify(value).slice(0, 40)}`).toBeLessThan(500)
      }
      const search = encodeURIComponent(
        typeof value === 'string' ? value.replaceAll(/[\ud800-\udfff]/g, '') : '%',
      )
      expect((await account.as('owner', `GET ${path}?search=${search}`)).status).toBeLessThan(500)
    }
  }, 60_000)
})

/** Inserts many ready objects into an account directly. */
async function manyObjects(owner: TestAccount, kind: DirectoryKind, count: number): Promise<void> {
  const status = mailboxStatus.new | mailboxStatus.active | mailboxStatus.imapReady
  await sql`insert into directory_objects (id, kind, tenant_id, wallet_id, domain, email, name, status, folder_type,
      created_at, updated_at)
    select 1000000000 + ${owner.owner.id}::bigint % 1000000000 + n, ${kind}, 0, ${owner.owner.walletId}::uuid,
      ${owner.domain}, n || '@' || ${owner.domain}, 'Object ' || n, ${status}::int,
      case when ${kind} = 'shared-folder' then 'mail' end, now(), now()
    from generate_series(1, ${count}::int) n`.execute(app().database.db)
}

test('ten thousand objects of an account are listed from the index alone', async () => {
  await manyObjects(account, 'shared-folder', 10_000)
  await sql`vacuum analyze directory_objects`.execute(app().database.db)
  const started = performance.now()
  const { body } = await account.as('owner', 'GET /api/v4/shared-folders?search=999&sort=email&size=100')
  expect(body).toMatchObject({ total: 19, count: 19 })
  // generous, because the machine may be busy: scanning the tables takes longer
  expect(performance.now() - started).toBeLessThan(1000)
  const trx = await app().database.db.startTransaction().execute()
  // with so few rows any plan is as fast; what matters is that the index alone is enough
  await sql`drop index directory_objects_name`.execute(trx)
  for (const way of ['seqscan', 'bitmapscan']) await sql.raw(`set local enable_${way} = off`).execute(trx)
  const { rows } = await sql<{
    'QUERY PLAN': string
  }>`explain select o.id, o.sort_name, o.email, o.created_at,
      o.members, o.folder_type from directory_objects o
    where o.wallet_id = ${account.owner.walletId} and o.kind = 'shared-folder' and o.deleted_at is null
      and o.status & 2 = 2 and o.search_text like '%999%'`.execute(trx)
  await trx.rollback().execute()
  expect(rows.map((one) => one['QUERY PLAN']).join('\n')).toContain(
    'Index Only Scan using directory_objects_wallet',
  )
})
