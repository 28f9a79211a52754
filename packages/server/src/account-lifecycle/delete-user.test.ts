import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { purgeJob } from '../platform/purge.ts'
import { makeAccount, skusOf, type TestAccount } from '../testing/account-fixture.ts'
import { jobsDue, makeAlias, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const remove = (id: number, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, `DELETE /api/v4/users/${id}`)

const row = (id: number) =>
  app()
    .database.db.selectFrom('users')
    .select(['email', 'status', 'deletedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('deleting a user', () => {
  test('ends sessions and subscriptions immediately, and removes the mailbox in a job', async () => {
    const { id } = account.member
    await app()
      .database.db.updateTable('users')
      .set({ status: 3 | 32 })
      .where('id', '=', id)
      .execute()
    const { status, body } = await remove(id)
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'The user has been deleted.' },
    })
    expect((await account.as('member', 'GET /api/auth/info')).status).toBe(401)
    const login = { email: account.member.email, password: account.member.password }
    expect((await app().call('POST /api/auth/login', { body: login })).status).toBe(401)
    expect((await account.as('owner', `GET /api/v4/users/${id}`)).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
    expect(await skusOf(app(), id)).toEqual({})
    await app().jobs.drain()
    expect(app().backend.calls.filter((call) => call.userId === id)).toEqual([
      { name: 'deleteUser', userId: id },
    ])
    expect((await row(id)).status).toBe(userStatus.new | userStatus.deleted)
  })

  test('revokes control of accounts, and links', async () => {
    await remove(account.controller.id)
    const { rows } = await app().database.pool.query('select from wallet_controllers where user_id = $1', [
      account.controller.id,
    ])
    expect(rows).toEqual([])
  })

  test('completes in the right order after a back-end outage', async () => {
    const created = (await account.as('owner', 'POST /api/v4/users', account.newUser())).body.id
    app().backend.fail(2)
    await app().jobs.drain()
    const renamed = { first_name: 'Jo', aliases: [`jo@${account.domain}`] }
    await account.as('owner', `PUT /api/v4/users/${created}`, renamed)
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    expect(app().backend.users.get(created)).toMatchObject({ firstName: 'Jo', aliases: renamed.aliases })
    app().backend.fail(1)
    await account.as('owner', `PUT /api/v4/users/${created}`, { first_name: 'Jim' })
    await app().jobs.drain()
    await remove(created)
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    expect(app().backend.users.has(created)).toBe(false)
    expect(app().backend.calls.at(-1)).toEqual({ name: 'deleteUser', userId: created })
    expect(await app().jobs.failed()).toEqual([])
  })

  test('happens once for simultaneous requests', async () => {
    const answers = await Promise.all([remove(account.member.id), remove(account.member.id, 'controller')])
    expect(answers.map((answer) => answer.status)).toContain(200)
    const { rows } = await app().database.pool.query(
      `select from event_log where object_id = $1 and event = 'user.deleted'`,
      [account.member.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('deleting the owner', () => {
  test('deletes the account: users, domains and all subscriptions', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const { body } = await app().call(`DELETE /api/v4/users/${account.owner.id}`, { token })
    expect(body.message).toBe('The account has been closed, and all its users and domains have been deleted.')
    expect((await account.as('owner', 'GET /api/auth/info')).status).toBe(401)
    // a remaining controller can't create users in it either
    expect((await account.as('controller', 'POST /api/v4/users', account.newUser())).status).toBe(401)
    await app().jobs.drain()
    const { db } = app().database
    for (const user of [account.owner, account.controller, account.member]) {
      expect((await row(user.id)).deletedAt).not.toBeNull()
    }
    const domain = await db
      .selectFrom('domains')
      .select('deletedAt')
      .where('id', '=', account.domainId)
      .executeTakeFirstOrThrow()
    expect(domain.deletedAt).not.toBeNull()
    const left = await db
      .selectFrom('entitlements')
      .select('id')
      .where('walletId', '=', account.owner.walletId)
      .where('deletedAt', 'is', null)
      .execute()
    expect(left).toEqual([])
    expect((await account.as('member', 'GET /api/auth/info')).status).toBe(401)
    expect(await app().jobs.failed()).toEqual([])
  })

  test("doesn't affect other accounts, including those of its users", async () => {
    const guest = await makeUser(app(), { walletId: account.owner.walletId })
    const ofGuest = await makeUser(app(), { walletId: guest.walletId })
    const stranger = await makeAccount(app())
    await remove(account.owner.id)
    await app().jobs.drain()
    expect((await row(stranger.member.id)).deletedAt).toBeNull()
    // an account within the account is deleted with its owner
    expect((await row(ofGuest.id)).deletedAt).not.toBeNull()
  })

  test('of a large account is processed in batches', async () => {
    for (let number = 0; number < 110; number++) {
      await makeUser(app(), { walletId: account.owner.walletId, plan: null })
    }
    await remove(account.owner.id)
    await app().jobs.drain()
    const { rows } = await app().database.pool.query(
      'select from users where wallet_id = $1 and deleted_at is null',
      [account.owner.walletId],
    )
    expect(rows).toEqual([])
  }, 90_000)
})

describe('the addresses of a deleted user', () => {
  const purge = async () => {
    await app().jobs.enqueue(app().database.db, purgeJob, {})
    await app().jobs.drain()
  }
  /** Sessions don't last a month, so the owner signs in again. */
  const create = async (email: string) => {
    const { access_token: token } = await signInAs(app(), account.owner)
    return app().call('POST /api/v4/users', { token, body: account.newUser({ email }) })
  }

  test('stay taken for thirty days, then the account may reuse them', async () => {
    const alias = `alias@${account.domain}`
    await makeAlias(app(), account.member, alias)
    await remove(account.member.id)
    app().clock.advance(30 * 24 * 3600 - 1)
    await purge()
    expect((await create(account.member.email)).status).toBe(422)
    app().clock.advance(2)
    await purge()
    await purge()
    for (const email of [account.member.email, alias]) expect((await create(email)).status).toBe(200)
    expect((await row(account.member.id)).email).toBe(`${account.member.id}#`)
  })

  test('in a public domain stay taken forever', async () => {
    await makeDomain(app(), 'everybody.test')
    const email = `jane${account.member.id}@everybody.test`
    const user = await makeUser(app(), { email, walletId: account.owner.walletId })
    await remove(user.id)
    app().clock.advance(400 * 24 * 3600)
    await purge()
    expect((await create(email)).status).toBe(422)
  })
})
