import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeController, makeTenant, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let admin: MadeStaff
let tenant = 8

beforeEach(async () => {
  account = await makeAccount(app())
  admin = await makeStaff(app(), 'admin')
})

const reason = 'Ticket 9: sends spam'
const remove = (id: number, body: object = { reason }, by = admin) =>
  by.call(`POST /api/v4/users/${id}/delete`, { body })
const page = async (path: string, by = admin) => (await by.call(`GET /api/v4/${path}`)).body

describe('deleting a user in the cockpit', () => {
  test("works as for the account's owner, and tells the owner by whom and why", async () => {
    const { id } = account.member
    expect((await page(`users/${id}`)).staffRights).toMatchObject({ canDelete: true, canErase: false })
    expect((await remove(id, {})).status).toBe(422)
    const { status, body } = await remove(id)
    expect({ status, message: body.message }).toEqual({ status: 200, message: 'Deleted.' })
    expect((await account.as('member', 'GET /api/auth/info')).status).toBe(401)
    expect((await page(`users/${id}`)).staffRights).toMatchObject({
      canDelete: false,
      canErase: true,
      canRestore: true,
    })
    const events = (await account.as('owner', `GET /api/v4/events?object=${id}&objectType=user`)).body.list
    expect(events[0]).toMatchObject({ event: 'user.deleted', actor: admin.email, comment: reason })
    expect((await remove(id)).status).toBe(404)
    expect((await admin.call(`POST /api/v4/users/${id}/restore`, { body: {} })).status).toBe(200)
  })

  test('deletes the account with its owner, once the address is confirmed', async () => {
    const { owner, member } = account
    const asked = await remove(owner.id)
    expect({ status: asked.status, errors: asked.body.errors }).toEqual({
      status: 422,
      errors: { confirm: `To confirm, enter ${owner.email}.` },
    })
    expect((await remove(owner.id, { reason, confirm: owner.email })).status).toBe(200)
    await app().jobs.drain()
    expect(await page(`users/${member.id}`)).toMatchObject({ isDeleted: true })
    const { list } = await page(`eventlog/user/${member.id}`)
    expect(list[0]).toMatchObject({ kind: 'user.deleted', comment: reason })
  })

  test('is denied for oneself, colleagues, an account one controls, and an account with a colleague', async () => {
    const colleague = await makeStaff(app(), 'admin')
    const own = await makeUser(app(), { walletId: admin.walletId })
    const controlled = await makeUser(app())
    await makeController(app(), admin, controlled.walletId)
    for (const { id } of [admin, colleague, own, controlled]) {
      expect((await remove(id)).status).toBe(403)
      expect((await page(`users/${id}`)).staffRights).toMatchObject({ canDelete: false })
    }
    await makeUser(app(), { walletId: account.owner.walletId, role: 'reseller' })
    const { status, body } = await remove(account.owner.id, { reason, confirm: account.owner.email })
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: expect.stringContaining('Support staff belong to this account.'),
    })
  })

  test("is limited to the reseller's own tenant, and excludes service accounts", async () => {
    tenant += 1
    const tenantId = await makeTenant(app(), tenant)
    const reseller = await makeStaff(app(), 'reseller', tenantId)
    const customer = await makeUser(app(), { tenantId })
    const service = await makeUser(app(), { tenantId, role: 'service' })
    expect((await remove(account.member.id, { reason }, reseller)).status).toBe(404)
    expect((await remove(service.id, { reason }, reseller)).status).toBe(403)
    expect((await remove(customer.id, { reason, confirm: customer.email }, reseller)).status).toBe(200)
  })
})

describe('deleting an object in the cockpit', () => {
  test.each([
    ['groups', 'group'],
    ['resources', 'resource'],
    ['shared-folders', 'shared-folder'],
  ] as const)('records the reason and can be undone: %s', async (collection, kind) => {
    const id = await makeObject(account, collection)
    const call = (act: string, body: object = { reason }) =>
      admin.call(`POST /api/v4/${collection}/${id}/${act}`, { body })
    expect(await page(`${collection}/${id}`)).toMatchObject({ canDelete: true, canErase: false })
    expect((await call('delete', { reason: 'x' })).status).toBe(422)
    expect((await call('delete')).status).toBe(200)
    expect((await call('delete')).status).toBe(404)
    expect(await page(`${collection}/${id}`)).toMatchObject({ canDelete: false, canErase: true })
    const { list } = await page(`eventlog/${kind}/${id}`)
    expect(list[0]).toMatchObject({ kind: `${kind}.deleted`, user: admin.email, comment: reason })
    expect((await call('restore', {})).status).toBe(200)
  })

  test("is denied in a colleague's account", async () => {
    const { db } = app().database
    const id = await makeObject(account, 'groups')
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', account.owner.id).execute()
    const { status } = await admin.call(`POST /api/v4/groups/${id}/delete`, { body: { reason } })
    expect(status).toBe(403)
    expect(await page(`groups/${id}`)).toMatchObject({ canDelete: false })
  })
})
