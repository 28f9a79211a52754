import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
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

const path = () => `/api/v4/wallets/${account.owner.walletId}/controllers`

async function callAs(user: MadeUser, route: string, body?: unknown) {
  const { access_token: token } = await signInAs(app(), user)
  return app().call(route, { token, ...(body !== undefined && { body }) })
}

const invite = (email: string, by: MadeUser = account.owner) => callAs(by, `POST ${path()}`, { email })

/** Returns the code in the latest offer mailed to an address; undefined if there is none. */
async function codeFor(email: string): Promise<string | undefined> {
  const mails = (await app().mails()).filter(({ to }) => JSON.stringify(to).includes(email))
  for (const { text } of mails) {
    const [, code] = /\/account-offer\/(\w+)/.exec(text ?? '') ?? []
    if (code !== undefined) return code
  }
}

const accept = async (user: MadeUser, code: string | undefined) =>
  callAs(user, `POST /api/v4/account-offers/${code}/accept`, {})

async function makeOwnerOf(user: MadeUser): Promise<void> {
  await invite(user.email)
  expect((await accept(user, await codeFor(user.email))).status).toBe(200)
}

const people = async (reader: MadeUser = account.owner) => (await callAs(reader, `GET ${path()}`)).body
const emails = (list: readonly { email: string }[]) => list.map(({ email }) => email)

async function events(): Promise<string[]> {
  const { rows } = await app().database.pool.query<{ event: string }>(
    `select event from event_log where object_id = $1 and starts_with(event, 'controller.') order by created_at, id`,
    [account.owner.id],
  )
  return rows.map(({ event }) => event)
}

/** Returns the recipients of e-mails whose subject contains these words. */
async function told(words: string): Promise<string[]> {
  const mails = (await app().mails()).filter(({ subject }) => subject?.includes(words))
  return mails.map(({ to }) => JSON.stringify(to))
}

describe('an invitation', () => {
  test('makes a user of the account an additional owner on acceptance, visible to both', async () => {
    const { member, owner, controller } = account
    expect((await callAs(member, 'GET /api/auth/info')).body.accounts).toEqual([])
    expect((await invite(member.email)).status).toBe(200)
    expect((await callAs(member, `GET ${path()}`)).status).toBe(403)
    const code = await codeFor(member.email)
    const offer = await callAs(member, `GET /api/v4/account-offers/${code}`)
    expect(offer.body).toMatchObject({ kind: 'controller', account: owner.email, from: owner.email })
    expect((await accept(member, code)).status).toBe(200)
    for (const reader of [owner, member]) {
      const { list, invitations, canChange } = await people(reader)
      expect(emails(list)).toEqual([owner.email, controller.email, member.email])
      expect([invitations, canChange]).toEqual([[], true])
      expect(list[0]).toMatchObject({ isOwner: true })
      expect(list[2]).toMatchObject({ isOwner: false, isMember: true })
    }
    const { body } = await callAs(member, 'GET /api/auth/info')
    expect(body.accounts).toMatchObject([{ id: owner.walletId, user_email: owner.email }])
    expect(body.statusInfo).toMatchObject({ enableUsers: true, enableWallets: true, enableSettings: true })
    const wallet = await callAs(member, `GET /api/v4/wallets/${owner.walletId}`)
    expect([wallet.status, wallet.body.canUpdate]).toEqual([200, true])
    expect((await callAs(member, 'POST /api/v4/users', account.newUser())).status).toBe(200)
    expect(await events()).toEqual(['controller.invited', 'controller.added'])
    const mailed = (await told('additional owner')).join()
    for (const { email } of [owner, controller, member]) expect(mailed).toContain(email)
  })

  test('makes the owner of another account of the tenant an additional owner, also by alias', async () => {
    const other = await makeUser(app())
    await makeAlias(app(), other, `alias-${other.id}@example.test`)
    await invite(`Alias-${other.id}@Example.test`)
    expect((await accept(other, await codeFor(`alias-${other.id}@example.test`))).status).toBe(200)
    expect((await people()).list).toContainEqual(
      expect.objectContaining({ email: other.email, isMember: false, isOwner: false }),
    )
    const { list } = (await callAs(other, 'GET /api/v4/users?size=100')).body
    expect(emails(list)).toEqual(expect.arrayContaining([account.member.email, other.email]))
    expect((await callAs(other, `GET /api/v4/wallets/${account.owner.walletId}`)).status).toBe(200)
  })

  test('works once, for its recipient only, and until it expires', async () => {
    const { member, controller } = account
    await invite(member.email)
    const code = await codeFor(member.email)
    for (const user of [controller, account.owner]) {
      expect((await callAs(user, `GET /api/v4/account-offers/${code}`)).status).toBe(404)
      expect((await accept(user, code)).status).toBe(404)
    }
    expect((await accept(member, code)).status).toBe(200)
    expect((await accept(member, code)).status).toBe(404)
    const late = await makeUser(app(), { walletId: account.owner.walletId })
    await invite(late.email)
    const lateCode = await codeFor(late.email)
    app().clock.advance(7 * 24 * 3600)
    expect((await accept(late, lateCode)).status).toBe(404)
    expect((await people()).invitations).toEqual([])
  })

  test('replaces an earlier one, and stops working when withdrawn', async () => {
    const { member, controller } = account
    await invite(member.email)
    const first = await codeFor(member.email)
    await invite(member.email, controller)
    const second = await codeFor(member.email)
    expect(second).not.toBe(first)
    expect((await accept(member, first)).status).toBe(404)
    const { invitations } = await people()
    expect(emails(invitations)).toEqual([member.email])
    const route = `DELETE /api/v4/wallets/${account.owner.walletId}/invitations/${invitations[0].id}`
    expect((await callAs(member, route)).status).toBe(403)
    expect((await callAs(account.owner, route)).status).toBe(200)
    expect((await callAs(account.owner, route)).status).toBe(404)
    expect((await accept(member, second)).status).toBe(404)
    expect((await told('was invited')).join()).toContain(account.owner.email)
  })

  test("looks the same for an unknown address or one of another tenant, of staff or of another account's user", async () => {
    const tenantId = await makeTenant(app(), ++tenants)
    const foreign = await makeUser(app(), { tenantId })
    const staff = await makeUser(app(), { role: 'admin' })
    const stranger = await makeUser(app(), { walletId: (await makeUser(app())).walletId })
    const gone = await makeUser(app())
    await deleteUser(app(), gone)
    for (const email of ['nobody@nowhere.test', foreign.email, staff.email, stranger.email, gone.email]) {
      const { status, body } = await invite(email)
      expect([status, Object.keys(body).sort()], email).toEqual([200, ['id', 'message', 'status']])
      expect(await codeFor(email), email).toBeUndefined()
      app().clock.advance(24 * 3600)
    }
    expect((await people()).invitations).toHaveLength(5)
  })

  test.each([
    ['nobody', 'Enter a valid e-mail address.'],
    [null, undefined],
  ])('of %j is rejected at its field', async (email, sentence) => {
    const { status, body } = await callAs(account.owner, `POST ${path()}`, { email })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['email']])
    if (sentence !== undefined) expect([body.errors.email].flat()).toEqual([sentence])
  })

  test('of an existing controller is rejected', async () => {
    for (const { email } of [account.owner, account.controller]) {
      const { status, body } = await invite(email)
      expect([status, [body.errors?.email].flat()]).toEqual([422, ['This person is already an owner.']])
    }
  })

  test('requires re-authentication, and so does accepting it', async () => {
    const { owner, member } = account
    const [asOwner, asMember] = [await signInAs(app(), owner), await signInAs(app(), member)]
    await invite(member.email)
    const code = await codeFor(member.email)
    app().clock.advance(601)
    const stale = await app().call(`POST ${path()}`, {
      token: asOwner.access_token,
      body: { email: 'x@example.test' },
    })
    expect([stale.status, stale.body.stepUp]).toEqual([403, true])
    const route = `POST /api/v4/account-offers/${code}/accept`
    const unproved = await app().call(route, { token: asMember.access_token, body: {} })
    expect([unproved.status, unproved.body.stepUp]).toEqual([403, true])
  })

  test('is mailed only a limited number of times', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const statuses: number[] = []
    for (let time = 0; time < 8; time++) {
      statuses.push((await app().call(`POST ${path()}`, { token, body: { email: 'x@y.test' } })).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  })
})

describe('an additional owner', () => {
  test('can leave and then manages nothing', async () => {
    const { member, owner } = account
    await makeOwnerOf(member)
    expect((await callAs(member, `DELETE ${path()}/${member.id}`)).body).toMatchObject({
      message: 'You’re no longer an owner of this account.',
    })
    const { body } = await callAs(member, 'GET /api/auth/info')
    expect([body.accounts, body.statusInfo.enableUsers]).toEqual([[], false])
    expect((await callAs(member, `GET /api/v4/wallets/${owner.walletId}`)).status).toBe(403)
    expect((await events()).at(-1)).toBe('controller.left')
  })

  test('can be removed by any owner, along with the invitations and links they created', async () => {
    const { member, controller } = account
    const other = await makeUser(app(), { walletId: account.owner.walletId })
    await makeOwnerOf(member)
    const { access_token: token } = await signInAs(app(), member)
    const link = (await app().call('POST /api/v4/password-reset/code', { token })).body
    const passwordLinkCode = `${link.short_code}-${link.code}`
    const given = await app().call(`PUT /api/v4/users/${other.id}`, { token, body: { passwordLinkCode } })
    expect(given.status).toBe(200)
    await invite(other.email, member)
    const code = await codeFor(other.email)
    expect((await callAs(controller, `DELETE ${path()}/${member.id}`)).status).toBe(200)
    expect((await callAs(controller, `DELETE ${path()}/${member.id}`)).status).toBe(404)
    // the open session has lost its permissions as well
    expect((await app().call(`GET /api/v4/users/${other.id}`, { token })).status).toBe(403)
    expect((await accept(other, code)).status).toBe(404)
    const reset = { code: link.code, short_code: link.short_code }
    expect((await app().call('POST /api/auth/password-reset/verify', { body: reset })).status).toBe(422)
    expect((await people()).invitations).toEqual([])
    expect((await told('was removed')).join()).toContain(account.owner.email)
  })

  test('cannot remove the owner, who can’t leave either', async () => {
    const { owner, controller } = account
    for (const user of [owner, controller]) {
      const { status, body } = await callAs(user, `DELETE ${path()}/${owner.id}`)
      expect([status, body.message]).toEqual([
        403,
        'The owner can’t leave the account or be removed. Hand the account over first.',
      ])
    }
  })

  test('loses their offers when deleted', async () => {
    const { member, owner } = account
    const other = await makeUser(app(), { walletId: owner.walletId })
    await makeOwnerOf(member)
    await invite(other.email, member)
    const code = await codeFor(other.email)
    expect((await callAs(owner, `DELETE /api/v4/users/${member.id}`)).status).toBe(200)
    expect((await accept(other, code)).status).toBe(404)
    expect(emails((await people()).list)).not.toContain(member.email)
  })
})

test("a tenant's wallet has its resellers as controllers, who can't be changed here", async () => {
  const tenantId = await makeTenant(app(), ++tenants)
  const { db } = app().database
  await db
    .updateTable('tenants')
    .set({ walletId: account.owner.walletId })
    .where('id', '=', tenantId)
    .execute()
  expect((await people()).canChange).toBe(false)
  expect((await invite(account.member.email)).status).toBe(403)
  expect((await callAs(account.owner, `DELETE ${path()}/${account.controller.id}`)).status).toBe(403)
})

describe('support staff', () => {
  let admin: MadeStaff

  beforeEach(async () => {
    admin = await makeStaff(app(), 'admin')
  })

  test('invite a user of the account with a reason, who accepts by e-mail, and remove them', async () => {
    const { member, owner } = account
    const stranger = await makeUser(app())
    const reason = 'Ticket 7'
    const refused = await admin.call(`POST ${path()}`, { body: { email: stranger.email, reason } })
    expect(refused.status).toBe(422)
    const body = { email: member.email, reason }
    expect((await admin.call(`POST ${path()}`, { body })).status).toBe(200)
    const code = await codeFor(member.email)
    const offer = await callAs(member, `GET /api/v4/account-offers/${code}`)
    expect(offer.body.from).toBeNull()
    expect((await told('was invited')).join()).toContain(owner.email)
    expect((await accept(member, code)).status).toBe(200)
    const { list, canChange } = (await admin.call(`GET ${path()}`)).body
    expect([emails(list).includes(member.email), canChange]).toEqual([true, true])
    expect((await admin.call(`POST ${path()}/remove`, { body })).status).toBe(200)
    expect((await admin.call(`POST ${path()}/remove`, { body })).status).toBe(422)
    expect((await events()).at(-1)).toBe('controller.removed')
  })

  test('change nothing if the account denies them access', async () => {
    const policy = { staff_access_policy: false }
    await callAs(account.owner, `POST /api/v4/users/${account.owner.id}/config`, policy)
    const body = { email: account.member.email, reason: 'Ticket 7' }
    expect((await admin.call(`POST ${path()}`, { body })).status).toBe(403)
    expect((await admin.call(`POST ${path()}/remove`, { body })).status).toBe(403)
    expect((await admin.call(`GET ${path()}`)).body.canChange).toBe(false)
  })
})

test('an operator lists, adds and removes additional owners', async () => {
  const { owner, member, controller } = account
  await expect(run('wallet:add-controller', owner.email, 'nobody@nowhere.test', 'Ticket 7')).rejects.toThrow()
  await run('wallet:add-controller', owner.email, member.email, 'Ticket 7')
  await expect(run('wallet:add-controller', owner.email, member.email, 'Ticket 7')).rejects.toThrow('already')
  await invite('somebody@example.test')
  expect(await run('wallet:controllers', owner.walletId)).toEqual([
    `${owner.email}  owner`,
    `${controller.email}  additional owner`,
    `${member.email}  additional owner`,
    expect.stringMatching(/^somebody@example\.test {2}invited until /),
  ])
  await run('wallet:remove-controller', owner.email, member.email, 'Ticket 8')
  await run('wallet:remove-controller', owner.email, 'somebody@example.test', 'Ticket 8')
  expect(await run('wallet:controllers', owner.email)).toHaveLength(2)
  await expect(run('wallet:remove-controller', owner.email, owner.email, 'Ticket 8')).rejects.toThrow('owner')
  const { rows } = await app().database.pool.query(
    `select comment from event_log where object_id = $1 and event = 'controller.added'`,
    [owner.id],
  )
  expect(rows).toEqual([{ comment: 'Ticket 7' }])
})
