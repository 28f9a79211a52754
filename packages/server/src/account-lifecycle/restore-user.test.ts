import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeConsent } from '../oauth/authorization/grant-store.ts'
import { purgeJob } from '../platform/purge.ts'
import { makeAccount, skusOf, type TestAccount } from '../testing/account-fixture.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import {
  makeAlias,
  makeController,
  makeDelegation,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { makeClient } from '../testing/oauth.ts'
import { useTestApp } from '../testing/test-app.ts'
import { Retention } from '../users/retention.ts'
import { restoreAccount } from './restore-account.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const month = 30 * 24 * 3600

const remove = (id: number) => account.as('owner', `DELETE /api/v4/users/${id}`)
const restore = (id: number | string, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, `POST /api/v4/users/${id}/restore`, {})
const deleted = async () => (await account.as('owner', 'GET /api/v4/users?status=deleted')).body

const units = (id: number) =>
  app()
    .database.db.selectFrom('entitlements')
    .selectAll()
    .where('objectId', '=', id)
    .orderBy('cost')
    .orderBy('id')
    .execute()

const statusOf = async (id: number) =>
  (
    await app()
      .database.db.selectFrom('users')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

const purge = async () => {
  await app().jobs.enqueue(app().database.db, purgeJob, {})
  await app().jobs.drain()
}

describe('a deleted user', () => {
  test('is listed separately, with the deadline for restoring', async () => {
    await remove(account.member.id)
    expect(await deleted()).toMatchObject({
      total: 1,
      list: [
        {
          id: account.member.id,
          email: account.member.email,
          isDeleted: true,
          deleted_at: '2026-03-10 12:00:00',
          restorable_until: '2026-04-09 12:00:00',
        },
      ],
    })
    const { list } = (await account.as('owner', 'GET /api/v4/users')).body
    expect(list.map((user: { id: number }) => user.id)).not.toContain(account.member.id)
    expect(list.every((user: { deleted_at: unknown }) => user.deleted_at === null)).toBe(true)
  })

  test('is found by searches in the deleted users', async () => {
    await remove(account.member.id)
    await remove(account.controller.id)
    const { body } = await account.as('owner', 'GET /api/v4/users?status=deleted&search=member')
    expect(body.list.map((user: { id: number }) => user.id)).toEqual([account.member.id])
  })

  test('is restored with address, aliases, profile, password and mailbox', async () => {
    const { id, email, password } = account.member
    const alias = `second@${account.domain}`
    await makeAlias(app(), account.member, alias)
    await account.as('owner', `PUT /api/v4/users/${id}`, { first_name: 'Ada', phone: '+41 44 000' })
    await remove(id)
    await app().jobs.drain()
    expect(await statusOf(id)).toBe(userStatus.new | userStatus.deleted)
    expect(await restore(id)).toMatchObject({ status: 200, body: { message: 'The user has been restored.' } })
    await app().jobs.drain()
    const { body } = await account.as('owner', `GET /api/v4/users/${id}`)
    expect(body).toMatchObject({
      email,
      aliases: [alias],
      deleted_at: null,
      isReady: true,
      settings: { first_name: 'Ada', phone: '+41 44 000' },
    })
    expect((await signInAs(app(), { email, password })).id).toBe(id)
    expect(app().backend.users.get(id)).toMatchObject({ aliases: [alias] })
    expect((await deleted()).total).toBe(0)
  })

  test('is restored with subscriptions at their prices, without charges for the time in between', async () => {
    const { id } = account.member
    const before = await units(id)
    const had = await skusOf(app(), id)
    await app()
      .database.db.updateTable('entitlements')
      .set({ cost: 123, fee: 45 })
      .where('id', '=', before.at(-1)?.id ?? '')
      .execute()
    app().clock.advance(3 * 24 * 3600)
    const { access_token: token } = await signInAs(app(), account.owner)
    await app().call(`DELETE /api/v4/users/${id}`, { token })
    app().clock.advance(5 * 24 * 3600)
    const later = (await signInAs(app(), account.owner)).access_token
    expect((await app().call(`POST /api/v4/users/${id}/restore`, { token: later, body: {} })).status).toBe(
      200,
    )
    expect(await skusOf(app(), id)).toEqual(had)
    const now = app().clock.now()
    const living = (await units(id)).filter((unit) => unit.deletedAt === null)
    expect(living.map((unit) => unit.cost)).toContain(123)
    expect(living.map((unit) => unit.fee)).toContain(45)
    for (const unit of living) {
      expect(unit.billedUntil).toEqual(now)
      // the first purchase date stays, so that deleting and restoring gives no second free fortnight
      expect(unit.createdAt).toEqual(before[0]?.createdAt)
    }
    // the days until the deletion are still billable
    const gone = (await units(id)).filter((unit) => unit.deletedAt !== null)
    expect(gone.map((unit) => unit.billedUntil)).toEqual(before.map((unit) => unit.billedUntil))
  })

  test('can be deleted and restored again, each time with the current data', async () => {
    const { id } = account.member
    const had = await skusOf(app(), id)
    for (let round = 0; round < 3; round++) {
      app().clock.advance(60)
      expect((await remove(id)).status).toBe(200)
      expect((await restore(id)).status).toBe(200)
    }
    expect(await skusOf(app(), id)).toEqual(had)
  })

  test('is still suspended and restricted after being restored', async () => {
    const { id } = account.member
    const { active, imapReady, suspended, restricted } = userStatus
    await setStatus(app(), account.member, active | imapReady | suspended | restricted)
    await remove(id)
    await app().jobs.drain()
    await restore(id)
    expect(await statusOf(id)).toBe(userStatus.new | suspended | restricted)
  })

  test('is restored to their distribution lists', async () => {
    const { id, email } = account.member
    const list = { email: `team@${account.domain}`, name: 'Team', members: [email, account.owner.email] }
    const group = (await account.as('owner', 'POST /api/v4/groups', list)).body.id
    const members = async () => (await account.as('owner', `GET /api/v4/groups/${group}`)).body.members
    await remove(id)
    expect(await members()).toEqual([account.owner.email])
    await restore(id)
    expect(await members()).toEqual([email, account.owner.email].toSorted())
  })

  test('does not regain what others had delegated', async () => {
    const { id } = account.controller
    await makeDelegation(app(), account.member, account.controller)
    await remove(id)
    await restore(id)
    const { rows } = await app().database.pool.query(
      `select 1 from wallet_controllers where user_id = $1 union all
       select 1 from delegations where delegatee_id = $1`,
      [id],
    )
    expect(rows).toEqual([])
    expect((await account.as('controller', 'GET /api/auth/info')).status).toBe(401)
  })

  test('is restored even if the back end has not processed the deletion yet', async () => {
    const { id } = account.member
    app().backend.fail(1)
    await remove(id)
    await restore(id)
    await app().jobs.drain()
    await app().database.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    await app().jobs.drain()
    expect((await account.as('owner', `GET /api/v4/users/${id}`)).body.isReady).toBe(true)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('is restored once for simultaneous requests', async () => {
    const { id } = account.member
    const had = await skusOf(app(), id)
    await remove(id)
    const answers = await Promise.all([restore(id), restore(id, 'controller'), restore(id)])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    expect(await skusOf(app(), id)).toEqual(had)
  })

  test('can be restored by the owner and controllers of the account only', async () => {
    const { id } = account.member
    const tenantId = await makeTenant(app(), 7)
    const people = {
      stranger: await makeUser(app()),
      tenant: await makeUser(app(), { tenantId }),
      reseller: await makeUser(app(), { role: 'reseller' }),
      admin: await makeUser(app(), { role: 'admin' }),
      colleague: await makeUser(app(), { walletId: account.owner.walletId }),
    }
    await remove(id)
    const statuses: Record<string, number> = {}
    for (const [name, person] of Object.entries(people)) {
      const { access_token: token } = await signInAs(app(), person)
      const { status } = await app().call(`POST /api/v4/users/${id}/restore`, { token, body: {} })
      statuses[name] = status
    }
    expect(statuses).toEqual({ stranger: 403, tenant: 404, reseller: 403, admin: 403, colleague: 403 })
    expect((await app().call(`POST /api/v4/users/${id}/restore`, { body: {} })).status).toBe(401)
    expect((await restore(id, 'controller')).status).toBe(200)
  })

  test("is not found if they are not deleted, don't exist, or the ID is invalid", async () => {
    for (const id of [account.member.id, 4_000_000_000, 'me', '0', '-1', '99999999999']) {
      expect((await restore(id)).status).toBe(404)
    }
  })

  test('stays deleted in an account that has to be paid first', async () => {
    await remove(account.member.id)
    await setStatus(app(), account.owner, userStatus.active | userStatus.imapReady | userStatus.degraded)
    const { status, body } = await restore(account.member.id)
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'This account is unpaid. Top up the balance before you add users.',
    })
  })

  test('stays deleted while the domain of their address is deleted', async () => {
    await remove(account.member.id)
    await app()
      .database.db.updateTable('domains')
      .set({ deletedAt: app().clock.now() })
      .where('id', '=', account.domainId)
      .execute()
    const { status, body } = await restore(account.member.id)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { email: 'The domain of this address no longer exists. Restore the domain first.' },
    })
  })
})

describe('after the retention period', () => {
  const owner = async (route: string, body?: unknown) => {
    const { access_token: token } = await signInAs(app(), account.owner)
    return app().call(route, { token, body })
  }

  test('no user is listed or restored, even before the nightly purge', async () => {
    const { id } = account.member
    await remove(id)
    app().clock.advance(month)
    expect((await owner('GET /api/v4/users?status=deleted')).body.total).toBe(0)
    expect((await owner(`POST /api/v4/users/${id}/restore`, {})).status).toBe(404)
  })

  test('all personal data is deleted, and data required by the books stays', async () => {
    const { id, email } = account.member
    await owner(`PUT /api/v4/users/${id}`, {
      first_name: 'Ada',
      password: 'other-anchor',
      password_confirmation: 'other-anchor',
    })
    await owner(`PUT /api/v4/users/${id}`, { last_name: 'Lovelace' })
    const client = await makeClient(app())
    await writeConsent(app().database.db, app().clock, id, client.id, ['openid'])
    await remove(id)
    await app().jobs.drain()
    const entitlements = (await units(id)).length
    app().clock.advance(month)
    await purge()
    await purge()
    const { rows } = await app().database.pool.query(
      `select email, password_hash, sort_name, search_text, status from users where id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        email: `${id}#`,
        password_hash: null,
        sort_name: `${id}#`,
        search_text: `${id}#`,
        status: userStatus.new | userStatus.deleted,
      },
    ])
    for (const table of [
      'user_settings',
      'password_history',
      'sessions',
      'verification_codes',
      'oauth_consents',
    ]) {
      const left = await app().database.pool.query(`select from ${table} where user_id = $1`, [id])
      expect(left.rows, table).toEqual([])
    }
    const { body } = await owner(`GET /api/v4/events?object=${id}&objectType=user`)
    const events = body.list as {
      event: string
      data: unknown
      object: unknown
      actor: string
      ip: unknown
    }[]
    expect(events.map((event) => event.event)).toEqual(
      expect.arrayContaining(['user.deleted', 'user.updated', 'password.changed']),
    )
    for (const event of events) {
      expect(event).toMatchObject({ data: null, object: null, ip: null, actor: account.owner.email })
    }
    expect(JSON.stringify(body)).not.toContain(email)
    expect(await units(id)).toHaveLength(entitlements)
  })

  test("the address stays taken as long as the mailbox couldn't be removed", async () => {
    const { id, email } = account.member
    await remove(id)
    app().backend.fail(100)
    app().clock.advance(month)
    await purge()
    expect((await owner('POST /api/v4/users', account.newUser({ email }))).status).toBe(422)
    app().backend.fail(0)
    await app().database.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    await app().jobs.drain()
    await purge()
    expect((await owner('POST /api/v4/users', account.newUser({ email }))).status).toBe(200)
  })

  test('many users are purged in batches', async () => {
    const ids: number[] = []
    for (let number = 0; number < 120; number++) {
      ids.push((await makeUser(app(), { walletId: account.owner.walletId, plan: null })).id)
    }
    const status = userStatus.new | userStatus.deleted
    await app().database.pool.query('update users set deleted_at = $2, status = $3 where id = any($1)', [
      ids,
      app().clock.now(),
      status,
    ])
    app().clock.advance(month)
    await purge()
    const { rows } = await app().database.pool.query(
      'select from users where id = any($1) and forgotten_at is null',
      [ids],
    )
    expect(rows).toEqual([])
  })
})

describe('the operator', () => {
  const parts = () => {
    const { db } = app().database
    return { db, clock: app().clock, retention: new Retention(app().clock, 30) }
  }

  test('restores an account with everything deleted with it, and nothing that was deleted before', async () => {
    const earlier = await makeUser(app(), { walletId: account.owner.walletId })
    await remove(earlier.id)
    app().clock.advance(60)
    const had = await skusOf(app(), account.member.id)
    const owned = await skusOf(app(), account.domainId)
    const list = await makeObject(account, 'groups')
    await remove(account.owner.id)
    await app().jobs.drain()
    const restored = await restoreAccount(parts(), account.owner.id)
    expect(restored).toEqual({ users: 3, domains: 1, objects: 1, failed: [] })
    await app().jobs.drain()
    const { access_token: token } = await signInAs(app(), account.owner)
    const { body } = await app().call('GET /api/v4/users', { token })
    const back = new Set(body.list.map((user: { id: number }) => user.id))
    expect(back).toEqual(new Set([account.owner.id, account.member.id, account.controller.id]))
    expect(await skusOf(app(), account.member.id)).toEqual(had)
    expect(await skusOf(app(), account.domainId)).toEqual(owned)
    expect(await skusOf(app(), list)).toEqual({ group: 1 })
    // it may have been sold to someone else meanwhile
    const { body: domain } = await app().call(`GET /api/v4/domains/${account.domainId}`, { token })
    expect(domain).toMatchObject({ isDeleted: false, isConfirmed: false })
    const { body: gone } = await app().call('GET /api/v4/users?status=deleted', { token })
    expect(gone.list.map((user: { id: number }) => user.id)).toEqual([earlier.id])
  })

  test('stops an unfinished deletion', async () => {
    await remove(account.owner.id)
    await restoreAccount(parts(), account.owner.id)
    await app().jobs.drain()
    const { access_token: token } = await signInAs(app(), account.owner)
    expect((await app().call('GET /api/v4/users', { token })).body.total).toBe(3)
    expect((await app().call(`GET /api/v4/users/${account.member.id}`, { token })).body.isReady).toBe(true)
  })

  test('can restore a single user of an account too', async () => {
    await makeController(app(), account.member, account.owner.walletId)
    await remove(account.member.id)
    expect(await restoreAccount(parts(), account.member.id)).toEqual({
      users: 1,
      domains: 0,
      objects: 0,
      failed: [],
    })
  })
})
