import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUuid } from '../platform/ids.ts'
import { pairDevice } from '../testing/companions.ts'
import {
  deleteUser,
  type MadeUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeTotp,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let admin: MadeStaff
let colleague: MadeStaff
let reseller: MadeStaff
let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  admin = await makeStaff(app(), 'admin')
  colleague = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
  user = await makeUser(app(), { settings: { external_email: 'away@elsewhere.test' } })
})

async function page(id: number) {
  const { status, body } = await admin.call(`GET /api/v4/users/${id}`)
  expect(status).toBe(200)
  return body
}

async function log(id: number) {
  const { body } = await admin.call(`GET /api/v4/eventlog/user/${id}`)
  return body.list
}

describe("a user's page", () => {
  test('shows the user, their objects and the allowed actions', async () => {
    expect(await page(user.id)).toMatchObject({
      email: user.email,
      role: null,
      owner: { id: user.id, email: user.email },
      tenant: { id: null, title: 'system' },
      hasSecondFactor: false,
      suspension_reason: null,
      isStaffAccessAllowed: true,
      staffRights: { canSuspend: true, canUnsuspend: false, canChangeMoney: true, canLoginAs: true },
    })
  })

  test('is available for a deleted user until they are purged', async () => {
    const gone = await makeUser(app())
    await deleteUser(app(), gone)
    expect(await page(gone.id)).toMatchObject({
      isDeleted: true,
      restorable_until: '2026-04-09 12:00:00',
      staffRights: { canSuspend: false, canRestore: true, canResync: true, canChangeMoney: false },
    })
    const { db } = app().database
    await db.updateTable('users').set({ forgottenAt: app().clock.now() }).where('id', '=', gone.id).execute()
    expect((await admin.call(`GET /api/v4/users/${gone.id}`)).status).toBe(404)
  })

  test('returns 404 to a reseller of another tenant for every action', async () => {
    for (const act of [
      'suspend',
      'unsuspend',
      'reset-2fa',
      'reset-geolock',
      'resync',
      'restore',
      'login-as',
    ]) {
      const body = { reason: 'abuse', comment: 'x' }
      expect((await reseller.call(`POST /api/v4/users/${user.id}/${act}`, { body })).status, act).toBe(404)
    }
    expect((await reseller.call(`GET /api/v4/users/${user.id}`)).status).toBe(404)
    expect((await reseller.call(`GET /api/v4/eventlog/user/${user.id}`)).status).toBe(404)
    expect((await reseller.call(`GET /api/v4/wallets/${user.walletId}`)).status).toBe(404)
  })
})

test('a suspension keeps its reason and comment, for staff and the owner, until it is lifted', async () => {
  const target = await makeUser(app())
  const body = { comment: 'Spam from this mailbox', reason: 'abuse' }
  const { body: said } = await admin.call(`POST /api/v4/users/${target.id}/suspend`, { body })
  expect(said).toEqual({ status: 'success', message: 'User suspended.' })
  expect(await page(target.id)).toMatchObject({ isSuspended: true, suspension_reason: 'abuse' })
  const [entry] = await log(target.id)
  expect(entry).toMatchObject({
    event: 'User suspended',
    kind: 'user.suspend',
    comment: 'Spam from this mailbox',
    user: admin.email,
    data: { after: { suspensionReason: 'abuse' } },
    onBehalf: null,
  })
  await admin.call(`POST /api/v4/users/${target.id}/unsuspend`, { body: {} })
  expect(await page(target.id)).toMatchObject({ isSuspended: false, suspension_reason: null })
  const { access_token: token } = await signInAs(app(), target)
  const { body: seen } = await app().call('GET /api/v4/events?event=user.', { token })
  expect(seen.list.map((one: { event: string }) => one.event)).toEqual(['user.unsuspend', 'user.suspend'])
  expect(seen.list[1]).toMatchObject({ actor: admin.email, comment: 'Spam from this mailbox' })
})

test('a comment that is too long is an error at its field', async () => {
  const { status, body } = await admin.call(`POST /api/v4/users/${user.id}/suspend`, {
    body: { comment: 'x'.repeat(1025) },
  })
  expect(status).toBe(422)
  expect(body.errors.comment).toEqual(expect.any(Array))
})

describe('second factors', () => {
  test('are removed with the subscription, and all sessions and app passwords end', async () => {
    const target = await makeUser(app())
    const { access_token: token } = await signInAs(app(), target)
    const wanted = { name: 'Phone', scopes: ['imap'] }
    expect((await app().call('POST /api/v4/app-passwords', { token, body: wanted })).status).toBe(200)
    await makeTotp(app(), target)
    expect(await page(target.id)).toMatchObject({ hasSecondFactor: true })
    const { status } = await admin.call(`POST /api/v4/users/${target.id}/reset-2fa`, { body: {} })
    expect(status).toBe(200)
    expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
    expect(await page(target.id)).toMatchObject({ hasSecondFactor: false })
    const again = (await signInAs(app(), target)).access_token
    expect((await app().call('GET /api/v4/app-passwords', { token: again })).body.count).toBe(0)
    expect((await log(target.id))[0]).toMatchObject({ kind: 'user.second-factor-reset' })
  })

  test('include companion devices: after the reset the password alone is enough', async () => {
    const target = await makeUser(app())
    const { access_token: token } = await signInAs(app(), target)
    const device = await pairDevice(app(), token, 'Lost phone')
    const body = { email: target.email, password: target.password, async: true }
    expect((await app().call('POST /api/auth/login', { body })).status).toBe(202)
    expect(await page(target.id)).toMatchObject({ hasSecondFactor: true, factors: ['companion'] })
    const reset = await admin.call(`POST /api/v4/users/${target.id}/reset-2fa`, { body: {} })
    expect(reset.status).toBe(200)
    expect(await page(target.id)).toMatchObject({ hasSecondFactor: false, factors: [] })
    expect((await app().call('GET /api/v4/companion', { token: device.token })).status).toBe(401)
    expect((await app().call('POST /api/auth/login', { body })).status).toBe(200)
    expect((await log(target.id))[0]).toMatchObject({ kind: 'user.second-factor-reset' })
  })

  test('of a user without any cause a validation error', async () => {
    const { status, body } = await admin.call(`POST /api/v4/users/${user.id}/reset-2fa`, { body: {} })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { user: 'This user hasn’t set up two-step verification.' },
    })
  })
})

test('a geo-lock is removed', async () => {
  const target = await makeUser(app(), { settings: { limit_geo: '["CH"]' } })
  expect(await page(target.id)).toMatchObject({ config: { limit_geo: ['CH'] } })
  await admin.call(`POST /api/v4/users/${target.id}/reset-geolock`, { body: { comment: 'on travel' } })
  expect(await page(target.id)).toMatchObject({ config: { limit_geo: [] } })
  expect((await log(target.id))[0]).toMatchObject({ kind: 'user.geolock-reset', comment: 'on travel' })
})

test('a resync enqueues a sync to the back end', async () => {
  const target = await makeUser(app())
  await app().jobs.drain()
  await admin.call(`POST /api/v4/users/${target.id}/resync`, { body: {} })
  const { rows } = await app().database.pool.query(
    `select 1 from graphile_worker.jobs where key = 'provision:user:${target.id}'`,
  )
  expect(rows).toHaveLength(1)
})

test('the external address is changed and removed', async () => {
  const put = (body: unknown) => admin.call(`PUT /api/v4/users/${user.id}`, { body })
  expect((await put({ external_email: 'New@Elsewhere.test', first_name: 'ignored' })).status).toBe(200)
  expect((await page(user.id)).settings).toMatchObject({ external_email: 'new@elsewhere.test' })
  expect((await page(user.id)).settings).not.toHaveProperty('first_name')
  expect((await put({ external_email: 'none' })).body.errors.external_email).toEqual(expect.any(Array))
  expect((await put({ external_email: '' })).status).toBe(200)
  expect((await page(user.id)).settings).not.toHaveProperty('external_email')
})

test('beta can be given once, and nothing else', async () => {
  await app()
    .database.db.insertInto('skus')
    .values({
      id: newUuid(),
      tenantId: 0,
      title: 'beta',
      name: JSON.stringify({ en: 'Beta' }),
      description: JSON.stringify({ en: 'What is new' }),
      cost: 0,
      fee: 0,
      unitsFree: 0,
      period: 'monthly',
      handler: 'Beta',
      active: false,
    })
    .execute()
  const post = (sku: string) => admin.call(`POST /api/v4/users/${user.id}/skus/${sku}`, { body: {} })
  const { status, body } = await post('beta')
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { sku: { cost: 0, name: expect.any(String) } },
  })
  expect((await page(user.id)).statusInfo.skus).toContain('beta')
  expect(await post('beta')).toMatchObject({ status: 422, body: { errors: { sku: expect.any(String) } } })
  expect((await post('mailbox')).status).toBe(404)
})

test('a deleted user is restored', async () => {
  const gone = await makeUser(app())
  const { access_token: token } = await signInAs(app(), gone)
  await app().call(`DELETE /api/v4/users/${gone.id}`, { token })
  await app().jobs.drain()
  const { status } = await admin.call(`POST /api/v4/users/${gone.id}/restore`, { body: {} })
  expect(status).toBe(200)
  expect(await page(gone.id)).toMatchObject({ isDeleted: false })
  expect((await admin.call(`POST /api/v4/users/${gone.id}/restore`, { body: {} })).status).toBe(404)
})

test('staff cannot act on themselves, and only admins on other staff', async () => {
  const suspend = (by: MadeStaff, id: number) => by.call(`POST /api/v4/users/${id}/suspend`, { body: {} })
  expect((await suspend(admin, admin.id)).status).toBe(403)
  expect((await suspend(admin, colleague.id)).status).toBe(200)
  await setStatus(app(), colleague, userStatus.active | userStatus.imapReady)
  const other = await makeStaff(app(), 'reseller', 9)
  expect((await suspend(reseller, other.id)).status).toBe(403)
  expect((await page(admin.id)).staffRights).toEqual({
    canSuspend: false,
    canUnsuspend: false,
    canResetSecondFactor: false,
    canResetGeolock: false,
    canResync: false,
    canChangeMailSettings: false,
    canSignOut: false,
    canRestore: false,
    canChangeExternalEmail: false,
    canSendPasswordLink: false,
    canCreate: false,
    canChangeMoney: false,
    canLoginAs: false,
    canDelete: false,
    canErase: false,
  })
})

test("the tenant's discounts are offered, smallest first", async () => {
  await makeDiscount(app(), { discount: 30, description: { en: 'Partner' }, code: 'PART' })
  await makeDiscount(app(), { discount: 5, description: { en: 'Small' } })
  await makeDiscount(app(), { discount: 1, active: false })
  await makeDiscount(app(), { discount: 2, tenantId: 9 })
  const { body } = await admin.call(`GET /api/v4/users/${user.id}/discounts`)
  const labels = body.list.map((one: { label: string }) => one.label)
  expect(labels.indexOf('5% - Small')).toBeLessThan(labels.indexOf('30% - Partner [PART]'))
  expect(labels.some((label: string) => /^[12]%/.test(label))).toBe(false)
})

test.each(['nothing', 'wallet', 'sku', 'constructor', 'payment'])(
  'the log of a %s is not found',
  async (type) => {
    expect((await admin.call(`GET /api/v4/eventlog/${type}/${user.id}`)).status).toBe(404)
  },
)

describe('back end errors for staff', () => {
  test("are shown on the user's page until resolved", async () => {
    const one = await makeUser(app())
    await app().jobs.drain()
    app().backend.fail(1)
    expect((await admin.call(`POST /api/v4/users/${one.id}/resync`, { body: {} })).status).toBe(200)
    await app()
      .jobs.drain()
      .catch(() => undefined)
    const [failure] = (await page(one.id)).failures
    expect(failure).toMatchObject({ step: 'backend', attempts: 1, error: expect.stringMatching(/./) })
    await admin.call(`POST /api/v4/users/${one.id}/resync`, { body: {} })
    await app().jobs.drain()
    expect((await page(one.id)).failures).toEqual([])
  })
})

test('the reason of a restore is recorded for each restored object', async () => {
  const owner = await makeUser(app(), { plan: 'group' })
  const member = await makeUser(app(), { walletId: owner.walletId })
  const { access_token: token } = await signInAs(app(), owner)
  expect((await app().call(`DELETE /api/v4/users/${owner.id}`, { token })).status).toBe(200)
  await app().jobs.drain()
  const body = { comment: 'Deleted by mistake' }
  expect((await admin.call(`POST /api/v4/users/${owner.id}/restore`, { body })).status).toBe(200)
  for (const id of [owner.id, member.id]) {
    const entry = (await log(id)).find((one: { kind: string }) => one.kind === 'user.restored')
    expect(entry?.comment, String(id)).toBe('Deleted by mistake')
  }
})
