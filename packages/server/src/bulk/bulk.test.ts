import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../testing/account-fixture.ts'
import { bulkDesk } from '../testing/bulk-desk.ts'
import { makeController, makeUser, setStatus, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

const { makeMembers, bulk, see, rowsOf, finish, living } = bulkDesk(app, () => account)

beforeEach(async () => {
  account = await makeAccount(app())
})

const preview = async (body: Record<string, unknown>) => (await bulk({ ...body, dryRun: true })).body.preview

describe('deleting many users', () => {
  test('has a preview with the savings and rejected users, and that changes nothing', async () => {
    const ids = await makeMembers(3)
    await app().database.pool.query('update entitlements set cost = 500 where object_id = any($1)', [ids])
    const stranger = await makeUser(app())
    const chosen = [...ids, account.owner.id, stranger.id, 4_000_000_001]
    const shown = await preview({ action: 'delete', ids: chosen })
    expect(shown).toMatchObject({ total: 6, ok: 3, refused: 3 })
    expect(shown.rows).toEqual([
      {
        n: 4,
        label: account.owner.email,
        state: 'refused',
        objectId: account.owner.id,
        messages: [{ field: null, text: 'You can’t delete yourself here.' }],
      },
      {
        n: 5,
        // other accounts' users are not revealed
        label: String(stranger.id),
        state: 'refused',
        objectId: stranger.id,
        messages: [{ field: null, text: 'Access denied' }],
      },
      {
        n: 6,
        label: '4000000001',
        state: 'refused',
        objectId: 4_000_000_001,
        messages: [{ field: null, text: 'This no longer exists.' }],
      },
    ])
    const units = await app().database.pool.query('select cost from entitlements where object_id = any($1)', [
      ids,
    ])
    const { now, next } = shown.price.monthly
    expect(now - next).toBe(units.rows.length * 500)
    expect(shown.price).toMatchObject({ currency: 'CHF', discount: 0, dueNow: 0 })
    expect(await living(ids)).toHaveLength(3)
    expect((await account.as('owner', 'GET /api/v4/batches')).body.total).toBe(0)
  })

  test('shows the accrued charges of removed subscriptions, as a single deletion does', async () => {
    const ids = await makeMembers(2)
    await app().database.pool.query('update entitlements set cost = 500 where object_id = any($1)', [ids])
    app().clock.advance(20 * 24 * 3600)
    const { access_token: token } = await signInAs(app(), account.owner)
    const single = async (id: number | undefined) =>
      (await app().call(`POST /api/v4/users/${id}/preview`, { token, body: { delete: true } })).body
    const [one, other] = [await single(ids[0]), await single(ids[1])]
    const body = { objects: 'users', action: 'delete', ids, dryRun: true }
    const shown = (await app().call('POST /api/v4/bulk', { token, body })).body.preview
    expect(one.dueNow).toBeGreaterThan(0)
    expect(shown.price.dueNow).toBe(one.dueNow + other.dueNow)
    expect(shown.price.monthly.now - shown.price.monthly.next).toBe(one.monthly.now + other.monthly.now)
  })

  test('deletes the permitted ones, and each row has a result', async () => {
    const ids = await makeMembers(3)
    const { status, body } = await bulk({ action: 'delete', ids: [...ids, account.owner.id] })
    expect(status).toBe(200)
    expect(body.batch).toMatchObject({ state: 'running', total: 4, canCancel: true, canStart: false })
    await app().jobs.drain()
    const batch = await see(body.batch.id)
    expect(batch).toMatchObject({
      kind: 'bulk',
      objects: 'users',
      action: 'delete',
      state: 'done',
      by: account.owner.email,
      counts: { open: 0, ok: 0, refused: 1, done: 3, failed: 0, skipped: 0 },
      canCancel: false,
    })
    expect(await living(ids)).toEqual([])
    expect(
      (await rowsOf(batch.id, '?state=done')).list.map((row: { objectId: number }) => row.objectId),
    ).toEqual(ids)
    const { rows } = await app().database.pool.query(
      `select count(*)::int as count from event_log where event = 'user.deleted' and object_id = any($1)
        and actor_id = $2 and ip is not null`,
      [ids, account.owner.id],
    )
    expect(rows[0].count).toBe(3)
  })

  test('applies to all search results', async () => {
    const ids = await makeMembers(12)
    const shown = await preview({ action: 'delete', filter: { search: 'm000' } })
    expect(shown).toMatchObject({ total: 10, ok: 10 })
    await finish({ action: 'delete', filter: { search: 'm000' } })
    expect(await living(ids)).toEqual(ids.slice(10))
  })

  test('does not delete the owner for another controller, nor the controllers themselves', async () => {
    const ids = [account.owner.id, account.controller.id]
    const { body } = await bulk({ action: 'delete', ids, dryRun: true }, 'controller')
    expect(body.preview.rows.map((row: { messages: { text: string }[] }) => row.messages[0]?.text)).toEqual([
      'Access denied',
      'You can’t delete yourself here.',
    ])
    await bulk({ action: 'delete', ids }, 'controller')
    await app().jobs.drain()
    expect(await living(ids)).toHaveLength(2)
  })

  test('reports users who were deleted in the meantime as missing', async () => {
    const ids = await makeMembers(2)
    const { id } = (await bulk({ action: 'delete', ids })).body.batch
    await account.as('owner', `DELETE /api/v4/users/${ids[0]}`)
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ counts: { done: 1, failed: 1 } })
  })

  test('ends when the user who started it loses the permission', async () => {
    const ids = await makeMembers(2)
    const { id } = (await bulk({ action: 'delete', ids }, 'controller')).body.batch
    await app().database.pool.query('delete from wallet_controllers where user_id = $1', [
      account.controller.id,
    ])
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'done', counts: { failed: 2 } })
    expect(await living(ids)).toEqual(ids)
  })
})

describe('restoring many users', () => {
  test('restores all deleted ones with their subscriptions', async () => {
    const ids = await makeMembers(3)
    const had = await skusOf(app(), ids[0] ?? 0)
    await finish({ action: 'delete', ids })
    const shown = await preview({ action: 'restore', filter: { status: 'deleted' } })
    expect(shown).toMatchObject({ total: 3, ok: 3 })
    const batch = await finish({ action: 'restore', filter: { status: 'deleted' } })
    expect(batch.counts).toMatchObject({ done: 3 })
    expect((await living(ids)).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    for (const id of ids) expect(await skusOf(app(), id)).toEqual(had)
    expect(shown.price.monthly.next).toBe(batch.price.monthly.next)
  })

  test('rejects users who are not deleted', async () => {
    const shown = await preview({ action: 'restore', ids: [account.member.id] })
    expect(shown).toMatchObject({ ok: 0, refused: 1 })
  })
})

describe('assigning a package to many users', () => {
  test('gives them exactly its subscriptions, at the previewed price', async () => {
    const ids = await makeMembers(3)
    const target = await packageOf(app(), 'lite')
    const shown = await preview({ action: 'package', ids, package: target })
    expect(shown).toMatchObject({ ok: 3 })
    const monthly = async () => {
      const { rows } = await app().database.pool.query(
        'select coalesce(sum(cost), 0)::int as sum from entitlements where wallet_id = $1 and deleted_at is null',
        [account.owner.walletId],
      )
      return rows[0].sum
    }
    expect(await monthly()).toBe(shown.price.monthly.now)
    const batch = await finish({ action: 'package', ids, package: target })
    expect(batch.counts).toMatchObject({ done: 3 })
    expect(await monthly()).toBe(shown.price.monthly.next)
    expect(Object.keys(await skusOf(app(), ids[0] ?? 0)).toSorted()).toEqual(['mailbox', 'storage'])
    const again = await preview({ action: 'package', ids, package: target })
    expect(again.price.monthly.now).toBe(again.price.monthly.next)
  })

  test.each([undefined, 'x', '00000000-0000-4000-8000-000000000000'])('%s is no package', async (id) => {
    const { status, body } = await bulk({ action: 'package', ids: [account.member.id], package: id })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { package: 'Choose a package.' },
    })
  })

  test('rejects a domain package', async () => {
    const target = await packageOf(app(), 'domain-hosting')
    const { body } = await bulk({ action: 'package', ids: [account.member.id], package: target })
    expect(body.errors).toEqual({ package: 'This package can’t be used here. Choose another one.' })
  })
})

describe('a bulk request', () => {
  test('requires control of an account', async () => {
    const { status } = await bulk({ action: 'delete', ids: [account.owner.id], dryRun: true }, 'member')
    expect(status).toBe(403)
    expect((await app().call('POST /api/v4/bulk', { body: {} })).status).toBe(401)
  })

  test.each([
    [{ action: 'delete' }, 'ids'],
    [{ action: 'delete', ids: [] }, 'ids'],
    [{ action: 'delete', ids: ['x'] }, 'ids'],
    [{ action: 'delete', ids: [0] }, 'ids'],
    [{ action: 'delete', ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }, 'ids'],
    [{ action: 'delete', filter: { search: 'nobody at all' } }, 'filter'],
    [{ action: 'delete', filter: { status: "x'; drop table users" } }, 'filter'],
    [{ action: 'delete', filter: 'all' }, 'filter'],
    [{ action: 'explode', ids: [1] }, 'action'],
    [{ action: 'join', objects: 'domains', ids: [1] }, 'action'],
    [{ action: 'delete', objects: 'planets', ids: [1] }, 'objects'],
    [{ action: 'delete', ids: [1], dryRun: 'maybe' }, 'dryRun'],
  ])('with %j is told what is wrong at %s', async (body, field) => {
    const answer = await bulk(body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('is limited to one account', async () => {
    const other = await makeAccount(app())
    await makeController(app(), account.owner, other.owner.walletId)
    const ids = [account.member.id, other.member.id]
    const { status, body } = await bulk({ action: 'delete', ids })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { ids: 'You can only change objects of one account together.' },
    })
    // work in another controlled account belongs to that account
    const { id } = (await bulk({ action: 'delete', ids: [other.member.id] })).body.batch
    expect((await account.as('controller', `GET /api/v4/batches/${id}`)).status).toBe(403)
    expect((await other.as('owner', `GET /api/v4/batches/${id}`)).status).toBe(200)
  })

  test('processes an object listed twice only once', async () => {
    const { id } = account.member
    expect((await finish({ action: 'delete', ids: [id, id, id] })).total).toBe(1)
  })
})

test('can delete users of an account that has to be paid first, but not restore them', async () => {
  const ids = await makeMembers(1)
  await setStatus(app(), account.owner, userStatus.active | userStatus.imapReady | userStatus.degraded)
  expect((await finish({ action: 'delete', ids })).counts).toMatchObject({ done: 1 })
  const shown = await preview({ action: 'restore', ids })
  expect(shown.rows[0].messages[0].text).toBe(
    'This account is unpaid. Top up the balance before you add users.',
  )
})
