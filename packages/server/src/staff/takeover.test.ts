import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../platform/clock.ts'
import { joinTenantWallet, moveTenantWallet } from '../tenants/tenant-staff-store.ts'
import { type MadeUser, makeDomain, makeTenant, makeTotp, makeUser, signInAs } from '../testing/factories.ts'
import { makeClient, obtainTokens } from '../testing/oauth.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

/** Attempts by staff to take over another identity, or to act with rights that the host doesn't grant. */

const app = useTestApp({ ONE_OFF_LIMIT: '50000', APP_WITH_LOGINAS: '1' })
let admin: MadeStaff
let customer: MadeUser
let turn = 0

beforeEach(async () => {
  turn += 1
  if (turn === 1) await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  customer = await makeUser(app(), { settings: { external_email: `away${turn}@elsewhere.test` } })
})

const password = { password: 'taken-over-1', password_confirmation: 'taken-over-1' }
const reason = 'Ticket 12: lost the phone'

/** Makes a call as a user on the users' host. */
async function asUser(user: MadeUser, route: string, body?: unknown): Promise<Answer> {
  const { access_token: token } = await signInAs(app(), user)
  return app().call(route, { token, ...(body !== undefined && { body }) })
}

async function canSignIn(user: MadeUser, secret: string): Promise<boolean> {
  const body = { email: user.email, password: secret }
  return (await app().call('POST /api/auth/login', { body })).status === 200
}

async function mailsTo(address: string) {
  return (await app().mails()).filter(({ to }) => to.some((one) => one.address === address))
}

/** Returns the password links mailed to an address, as pairs of short code and code. */
async function linksTo(address: string): Promise<string[][]> {
  const links = /\/password-reset\/([A-Z0-9]+)-([\w-]+)/g
  const texts = (await mailsTo(address)).map(({ text }) => text)
  return texts.flatMap((text) => [...text.matchAll(links)].map(([, ...codes]) => codes))
}

async function setPolicy(owner: MadeUser, allowed: boolean): Promise<void> {
  const path = `POST /api/v4/users/${owner.id}/config`
  expect((await asUser(owner, path, { staff_access_policy: allowed })).status).toBe(200)
}

describe("on the users' host", () => {
  test("an admin cannot set a customer's password", async () => {
    const { status } = await asUser(admin, `PUT /api/v4/users/${customer.id}`, password)
    expect(status).toBe(403)
    expect(await canSignIn(customer, password.password)).toBe(false)
  })

  test("a reseller cannot set the password of their tenant's customer", async () => {
    const reseller = await makeStaff(app(), 'reseller')
    expect((await asUser(reseller, `PUT /api/v4/users/${customer.id}`, password)).status).toBe(403)
    expect(await canSignIn(customer, password.password)).toBe(false)
  })

  test("an admin cannot assign a password link to a customer, nor withdraw the owner's", async () => {
    const link = await asUser(admin, 'POST /api/v4/password-reset/code')
    const passwordLinkCode = `${link.body.short_code}-${link.body.code}`
    const given = await asUser(admin, `PUT /api/v4/users/${customer.id}`, { passwordLinkCode })
    expect(given.status).toBe(403)
    const member = await makeUser(app(), { walletId: customer.walletId })
    const theirs = await asUser(customer, 'POST /api/v4/password-reset/code')
    await asUser(customer, `PUT /api/v4/users/${member.id}`, { passwordLinkCode: theirs.body.code })
    const path = `DELETE /api/v4/password-reset/code/${theirs.body.code}`
    expect((await asUser(admin, path)).status).toBe(403)
  })

  test("an admin cannot read or change another tenant's customer, wallet or lists", async () => {
    const tenantId = await makeTenant(app(), 100 + turn)
    const foreign = await makeUser(app(), { tenantId, plan: 'group' })
    for (const route of [
      `GET /api/v4/users/${foreign.id}`,
      `GET /api/v4/users/${foreign.id}/events`,
      `GET /api/v4/wallets/${foreign.walletId}`,
      `GET /api/v4/wallets/${foreign.walletId}/transactions`,
    ]) {
      expect((await asUser(admin, route)).status, route).toBe(404)
    }
    const update = await asUser(admin, `PUT /api/v4/users/${foreign.id}`, { first_name: 'X' })
    expect(update.status).toBe(404)
    expect((await asUser(admin, 'GET /api/v4/tenants')).status).toBe(404)
  })

  test("an application's token for an admin cannot read or change other users", async () => {
    const tenantId = await makeTenant(app(), 100 + turn)
    const foreign = await makeUser(app(), { tenantId })
    const { access_token: session } = await signInAs(app(), admin)
    const scope = { scope: 'openid api' }
    const grant = await obtainTokens(app(), { user: admin, token: session }, await makeClient(app()), scope)
    const call = (route: string, body?: unknown, host = 'localhost:8000') =>
      app().call(route, { token: grant.access_token, host, ...(body !== undefined && { body }) })
    expect((await call(`GET /api/v4/users/${admin.id}`)).status).toBe(200)
    expect((await call(`GET /api/v4/users/${foreign.id}`)).status).toBe(404)
    expect((await call(`GET /api/v4/users/${customer.id}`)).status).toBe(403)
    expect((await call(`PUT /api/v4/users/${customer.id}`, { first_name: 'X' })).status).toBe(403)
    expect((await call('GET /api/v4/users', undefined, 'admin.localhost:8000')).status).toBe(403)
  })

  test("an admin cannot start bulk actions on a customer's users", async () => {
    const member = await makeUser(app(), { walletId: customer.walletId })
    const body = { objects: 'users', action: 'delete', ids: [member.id] }
    const { body: answer } = await asUser(admin, 'POST /api/v4/bulk', { ...body, dryRun: true })
    expect(answer.preview).toMatchObject({ ok: 0, refused: 1 })
  })
})

describe("on the cockpit's host", () => {
  test('an admin cannot create a password link for another user', async () => {
    expect((await admin.call('POST /api/v4/password-reset/code', { body: {} })).status).toBe(404)
    const link = await asUser(admin, 'POST /api/v4/password-reset/code')
    const passwordLinkCode = `${link.body.short_code}-${link.body.code}`
    for (const body of [{ passwordLinkCode }, password]) {
      await admin.call(`PUT /api/v4/users/${customer.id}`, { body })
    }
    expect(await canSignIn(customer, password.password)).toBe(false)
    const codes = { code: link.body.code, short_code: link.body.short_code }
    const reset = await app().call('POST /api/auth/password-reset', { body: { ...codes, ...password } })
    expect(reset.status).toBe(422)
  })

  test('an admin cannot create or import users with passwords', async () => {
    for (const route of ['POST /api/v4/users', 'POST /api/v4/imports', 'POST /api/v4/bulk']) {
      expect((await admin.call(route, { body: password })).status, route).toBe(404)
    }
  })

  test("staff cannot change a customer's list, resource or folder", async () => {
    for (const kind of ['groups', 'resources', 'shared-folders']) {
      for (const method of ['PUT', 'DELETE']) {
        const { status } = await admin.call(`${method} /api/v4/${kind}/1`, { body: {} })
        expect(status, `${method} ${kind}`).toBe(404)
      }
    }
  })
})

describe('a colleague', () => {
  test('an admin cannot take over a colleague to approve their own bonus', async () => {
    const colleague = await makeStaff(app(), 'admin')
    await makeTotp(app(), colleague)
    const bonus = { amount: 600, description: 'For a friend' }
    const asked = await admin.call(`POST /api/v4/wallets/${customer.walletId}/one-off`, { body: bonus })
    const request = asked.body.request.id as string // otherwise the next call fails
    const approve = `POST /api/v4/one-offs/${request}/approve`
    expect((await admin.call(approve, { body: { comment: 'mine' } })).status).toBe(403)

    expect((await asUser(admin, `PUT /api/v4/users/${colleague.id}`, password)).status).toBe(403)
    const attempts: [string, Record<string, unknown>][] = [
      [`PUT /api/v4/users/${colleague.id}`, { external_email: 'mine@elsewhere.test' }],
      [`POST /api/v4/users/${colleague.id}/reset-2fa`, {}],
      [`POST /api/v4/users/${colleague.id}/reset-geolock`, {}],
      [`POST /api/v4/users/${colleague.id}/password-link`, { reason }],
      [`POST /api/v4/users/${colleague.id}/login-as`, { reason }],
      [`POST /api/v4/users/${colleague.id}/restore`, {}],
    ]
    for (const [route, body] of attempts) {
      expect((await admin.call(route, { body })).status, route).toBe(403)
    }
    const page = await admin.call(`GET /api/v4/users/${colleague.id}`)
    expect(page.body.staffRights).toMatchObject({
      ...{ canResetSecondFactor: false, canResetGeolock: false, canChangeExternalEmail: false },
      ...{ canSendPasswordLink: false, canLoginAs: false, canRestore: false },
    })
    await app().call('POST /api/auth/password-reset/init', { body: { email: colleague.email } })
    expect(await linksTo('mine@elsewhere.test')).toEqual([])
    expect(await canSignIn(colleague, password.password)).toBe(false)
  })

  test('an admin cannot take over a reseller to request money and approve it', async () => {
    const reseller = await makeStaff(app(), 'reseller', await makeTenant(app(), 100 + turn))
    const body = { external_email: 'mine@elsewhere.test' }
    expect((await admin.call(`PUT /api/v4/users/${reseller.id}`, { body })).status).toBe(403)
    expect((await asUser(admin, `PUT /api/v4/users/${reseller.id}`, password)).status).toBe(404)
  })

  test('an admin can suspend and sign out a colleague whose account was stolen', async () => {
    const colleague = await makeStaff(app(), 'admin')
    const path = `/api/v4/users/${colleague.id}`
    expect((await admin.call(`POST ${path}/suspend`, { body: {} })).status).toBe(200)
    expect((await admin.call(`POST ${path}/sign-out`, { body: {} })).status).toBe(200)
  })

  test('a reseller cannot take over a colleague in the account of the same tenant wallet', async () => {
    const tenantId = await makeTenant(app(), 100 + turn)
    const first = await makeStaff(app(), 'reseller', tenantId)
    const inTransaction = (work: Parameters<ReturnType<typeof transaction>['execute']>[0]) =>
      transaction().execute(work)
    await inTransaction(async (trx) => void (await moveTenantWallet(trx, tenantId, first.walletId)))
    const second = await makeStaff(app(), 'reseller', tenantId)
    const third = await makeStaff(app(), 'reseller', tenantId)
    await inTransaction(async (trx) => {
      for (const { id } of [second, third]) await joinTenantWallet(trx, id)
    })
    for (const [one, other] of [
      [first, second],
      [second, first],
      [second, third],
    ] as const) {
      const path = `/api/v4/users/${other.id}`
      const link = await asUser(one, 'POST /api/v4/password-reset/code')
      const attempts: [string, Record<string, unknown> | undefined][] = [
        [`PUT ${path}`, password],
        [`PUT ${path}`, { external_email: 'mine@elsewhere.test' }],
        [`PUT ${path}`, { passwordLinkCode: link.body.code }],
        [`PUT ${path}`, { aliases: [] }],
        [`POST ${path}/delegations`, { email: one.email, options: { mail: 'read-only' } }],
        [`POST ${path}/config`, { limit_geo: null }],
        [`POST ${path}/sign-out`, undefined],
        [`POST ${path}/login-as`, {}],
        ['POST /api/v4/lockdown', { user: other.id, ...password }],
        [`DELETE ${path}`, undefined],
      ]
      for (const [route, body] of attempts) {
        expect((await asUser(one, route, body)).status, route).toBe(403)
      }
      const { body } = await asUser(one, `GET ${path}`)
      expect(body).toMatchObject({ canUpdate: false, canDelete: false, canDelegate: false })
      for (const act of ['reset-2fa', 'password-link', 'suspend']) {
        const { status } = await one.call(`POST ${path}/${act}`, { body: { reason } })
        expect(status, act).toBe(403)
      }
    }
  })

  test("an account's owner cannot take over a member who is an admin", async () => {
    const member = await makeUser(app(), { walletId: customer.walletId, role: 'admin' })
    const path = `/api/v4/users/${member.id}`
    expect((await asUser(customer, `PUT ${path}`, password)).status).toBe(403)
    expect((await asUser(customer, `DELETE ${path}`)).status).toBe(403)
    const bulk = { objects: 'users', action: 'delete', ids: [member.id], dryRun: true }
    const { body } = await asUser(customer, 'POST /api/v4/bulk', bulk)
    expect(body.preview).toMatchObject({ ok: 0, refused: 1 })
  })
})

describe('an account that denies staff access', () => {
  test('does not let an admin remove the second factor, the geo-lock or the external address', async () => {
    await makeTotp(app(), customer)
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    await makeTotp(app(), member)
    await setPolicy(owner, false)
    const path = `/api/v4/users/${member.id}`
    for (const [route, body] of [
      [`POST ${path}/reset-2fa`, {}],
      [`POST ${path}/reset-geolock`, {}],
      [`PUT ${path}`, { external_email: 'mine@elsewhere.test' }],
    ] as const) {
      const answer = await admin.call(route, { body })
      expect([answer.status, answer.body.message], route).toEqual([
        403,
        'This account doesn’t allow access by support staff.',
      ])
    }
    expect((await admin.call(`GET ${path}`)).body.staffRights).toMatchObject({
      ...{ canResetSecondFactor: false, canChangeExternalEmail: false, canLoginAs: false },
      ...{ canSuspend: true, canSignOut: true },
    })
    await setPolicy(owner, true)
    expect((await admin.call(`POST ${path}/reset-2fa`, { body: {} })).status).toBe(200)
  })
})

describe('a password link', () => {
  const send = (id: number, body: unknown = { reason }) =>
    admin.call(`POST /api/v4/users/${id}/password-link`, { body })

  test("goes to the user's external address, is not shown to others, and is recorded", async () => {
    const answer = await send(customer.id)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'status'])
    const [link, ...more] = await linksTo(`away${turn}@elsewhere.test`)
    expect(more).toEqual([])
    const [shortCode = '', code = ''] = link ?? []
    expect(code.length).toBeGreaterThan(20)
    expect(JSON.stringify(answer.body)).not.toContain(code)
    const page = await admin.call(`GET /api/v4/users/${customer.id}`)
    expect(JSON.stringify(page.body)).not.toContain(code)
    const log = await admin.call(`GET /api/v4/eventlog/user/${customer.id}`)
    const entry = { kind: 'password.link-sent', user: admin.email, comment: reason }
    expect(log.body.list).toContainEqual(expect.objectContaining(entry))
    const body = { code, short_code: shortCode, ...password }
    expect((await app().call('POST /api/auth/password-reset', { body })).status).toBe(200)
    expect(await canSignIn(customer, password.password)).toBe(true)
  })

  test('requires a reason, an external address and an existing user', async () => {
    expect((await send(customer.id, {})).body.errors).toHaveProperty('reason')
    const nowhere = await makeUser(app())
    const answer = await send(nowhere.id)
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { user: 'This user has no external e-mail address. Add one first.' },
    ])
    expect((await send(999_999)).status).toBe(404)
    const foreign = await makeStaff(app(), 'reseller', await makeTenant(app(), 100 + turn))
    const route = `POST /api/v4/users/${customer.id}/password-link`
    expect((await foreign.call(route, { body: { reason } })).status).toBe(404)
  })

  test('is throttled', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) statuses.push((await send(customer.id)).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('is not sent to an external address that an admin has just set', async () => {
    const mine = `mine${turn}@elsewhere.test`
    const theirs = `away${turn}@elsewhere.test`
    const route = `PUT /api/v4/users/${customer.id}`
    expect((await admin.call(route, { body: { external_email: mine } })).status).toBe(200)
    const refused = await send(customer.id)
    expect(refused.status).toBe(422)
    expect(refused.body.errors.user).toMatch(
      /can’t receive password links until \d+ \w+ \d{4} at \d\d:\d\d \(UTC\)/,
    )
    const { body } = await admin.call(`GET /api/v4/users/${customer.id}`)
    expect(body).toMatchObject({
      passwordLinksHeldUntil: expect.any(String),
      staffRights: { canSendPasswordLink: false },
    })
    const init = { body: { email: customer.email } }
    expect((await app().call('POST /api/auth/password-reset/init', init)).status).toBe(200)
    expect(await linksTo(mine)).toEqual([])
    // the user is notified at the previous address
    const told = await mailsTo(theirs)
    expect(told.map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('external e-mail address'),
    )

    app().clock.advance(day)
    const later = await makeStaff(app(), 'admin')
    const sent = await later.call(`POST /api/v4/users/${customer.id}/password-link`, { body: { reason } })
    expect(sent.status).toBe(200)
    expect(await linksTo(mine)).toHaveLength(1)
  })

  test('goes immediately to an address set by the user', async () => {
    await admin.call(`PUT /api/v4/users/${customer.id}`, { body: { external_email: 'typo@elsewhere.test' } })
    const own = `own${turn}@elsewhere.test`
    const path = `PUT /api/v4/users/${customer.id}`
    expect((await asUser(customer, path, { external_email: own })).status).toBe(200)
    expect((await send(customer.id)).status).toBe(200)
    expect(await linksTo(own)).toHaveLength(1)
  })
})

function transaction() {
  return app().database.db.transaction()
}
