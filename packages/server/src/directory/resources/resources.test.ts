import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject, newObject, statusesOf } from '../../testing/directory-fixture.ts'
import { jobsDue, makeDomain } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Person = 'owner' | 'controller' | 'member'

const create = (facts: Record<string, unknown> = {}, who: Person = 'owner') =>
  account.as(who, 'POST /api/v4/resources', newObject(account, 'resources', facts))
const show = async (id: number) => (await account.as('owner', `GET /api/v4/resources/${id}`)).body
const update = (id: number, body: Record<string, unknown>, who: Person = 'owner') =>
  account.as(who, `PUT /api/v4/resources/${id}`, body)
const refused = async (facts: Record<string, unknown>) => {
  const { status, body } = await create(facts)
  expect(status).toBe(422)
  return body.errors
}

describe('a new resource', () => {
  test('gets an address derived from its id, a price and a calendar', async () => {
    const { status, body } = await create({ name: ' Café ' }, 'controller')
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The resource has been created.',
    })
    const { id } = body
    expect(await skusOf(app(), id)).toEqual({ resource: 1 })
    const shown = await show(id)
    expect(shown).toMatchObject({
      email: `resource-${id}@${account.domain}`,
      name: 'Café',
      config: { invitation_policy: 'accept' },
      isActive: false,
      isImapReady: false,
      isReady: false,
      isDeleted: false,
      statusInfo: { isDone: false },
    })
    expect(
      shown.statusInfo.process.map((step: { label: string; state: boolean }) => [step.label, step.state]),
    ).toEqual([
      ['resource-new', true],
      ['resource-imap-ready', false],
      ['domain-new', true],
      ['domain-verified', true],
      ['domain-confirmed', true],
    ])
    expect(Object.values(shown.skus)).toEqual([{ count: 1, costs: [101] }])
    await app().jobs.drain()
    expect(app().backend.resources.get(id)).toEqual({
      id,
      address: `resource-${id}@${account.domain}`,
      path: `shared/Resources/Café@${account.domain}`,
      previousPaths: [],
      name: 'Café',
      invitationPolicy: 'accept',
      everyone: [],
    })
    expect(await show(id)).toMatchObject({ status: 259, isReady: true, statusInfo: { isDone: true } })
  })

  test('requires a name without characters special to mail stores', async () => {
    const invalid = { name: ['This name contains characters that aren’t allowed.'] }
    for (const character of '+/^%*!`@(){}|\\?<;"\u0007\u202e') {
      expect(await refused({ name: `Room ${character} 1` }), character).toEqual(invalid)
    }
    expect(await refused({ name: null })).toEqual({ name: ['Fill in this field.'] })
    expect(await refused({ name: 'x'.repeat(2000) })).toEqual({
      name: [expect.stringContaining('characters')],
    })
    await makeObject(account, 'resources', { name: 'Beamer' })
    expect(await refused({ name: 'BEAMER' })).toEqual({
      name: ['This name is already in use in this domain.'],
    })
    expect((await create({ name: "Rüm > 5 & 'co', #1 ~$" })).status).toBe(200)
  })

  test('requires a confirmed domain of the account and reports errors of the domain at the name', async () => {
    const other = await makeAccount(app())
    const fresh = `fresh${account.owner.id}.test`
    await makeDomain(app(), fresh, { type: 4, status: 1, walletId: account.owner.walletId })
    await makeDomain(app(), `public${account.owner.id}.test`)
    const cases: [unknown, string][] = [
      [null, 'This domain name isn’t valid.'],
      ['nowhere.test', 'This domain name isn’t valid.'],
      [`x@${account.domain}`, 'This domain name isn’t valid.'],
      [other.domain, 'This domain isn’t available.'],
      [`public${account.owner.id}.test`, 'This domain isn’t available.'],
      [fresh, 'This domain isn’t verified yet. Verify it first.'],
    ]
    for (const [domain, text] of cases)
      expect(await refused({ domain }), String(domain)).toEqual({ name: [text] })
    expect(await refused({ domain: null, name: null })).toEqual({
      name: ['Fill in this field.', 'This domain name isn’t valid.'],
    })
    expect(await refused({ domain: 5 })).toEqual({ domain: ['This must be text.'] })
    expect((await create({ domain: account.domain.toUpperCase() })).status).toBe(200)
  })

  test('is created for one of two concurrent requests with the same name', async () => {
    const answers = await Promise.all([create({ name: 'Car' }), create({ name: 'car' }, 'controller')])
    expect(statusesOf(answers)).toEqual([200, 422])
  })

  test('is not created without a SKU', async () => {
    const { db } = app().database
    const rename = (from: string, to: string) =>
      db.updateTable('skus').set({ title: to }).where('title', '=', from).execute()
    await rename('resource', 'gone')
    try {
      expect(await refused({})).toEqual({ skus: 'This isn’t on sale.' })
      const rows = await db
        .selectFrom('directoryObjects')
        .select('id')
        .where('walletId', '=', account.owner.walletId)
        .execute()
      expect(rows).toEqual([])
    } finally {
      await rename('gone', 'resource')
    }
  })
})

test('further resources cost what the price list says, after the free units', async () => {
  const { db } = app().database
  await db.updateTable('skus').set({ unitsFree: 2 }).where('title', '=', 'resource').execute()
  try {
    const next = async () => (await account.as('owner', 'GET /api/v4/skus?type=resource')).body[0].nextCost
    const costs: number[] = []
    const expected: number[] = []
    for (let number = 0; number < 3; number++) {
      expected.push(await next())
      const { skus } = await show(await makeObject(account, 'resources'))
      costs.push(...Object.values<{ costs: number[] }>(skus).flatMap((held) => held.costs))
    }
    expect(costs).toEqual([0, 0, 101])
    expect(costs).toEqual(expected)
  } finally {
    await db.updateTable('skus').set({ unitsFree: 0 }).where('title', '=', 'resource').execute()
  }
})

describe('renaming a resource', () => {
  test("moves the back end's data, even after several renames and failures", async () => {
    const id = await makeObject(account, 'resources', { name: 'One' })
    await app().jobs.drain()
    const { revision } = await show(id)
    const { status, body } = await update(id, { name: 'Two', revision })
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The resource has been updated.',
    })
    app().backend.fail(1)
    await app().jobs.drain()
    expect((await update(id, { name: 'Three' })).status).toBe(200)
    await jobsDue(app())
    await app().jobs.drain()
    const path = (name: string) => `shared/Resources/${name}@${account.domain}`
    expect(app().backend.resources.get(id)).toMatchObject({ path: path('Three'), name: 'Three' })
    expect(app().backend.resources.get(id)?.previousPaths).toContain(path('One'))
    expect((await update(id, { name: 'Four', revision })).status).toBe(409)
    expect(await show(id)).toMatchObject({ name: 'Three', email: `resource-${id}@${account.domain}` })
  })

  test('releases the old name, whose next holder waits until the data has moved', async () => {
    const id = await makeObject(account, 'resources', { name: 'Old' })
    await app().jobs.drain()
    app().backend.fail(1)
    await update(id, { name: 'New' })
    await app().jobs.drain()
    const other = await makeObject(account, 'resources', { name: 'Old' })
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    expect(app().backend.resources.get(id)?.name).toBe('New')
    expect(app().backend.resources.get(other)?.name).toBe('Old')
    const moved = app().backend.calls.findIndex(
      (call) => call.objectId === id && call.name === 'updateResource',
    )
    const made = app().backend.calls.findIndex(
      (call) => call.objectId === other && call.name === 'createResource',
    )
    expect(moved).toBeLessThan(made)
  })

  test('is rejected for an empty name or one that is taken', async () => {
    await makeObject(account, 'resources', { name: 'Taken' })
    const id = await makeObject(account, 'resources')
    expect((await update(id, { name: ' ' })).body.errors).toEqual({ name: ['Fill in this field.'] })
    expect((await update(id, { name: 'a/b' })).body.errors).toEqual({
      name: ['This name contains characters that aren’t allowed.'],
    })
    expect((await update(id, { name: 'taken' })).body.errors).toEqual({
      name: ['This name is already in use in this domain.'],
    })
    expect((await update(id, {}, 'member')).status).toBe(403)
  })
})

describe('the invitation policy', () => {
  const set = (id: number, invitation_policy: unknown, who: Person = 'owner') =>
    account.as(who, `POST /api/v4/resources/${id}/config`, { invitation_policy })
  const policy = async (id: number) => (await show(id)).config.invitation_policy

  test('accepts, rejects, or lets a user of the account decide', async () => {
    const id = await makeObject(account, 'resources')
    const { email } = account.member
    for (const [sent, kept] of [
      ['reject', 'reject'],
      [`manual: ${email.toUpperCase()} `, `manual:${email}`],
      ['Accept', 'accept'],
      [`manual:${email}`, `manual:${email}`],
      [null, 'accept'],
    ]) {
      const { status, body } = await set(id, sent, 'controller')
      expect({ status, message: body.message }).toEqual({
        status: 200,
        message: 'The settings of the resource have been saved.',
      })
      expect(await policy(id)).toBe(kept)
    }
    await set(id, `manual:${email}`)
    await app().jobs.drain()
    expect(app().backend.resources.get(id)?.invitationPolicy).toBe(`manual:${email}`)
  })

  test('is rejected if it is invalid or names a user outside the account', async () => {
    const other = await makeAccount(app())
    const id = await makeObject(account, 'resources')
    const cases: [unknown, string][] = [
      ['maybe', 'This invitation policy isn’t valid.'],
      ['manual', 'This invitation policy isn’t valid.'],
      [['accept'], 'This invitation policy isn’t valid.'],
      [5, 'This invitation policy isn’t valid.'],
      ['manual:', 'This e-mail address can’t be used.'],
      ['manual:nobody', 'This e-mail address can’t be used.'],
      [`manual:nobody@${account.domain}`, 'This address doesn’t exist in this account.'],
      [`manual:${other.member.email}`, 'This address doesn’t exist in this account.'],
    ]
    for (const [sent, text] of cases) {
      const { status, body } = await set(id, sent)
      expect({ status, errors: body.errors }, String(sent)).toEqual({
        status: 422,
        errors: { invitation_policy: text },
      })
    }
    expect(await policy(id)).toBe('accept')
  })

  test('falls back to accepting when the deciding user is deleted, and is provisioned', async () => {
    const id = await makeObject(account, 'resources')
    await set(id, `manual:${account.member.email}`)
    await app().jobs.drain()
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    expect(await policy(id)).toBe('accept')
    await app().jobs.drain()
    expect(app().backend.resources.get(id)?.invitationPolicy).toBe('accept')
  })
})

test("a resource that would exceed the account's spending limit is not created", async () => {
  const ceiling = (value: number | null) =>
    account.as('owner', `PUT /api/v4/wallets/${account.owner.walletId}/settings`, { monthly_ceiling: value })
  const create = () => account.as('owner', 'POST /api/v4/resources', newObject(account, 'resources'))
  await ceiling(1000)
  const { status, body } = await create()
  expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: ['skus'] })
  await ceiling(null)
  expect((await create()).status).toBe(200)
})
