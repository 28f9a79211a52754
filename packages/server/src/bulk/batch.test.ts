import { beforeEach, describe, expect, test } from 'vitest'
import { purgeJob } from '../platform/purge.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { bulkDesk } from '../testing/bulk-desk.ts'
import { jobsDue, makeTenant, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

const { makeMembers, bulk, see, rowsOf, finish, living } = bulkDesk(app, () => account)

beforeEach(async () => {
  account = await makeAccount(app())
})

describe('a batch', () => {
  test("is visible to and controlled by its account's controllers only", async () => {
    const { id } = (await bulk({ action: 'delete', ids: [account.member.id] })).body.batch
    const tenantId = await makeTenant(app(), 8)
    const people = {
      controller: account.controller,
      colleague: await makeUser(app(), { walletId: account.owner.walletId }),
      stranger: await makeUser(app()),
      tenant: await makeUser(app(), { tenantId }),
      reseller: await makeUser(app(), { role: 'reseller' }),
      admin: await makeUser(app(), { role: 'admin' }),
    }
    const expected = {
      controller: 200,
      colleague: 403,
      stranger: 403,
      tenant: 404,
      reseller: 403,
      admin: 403,
    }
    const routes = ['GET ', 'GET /rows', 'POST /start', 'POST /cancel']
    for (const route of routes) {
      const [method, path] = route.split(' ')
      const call = `${method} /api/v4/batches/${id}${path}`
      const body = method === 'POST' ? { body: {} } : {}
      const statuses: Record<string, number> = {}
      for (const [name, person] of Object.entries(people)) {
        const { access_token: token } = await signInAs(app(), person)
        statuses[name] = (await app().call(call, { token, ...body })).status
      }
      expect(statuses, route).toEqual(expected)
      expect((await app().call(call, body)).status).toBe(401)
    }
    for (const unknown of ['x', '1', '00000000-0000-7000-8000-000000000000']) {
      expect((await account.as('owner', `GET /api/v4/batches/${unknown}`)).status).toBe(404)
    }
    const { access_token: token } = await signInAs(app(), people.stranger)
    expect((await app().call('GET /api/v4/batches', { token })).body).toMatchObject({ list: [], total: 0 })
  })

  test('lists its rows by page and state', async () => {
    const ids = await makeMembers(5)
    const { id } = await finish({ action: 'delete', ids: [...ids, account.owner.id] })
    expect(await rowsOf(id, '?size=2&page=2')).toMatchObject({
      count: 2,
      total: 6,
      hasMore: true,
      list: [{ n: 3 }, { n: 4 }],
    })
    expect(await rowsOf(id, '?state=refused')).toMatchObject({ count: 1, total: 1, hasMore: false })
    expect((await account.as('owner', `GET /api/v4/batches/${id}/rows?state=lost`)).status).toBe(422)
    expect((await account.as('owner', 'GET /api/v4/batches')).body).toMatchObject({
      total: 1,
      list: [{ id, counts: { done: 5, refused: 1 } }],
    })
  })

  test("that is cancelled stops before the next row and isn't resumed", async () => {
    const ids = await makeMembers(3)
    const { id } = (await bulk({ action: 'delete', ids })).body.batch
    const stopped = await account.as('owner', `POST /api/v4/batches/${id}/cancel`, {})
    expect(stopped.body).toMatchObject({
      message: 'The bulk action has been stopped.',
      batch: { state: 'cancelled' },
    })
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'cancelled', counts: { skipped: 3 } })
    expect(await living(ids)).toEqual(ids)
    const again = await account.as('owner', `POST /api/v4/batches/${id}/cancel`, {})
    expect(again.body.message).toBe('This bulk action has already finished.')
    expect((await account.as('owner', `POST /api/v4/batches/${id}/start`, {})).status).toBe(409)
  })

  test('sent twice with one key is started once', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const body = { objects: 'users', action: 'delete', ids: [account.member.id] }
    const headers = { 'idempotency-key': 'double-click-1' }
    const first = await app().call('POST /api/v4/bulk', { token, body, headers })
    const second = await app().call('POST /api/v4/bulk', { token, body, headers })
    expect(second.body.batch.id).toBe(first.body.batch.id)
    expect((await account.as('owner', 'GET /api/v4/batches')).body.total).toBe(1)
  })

  test('with hundreds of rows leaves capacity for other jobs', async () => {
    const ids = await makeMembers(230, null)
    const batch = await finish({ action: 'delete', ids })
    expect(batch).toMatchObject({ state: 'done', counts: { done: 230 } })
    expect(await living(ids)).toEqual([])
  }, 60_000)

  test('is deleted after thirty days', async () => {
    const { id } = await finish({ action: 'delete', ids: [account.member.id] })
    app().clock.advance(30 * 24 * 3600 + 1)
    await app().jobs.enqueue(app().database.db, purgeJob, {})
    await app().jobs.drain()
    const { rows } = await app().database.pool.query('select from batches where id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('a process that crashes during a batch', () => {
  /** Terminates the connection that deletes this user, as a crash would, until `live` is called. */
  async function dieAt(userId: number) {
    await app().database.pool.query(`create function die() returns trigger language plpgsql as $$
      begin
        if new.id = ${userId} then perform pg_terminate_backend(pg_backend_pid()); end if;
        return new;
      end $$`)
    await app().database.pool.query(
      'create trigger die before update of deleted_at on users for each row execute function die()',
    )
  }

  async function live() {
    await app().database.pool.query('drop trigger if exists die on users')
    await app().database.pool.query('drop function if exists die')
  }

  test.each([0, 1, 19, 20, 21, 24])(
    'at row %i goes on where it stopped, and does no row twice',
    async (at) => {
      const ids = await makeMembers(25)
      await dieAt(ids[at] ?? 0)
      const { id } = (await bulk({ action: 'delete', ids })).body.batch
      await app().jobs.drain()
      const half = await see(id)
      expect(half.state).toBe('running')
      // completed batches of rows are stored, the rest is rolled back
      expect(half.counts.done).toBe(at < 20 ? 0 : 20)
      expect(await living(ids)).toHaveLength(25 - half.counts.done)
      await live()
      await jobsDue(app())
      await app().jobs.drain()
      expect(await see(id)).toMatchObject({ state: 'done', counts: { done: 25, failed: 0 } })
      expect(await living(ids)).toEqual([])
      const { rows } = await app().database.pool.query(
        `select count(*)::int as count from event_log where event = 'user.deleted' and object_id = any($1)`,
        [ids],
      )
      expect(rows[0].count).toBe(25)
    },
  )
})

describe('a row that fails with an internal error', () => {
  test('fails alone, and does not reveal the error', async () => {
    const ids = await makeMembers(3)
    await app().database.pool.query(`create function refuse() returns trigger language plpgsql as $$
      begin
        if new.id = ${ids[1]} then raise exception 'secret detail' using errcode = '23514'; end if;
        return new;
      end $$`)
    await app().database.pool.query(
      'create trigger refuse before update of deleted_at on users for each row execute function refuse()',
    )
    const { id } = await finish({ action: 'delete', ids })
    await app().database.pool.query('drop trigger refuse on users; drop function refuse')
    const { list } = await rowsOf(id, '?state=failed')
    expect(list).toEqual([
      {
        n: 2,
        label: `m0001@${account.domain}`,
        state: 'failed',
        objectId: ids[1],
        messages: [{ field: null, text: 'Something went wrong. This item wasn’t changed.' }],
      },
    ])
    expect(await living(ids)).toEqual([ids[1]])
  })
})
