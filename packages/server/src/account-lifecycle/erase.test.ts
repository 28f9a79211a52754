import { beforeEach, describe, expect, test } from 'vitest'
import { chargeWallet } from '../billing/charging/charge.ts'
import { post } from '../billing/ledger/post.ts'
import { findProblems } from '../billing/ledger/verify.ts'
import { noteCorrespondents } from '../mailflow/greylist/correspondent-store.ts'
import { letThrough } from '../mailflow/greylist/let-through.ts'
import { day } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import { jobsDue, makeTenant, makeUser } from '../testing/factories.ts'
import { makeUnits, setTenantWallet } from '../testing/payments/billing.ts'
import { makeSku } from '../testing/price-changes.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { eraseUser } from './erase.ts'

const app = useTestApp()
let account: TestAccount
let admin: MadeStaff

beforeEach(async () => {
  account = await makeAccount(app())
  admin = await makeStaff(app(), 'admin')
})

const reason = 'Ticket 7: asked to be forgotten'
const remove = (path: string, body: object = {}) =>
  admin.call(`POST /api/v4/${path}/delete`, { body: { reason, ...body } })
const erase = (path: string, confirm: string) =>
  admin.call(`POST /api/v4/${path}/erase`, { body: { reason, confirm } })

/** Tables in any schema, including the job queue's, that contain a text as characters or bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = app().database
  const { rows } = await pool.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1, 2`,
  )
  const found: string[] = []
  for (const { schema, name } of rows) {
    const hits = await pool.query(
      `select from "${schema}"."${name}" t where strpos(lower(t::text), lower($1)) > 0
        or strpos(lower(t::text), $2) > 0 limit 1`,
      [text, Buffer.from(text).toString('hex')],
    )
    if (hits.rows.length > 0) found.push(schema === 'public' ? name : `${schema}.${name}`)
  }
  return found
}

/** A transaction by the owner, so that the ledger contains their identity. */
async function pay({ owner }: TestAccount = account, by = account.owner) {
  await app()
    .database.db.transaction()
    .execute((trx) =>
      post(trx, app().clock, {
        walletId: owner.walletId,
        type: 'credit',
        amount: 500,
        key: `test:${owner.id}:${by.id}`,
        text: 'payment',
        actor: { userId: by.id, email: by.email },
      }),
    )
}

describe('erasing a user', () => {
  test('leaves no personal data anywhere, and records the actor and the reason', async () => {
    const { member, controller } = account
    await account.as('member', `PUT /api/v4/users/${member.id}`, { first_name: 'Ada', last_name: 'Lovelace' })
    await makeObject(account, 'groups', { members: [member.email, 'x@elsewhere.test'] })
    await noteCorrespondents(app().database.db, app().clock, account.owner.id, [member.email])
    await noteCorrespondents(app().database.db, app().clock, member.id, ['lovelace@elsewhere.test'])
    await letThrough(
      { db: app().database.db, clock: app().clock },
      { recipient: member.email, sender: 'lovelace@elsewhere.test' },
      { actor: {} },
    )
    await remove(`users/${member.id}`)
    await app().jobs.drain()
    const { status, body } = await erase(`users/${member.id}`, member.email)
    expect({ status, message: body.message }).toEqual({ status: 200, message: 'Erased.' })
    expect(await tablesWith('lovelace')).toEqual([])
    expect(await tablesWith(member.email)).toEqual([])
    const events = (await account.as('owner', `GET /api/v4/events?object=${member.id}&objectType=user`)).body
      .list
    expect(events[0]).toMatchObject({ event: 'user.erased', actor: admin.email, comment: reason })
    // the account can reuse the address, and its controller is unaffected
    expect(
      (await account.as('owner', 'POST /api/v4/users', account.newUser({ email: member.email }))).status,
    ).toBe(200)
    expect((await admin.call(`GET /api/v4/users/${controller.id}`)).status).toBe(200)
  })

  test("leaves no address in the user's actions elsewhere", async () => {
    const tenantId = await makeTenant(app(), 31)
    const reseller = await makeStaff(app(), 'reseller', tenantId)
    const { db } = app().database
    const other = await makeAccount(app())
    const { id: personId, email } = reseller
    await pay(other, reseller)
    const sku = await makeSku(app(), { tenantId })
    const scheduled = await reseller.call('POST /api/v4/price-changes', { body: { sku: sku.id, cost: 600 } })
    expect(scheduled.status).toBe(200)
    const { id } = scheduled.body.change
    expect((await reseller.call(`POST /api/v4/price-changes/${id}/cancel`)).status).toBe(200)
    const now = app().clock.now()
    const asked = { amount: 100, currency: 'CHF', description: 'Sorry', requesterRole: 'reseller' as const }
    await db
      .insertInto('oneOffRequests')
      .values({
        ...{ ...asked, id: newUuid(), tenantId, walletId: other.owner.walletId },
        ...{ requestedBy: personId, requesterEmail: email, requesterTenantId: tenantId },
        ...{ createdAt: now, expiresAt: now },
      })
      .execute()
    await db
      .insertInto('eventLog')
      .values({
        ...{
          id: newUuid(),
          tenantId: 0,
          objectType: 'user',
          objectId: other.owner.id,
          event: 'user.updated',
        },
        ...{ actorId: other.owner.id, actorEmail: other.owner.email, createdAt: now },
        ...{ ip: null, comment: null, data: null, staffId: personId, staffEmail: email },
      })
      .execute()
    await app().jobs.drain()
    await db
      .updateTable('users')
      .set({ role: null, deletedAt: app().clock.now(), status: 1 + 8 })
      .where('id', '=', personId)
      .execute()
    expect(await tablesWith(email)).not.toEqual([])
    await eraseUser({ db, clock: app().clock }, personId, { actor: {} })
    expect(await tablesWith(email)).toEqual([])
    expect(await db.transaction().execute(findProblems)).toEqual([])
  })

  test('waits until the mail system has removed the mailbox', async () => {
    const created = await account.as('owner', 'POST /api/v4/users', account.newUser())
    const path = `users/${created.body.id}`
    await app().jobs.drain()
    const { email } = (await admin.call(`GET /api/v4/${path}`)).body
    app().backend.fail(1)
    await remove(path)
    await app().jobs.drain()
    const early = await erase(path, email)
    expect({ status: early.status, message: early.body.message }).toEqual({
      status: 409,
      message: 'The mail system is still removing this. Try again in a few minutes.',
    })
    await jobsDue(app())
    await app().jobs.drain()
    expect((await erase(path, email)).status).toBe(200)
  })

  test("fails before deletion, twice, or without the address, and the user can't be restored", async () => {
    const { id, email } = account.member
    expect((await erase(`users/${id}`, email)).status).toBe(404)
    await remove(`users/${id}`)
    await app().jobs.drain()
    const mistyped = await erase(`users/${id}`, 'other@elsewhere.test')
    expect({ status: mistyped.status, errors: mistyped.body.errors }).toEqual({
      status: 422,
      errors: { confirm: `To confirm, enter ${email}.` },
    })
    expect((await erase(`users/${id}`, email.toUpperCase())).status).toBe(200)
    expect((await erase(`users/${id}`, email)).status).toBe(404)
    expect((await admin.call(`POST /api/v4/users/${id}/restore`, { body: {} })).status).toBe(404)
    expect((await account.as('owner', `POST /api/v4/users/${id}/restore`, {})).status).toBe(404)
  })
})

describe('erasing an account', () => {
  test('erases all its users and objects, and the ledger still verifies', async () => {
    const { owner, member, domain } = account
    await makeObject(account, 'groups', { name: 'Board', members: [member.email] })
    await makeObject(account, 'shared-folders', { name: 'Papers' })
    await pay()
    await remove(`users/${owner.id}`, { confirm: owner.email })
    const { status, body } = await erase(`users/${owner.id}`, owner.email)
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: expect.stringMatching(/being erased/),
    })
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    expect(await tablesWith(owner.email)).toEqual([])
    expect(await tablesWith(domain)).toEqual([])
    const { db, pool } = app().database
    expect(await db.transaction().execute(findProblems)).toEqual([])
    const { rows } = await pool.query(
      'select amount, actor_id, actor_email from ledger_entries where wallet_id = $1 and number = 1',
      [owner.walletId],
    )
    expect(rows).toEqual([{ amount: 500, actor_id: owner.id, actor_email: null }])
    expect(await app().jobs.failed()).toEqual([])
  })

  test('leaves no name in the wallet of the tenant that earned a commission', async () => {
    const tenantId = await makeTenant(app(), 21)
    const earner = await makeUser(app(), { tenantId, role: 'reseller' })
    await setTenantWallet(app(), tenantId, earner.walletId)
    const customer = await makeUser(app(), { tenantId, plan: null })
    await makeUnits(app(), customer.walletId, [
      { cost: 500, objectId: customer.id, createdAt: app().clock.now() },
    ])
    app().clock.advance(40 * day)
    await app()
      .database.db.transaction()
      .execute((trx) => chargeWallet(trx, customer.walletId, { now: app().clock.now() }))
    const earned = async () => {
      const { rows } = await app().database.pool.query(
        `select parameters from ledger_entries where wallet_id = $1 and description = 'profit'`,
        [earner.walletId],
      )
      return rows
    }
    expect(await earned()).toEqual([{ parameters: expect.stringContaining(String(customer.id)) }])
    admin = await makeStaff(app(), 'admin')
    await remove(`users/${customer.id}`, { confirm: customer.email })
    await app().jobs.drain()
    await erase(`users/${customer.id}`, customer.email)
    await app().jobs.drain()
    expect(await tablesWith(customer.email)).toEqual([])
  })

  test('leaves an account alone that was restored meanwhile', async () => {
    const { owner, member } = account
    await remove(`users/${owner.id}`, { confirm: owner.email })
    await app().jobs.drain()
    await erase(`users/${owner.id}`, owner.email)
    expect((await admin.call(`POST /api/v4/users/${owner.id}/restore`, { body: {} })).status).toBe(200)
    await app().jobs.drain()
    for (const { id } of [owner, member]) {
      expect((await admin.call(`GET /api/v4/users/${id}`)).body).toMatchObject({ isDeleted: false })
    }
  })
})

describe('the ledger', () => {
  test("removes an actor's address and nothing else", async () => {
    await pay()
    const { pool } = app().database
    const change = (set: string) =>
      pool.query(`update ledger_entries set ${set} where wallet_id = $1`, [account.owner.walletId])
    for (const set of [`actor_email = 'x@y.test'`, 'actor_id = null', `actor_email = null, key = 'other'`]) {
      await expect(change(set), set).rejects.toThrow('never changed')
    }
    await change('actor_email = null')
  })
})

describe('erasing an object', () => {
  test.each([
    ['groups', 'group'],
    ['resources', 'resource'],
    ['shared-folders', 'shared-folder'],
  ] as const)('frees its address at once: %s', async (collection, kind) => {
    const id = await makeObject(account, collection, { name: 'Gone' })
    const { email } = (await account.as('owner', `GET /api/v4/${collection}/${id}`)).body
    await remove(`${collection}/${id}`)
    await app().jobs.drain()
    expect((await erase(`${collection}/${id}`, 'else')).status).toBe(422)
    expect((await erase(`${collection}/${id}`, email)).status).toBe(200)
    expect(await tablesWith(email)).toEqual([])
    expect((await admin.call(`GET /api/v4/${collection}/${id}`)).status).toBe(404)
    const { rows } = await app().database.pool.query(
      `select event, actor_email, comment, data from event_log where object_id = $1 order by created_at desc, id desc`,
      [id],
    )
    expect(rows[0]).toMatchObject({ event: `${kind}.erased`, actor_email: admin.email, comment: reason })
    for (const row of rows) expect(row.data).toBeNull()
  })

  test("frees a domain's name once it has no addresses", async () => {
    const { domain, domainId, member, controller } = account
    const held = await remove(`domains/${domainId}`)
    expect({ status: held.status, message: held.body.message }).toMatchObject({ status: 422 })
    for (const user of [member, controller]) await remove(`users/${user.id}`)
    await app().jobs.drain()
    expect((await remove(`domains/${domainId}`)).status).toBe(200)
    await app().jobs.drain()
    expect((await erase(`domains/${domainId}`, domain)).status).toBe(409)
    for (const user of [member, controller]) {
      expect((await erase(`users/${user.id}`, user.email)).status).toBe(200)
    }
    expect((await erase(`domains/${domainId}`, domain)).status).toBe(200)
    expect(await tablesWith(domain)).toEqual([])
    expect((await account.as('owner', `POST /api/v4/domains/${domainId}/restore`, {})).status).toBe(404)
  })
})
