import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import {
  giveMoney,
  type MadeUser,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)
let account: TestAccount
let tenants = 100

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

beforeEach(async () => {
  account = await makeAccount(app())
  app().clock.advance(24 * 3600)
})

const wallet = () => `/api/v4/wallets/${account.owner.walletId}`

async function callAs(user: MadeUser, route: string, body?: unknown) {
  const { access_token: token } = await signInAs(app(), user)
  return app().call(route, { token, ...(body !== undefined && { body }) })
}

const begin = (heir: Pick<MadeUser, 'email'>, by: MadeUser = account.owner) =>
  callAs(by, `POST ${wallet()}/owner`, { email: heir.email })

async function codeFor(email: string): Promise<string | undefined> {
  for (const { to, text } of await app().mails()) {
    const [, code] = /\/account-offer\/(\w+)/.exec(text ?? '') ?? []
    if (code !== undefined && JSON.stringify(to).includes(email)) return code
  }
}

const accept = (user: MadeUser, code: string | undefined) =>
  callAs(user, `POST /api/v4/account-offers/${code}/accept`, {})

const roles = async (reader: MadeUser) => {
  const { body } = await callAs(reader, `GET ${wallet()}/controllers`)
  return Object.fromEntries(
    body.list.map(({ email, isOwner }: { email: string; isOwner: boolean }) => [email, isOwner]),
  )
}

/** Reads what belongs to the account's wallet: ledger, receipts, balance, subscriptions, users. */
async function holdings(reader: MadeUser) {
  const get = async (path: string) => (await callAs(reader, `GET ${path}`)).body
  const [{ balance, currency }, transactions, receipts, costs, users] = await Promise.all([
    get(wallet()),
    get(`${wallet()}/transactions`),
    get(`${wallet()}/receipts`),
    get(`${wallet()}/costs`),
    get('/api/v4/users?size=100'),
  ])
  const emails = users.list.map(({ email }: { email: string }) => email)
  return {
    balance,
    currency,
    transactions: transactions.list,
    receipts: receipts.list,
    costs: costs.list,
    emails,
  }
}

describe('handing over an account', () => {
  test('moves it with everything it owns once both users have agreed by e-mail', async () => {
    const { owner, member, controller } = account
    await giveMoney(app(), owner.walletId, 5000)
    await callAs(owner, `POST /api/v4/users/${owner.id}/config`, {
      second_factor_policy: 'optional',
      greylist_policy: false,
    })
    const before = await holdings(owner)
    const skus = await skusOf(app(), owner.id)

    expect((await begin(member)).status).toBe(200)
    const confirm = await codeFor(owner.email)
    expect(await codeFor(member.email)).toBeUndefined()
    expect((await callAs(owner, `GET /api/v4/account-offers/${confirm}`)).body).toMatchObject({
      ...{ kind: 'give', account: owner.email, heir: member.email },
    })
    expect((await accept(member, confirm)).status).toBe(404)
    expect((await accept(owner, confirm)).body).toMatchObject({ status: 'success', kind: 'give' })
    expect(await roles(owner)).toEqual({ [owner.email]: true, [controller.email]: false })

    const take = await codeFor(member.email)
    expect((await accept(controller, take)).status).toBe(404)
    expect((await accept(member, take)).body).toMatchObject({
      kind: 'take',
      message: 'You now own this account.',
    })
    for (const reader of [owner, member]) {
      expect(await roles(reader)).toEqual({
        [member.email]: true,
        [owner.email]: false,
        [controller.email]: false,
      })
    }
    expect(await holdings(member)).toEqual(before)
    expect(await skusOf(app(), owner.id)).toEqual(skus)
    const { body } = await callAs(member, 'GET /api/v4/policies')
    expect([body.ownerId, body.config.greylist_policy]).toEqual([member.id, false])
    const info = (await callAs(member, 'GET /api/auth/info')).body
    expect([info.wallets.map(({ id }: { id: string }) => id), info.accounts]).toEqual([[owner.walletId], []])
    const former = (await callAs(owner, 'GET /api/auth/info')).body
    expect(former.accounts).toMatchObject([{ id: owner.walletId, user_email: member.email }])
    expect(former.statusInfo.enableUsers).toBe(true)
    const told = (await app().mails()).filter(({ subject }) => subject?.includes('has a new owner'))
    for (const { email } of [owner, member, controller]) {
      expect(told.map(({ to }) => JSON.stringify(to)).join()).toContain(email)
    }
    const { body: log } = await callAs(member, 'GET /api/v4/events?event=controller.&size=100')
    expect(log.list.map(({ event }: { event: string }) => event)).toEqual([
      ...['controller.owner-changed', 'controller.hand-over-confirmed', 'controller.hand-over-begun'],
    ])
  })

  test('allows the former owner to leave, but not the new one', async () => {
    const { owner, member } = account
    await run('wallet:set-owner', owner.email, member.email, 'Ticket 7')
    expect((await callAs(member, `DELETE ${wallet()}/controllers/${member.id}`)).status).toBe(403)
    expect((await callAs(owner, `DELETE ${wallet()}/controllers/${owner.id}`)).status).toBe(200)
    expect((await callAs(owner, `GET ${wallet()}`)).status).toBe(403)
    expect((await callAs(member, `DELETE /api/v4/users/${owner.id}`)).status).toBe(200)
    expect((await callAs(member, `GET ${wallet()}`)).status).toBe(200)
  })

  test('fails if the change is withdrawn, repeated or too late', async () => {
    const { owner, member, controller } = account
    await begin(member)
    const first = await codeFor(owner.email)
    await begin(controller)
    expect((await accept(owner, first)).status).toBe(404)
    await accept(owner, await codeFor(owner.email))
    const take = await codeFor(controller.email)
    const { body } = await callAs(owner, `GET ${wallet()}/controllers`)
    expect(body.handOver).toMatchObject({ email: controller.email, isConfirmed: true })
    expect((await callAs(controller, `DELETE ${wallet()}/owner`)).status).toBe(403)
    expect((await callAs(owner, `DELETE ${wallet()}/owner`)).status).toBe(200)
    expect((await callAs(owner, `DELETE ${wallet()}/owner`)).status).toBe(404)
    expect((await accept(controller, take)).status).toBe(404)
    await begin(member)
    const late = await codeFor(owner.email)
    app().clock.advance(7 * 24 * 3600)
    expect((await accept(owner, late)).status).toBe(404)
    expect(await roles(owner)).toMatchObject({ [owner.email]: true })
  })

  test("cannot be offered twice: a former owner's offer is void", async () => {
    const { owner, member, controller } = account
    await begin(controller)
    await accept(owner, await codeFor(owner.email))
    const take = await codeFor(controller.email)
    await run('wallet:set-owner', owner.email, member.email, 'Ticket 7')
    expect((await accept(controller, take)).status).toBe(404)
    expect(await roles(member)).toMatchObject({ [member.email]: true, [controller.email]: false })
  })

  test('is only possible for the owner after re-authentication', async () => {
    const { owner, member, controller } = account
    expect((await begin(member, controller)).status).toBe(403)
    expect((await begin(member, member)).status).toBe(403)
    const { access_token: token } = await signInAs(app(), owner)
    app().clock.advance(601)
    const stale = await app().call(`POST ${wallet()}/owner`, { token, body: { email: member.email } })
    expect([stale.status, stale.body.stepUp]).toEqual([403, true])
  })

  test.each([
    ['an address that is nobody’s', async () => 'nobody@nowhere.test'],
    ['the owner', async () => account.owner.email],
    ['the user of another account', async () => (await makeUser(app())).email],
    [
      'a user who is suspended',
      async () => {
        await setStatus(
          app(),
          account.member,
          userStatus.active | userStatus.imapReady | userStatus.suspended,
        )
        return account.member.email
      },
    ],
    [
      'a user who has money of their own',
      async () => {
        await giveMoney(app(), account.member.walletId, 100)
        return account.member.email
      },
    ],
  ])('is refused for %s', async (_, find) => {
    const { status, body } = await begin({ email: await find() })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['email']])
  })

  test("is refused for a degraded account and for a tenant's account", async () => {
    const { owner, member } = account
    const { active, imapReady, degraded } = userStatus
    await setStatus(app(), owner, active | imapReady | degraded)
    expect((await begin(member)).body.errors.email).toEqual(expect.stringContaining('unpaid'))
    await setStatus(app(), owner, active | imapReady)
    const tenantId = await makeTenant(app(), ++tenants)
    const { db } = app().database
    await db.updateTable('tenants').set({ walletId: owner.walletId }).where('id', '=', tenantId).execute()
    expect((await begin(member)).status).toBe(403)
  })
})

test('support staff can hand an account over with a reason, only to a user of the account', async () => {
  const { owner, member } = account
  const admin = await makeStaff(app(), 'admin')
  const stranger = await makeUser(app())
  const hand = (email: string, reason?: string) =>
    admin.call(`POST ${wallet()}/owner`, { body: { email, reason } })
  expect((await hand(stranger.email, 'Ticket 7')).status).toBe(422)
  expect((await hand(member.email)).status).toBe(422)
  expect((await hand(member.email, 'Ticket 7')).status).toBe(200)
  expect(await roles(member)).toMatchObject({ [member.email]: true, [owner.email]: false })
  const { rows } = await app().database.pool.query(
    `select comment, actor_email from event_log where event = 'controller.owner-changed' and object_id = $1`,
    [member.id],
  )
  expect(rows).toEqual([{ comment: 'Ticket 7', actor_email: admin.email }])
})

test('handing an account over does not restart a trial', async () => {
  const { owner } = account
  app().clock.advance(20 * 24 * 3600)
  const heir = await makeUser(app(), { walletId: owner.walletId })
  const free = async (reader: MadeUser) => (await callAs(reader, `GET ${wallet()}/forecast`)).body.next
  const before = await free(owner)
  await run('wallet:set-owner', owner.email, heir.email, 'Ticket 7')
  expect(await free(heir)).toEqual(before)
})
