import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain, makeTenantHost, signInAs, strongPassword } from '../../testing/factories.ts'
import { makeOfferingTenant, type OfferingTenant } from '../../testing/signup/offering-tenant.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let admin: MadeStaff
let partner: OfferingTenant
let other: OfferingTenant

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  partner = await makeOfferingTenant(app(), 'partner')
  other = await makeOfferingTenant(app(), 'other')
})

const catalogue = async (of = partner) => (await of.call('GET /catalogue')).body
const skuOf = async (title: string) =>
  (await catalogue()).skus.find((one: { title: string }) => one.title === title)
const packageOf = async (title: string) =>
  (await catalogue()).packages.find((one: { title: string }) => one.title === title)
const planOf = async (title: string) =>
  (await catalogue()).plans.find((one: { title: string }) => one.title === title)

/** A SKU as sent by an unchanged form. */
const skuInput = ({
  names: name,
  descriptions: description,
  cost,
  active,
  revision,
}: Record<string, unknown>) => ({
  ...{ name, description, cost, active, revision },
})

const newPlan = async (facts: Record<string, unknown> = {}) => ({
  ...{ title: 'club', name: { en: 'Club' }, description: {}, mode: 'email', months: 1, freeMonths: 0 },
  ...{ hidden: false, packages: [(await packageOf('lite')).id], ...facts },
})

/** Creates a user with an irrelevant plan. */
const makeMember = async () => {
  const userId = await partner.signUp({ plan: 'individual' })
  await app().database.pool.query(`delete from user_settings where user_id = $1 and key = 'plan_id'`, [
    userId,
  ])
  return userId
}

/** Selects sessions waiting for a lock. */
const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

const events = async () =>
  (await partner.reseller.call(`GET /api/v4/eventlog/tenant/${partner.id}`)).body.list as {
    kind: string
    data: Record<string, unknown>
  }[]

describe('a product', () => {
  test('has a new price for new subscriptions only, and both prices are recorded', async () => {
    const early = await partner.signUp({ plan: 'individual' })
    const mailbox = await skuOf('mailbox')
    const answer = await partner.call(`PUT /skus/${mailbox.id}`, { ...skuInput(mailbox), cost: 700 })
    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
    const late = await partner.signUp({ plan: 'individual' })
    expect([await partner.costOf(early, 'mailbox'), await partner.costOf(late, 'mailbox')]).toEqual([
      500, 700,
    ])
    expect((await catalogue(other)).skus[0].cost).toBe(500)
    const [entry] = await events()
    expect(entry).toMatchObject({
      kind: 'tenant.sku-changed',
      data: { title: 'mailbox', before: { cost: 500 }, after: { cost: 700 } },
    })
  })

  test('is not sold below the fee unless the service allows it', async () => {
    const storage = await skuOf('storage')
    const put = (cost = 15) =>
      partner.call(`PUT /skus/${storage.id}`, { ...skuInput(storage), cost, revision: null })
    expect((await put()).body.errors).toEqual({
      cost: 'The price can’t be lower than the fee owed to the service.',
    })
    const limit = (belowFee: boolean) =>
      admin.call(`PUT /api/v4/tenants/${partner.id}/limits`, { body: { belowFee } })
    await limit(true)
    expect((await put()).status).toBe(200)
    await limit(false)
    expect((await put(25)).status).toBe(200)
  })

  test("is not changed by a form loaded before another user's change", async () => {
    const groupware = await skuOf('groupware')
    const put = (cost: number) => partner.call(`PUT /skus/${groupware.id}`, { ...skuInput(groupware), cost })
    expect((await put(500)).status).toBe(200)
    expect((await put(510)).status).toBe(409)
    expect((await skuOf('groupware')).cost).toBe(500)
  })

  test('in a plan stays on sale', async () => {
    const mailbox = await skuOf('mailbox')
    const { status, body } = await partner.call(`PUT /skus/${mailbox.id}`, {
      ...skuInput(mailbox),
      active: false,
    })
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['active'] })
    const individual = await partner.signUp({ plan: 'individual' })
    expect(individual).toBeGreaterThan(0)
  })

  test('requires a name in English', async () => {
    const mailbox = await skuOf('mailbox')
    const put = (name: unknown) => partner.call(`PUT /skus/${mailbox.id}`, { ...skuInput(mailbox), name })
    expect((await put({ de: 'Postfach' })).body.errors).toEqual({ name: ['Fill in this field.'] })
    expect((await put({ en: 'Mail', de: 'Postfach', fr: '' })).status).toBe(200)
    expect((await skuOf('mailbox')).names).toEqual({ en: 'Mail', de: 'Postfach' })
  })
})

describe("a tenant's own plan", () => {
  test("consists of its own package, and is available for sign-up on the tenant's host", async () => {
    const skus = Object.fromEntries(
      (await catalogue()).skus.flatMap(({ title, id }: { title: string; id: string }) =>
        title === 'mailbox' ? [[id, 1]] : title === 'storage' ? [[id, 8]] : [],
      ),
    )
    const item = { title: 'roomy', name: { en: 'Roomy' }, description: {}, discountRate: 10, skus }
    const { body: made } = await partner.call('POST /packages', item)
    expect((await partner.call('POST /packages', item)).body.errors).toEqual({
      title: 'This identifier is already in use.',
    })
    const input = await newPlan({ title: 'roomy', packages: [made.id] })
    expect((await partner.call('POST /plans', input)).status).toBe(200)
    expect((await packageOf('roomy')).plans).toEqual(['roomy'])
    const userId = await partner.signUp({ plan: 'roomy' })
    expect(await partner.costOf(userId, 'mailbox')).toBe(630)
    const offered = await app().call('GET /api/auth/signup/plans', { host: partner.host })
    expect(offered.body.plans.map(({ title }: { title: string }) => title)).toContain('roomy')
    const elsewhere = await app().call('GET /api/auth/signup/plans')
    expect(elsewhere.body.plans.map(({ title }: { title: string }) => title)).not.toContain('roomy')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['no package', { packages: [] }, 'packages'],
    ['a package that is no id', { packages: ['x'] }, 'packages'],
    ['too many free months', { freeMonths: 4 }, 'freeMonths'],
    ['a title that is no part of an address', { title: 'a b' }, 'title'],
    ['no name', { name: { en: '' } }, 'name'],
    ['a mode that there is not', { mode: 'free' }, 'mode'],
    ['no months', { months: 0 }, 'months'],
  ])('with %s is rejected at its field', async (_, facts, field) => {
    const { status, body } = await partner.call('POST /plans', await newPlan(facts))
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
  })

  test("never contains another tenant's package", async () => {
    const foreign = (await catalogue(other)).packages[0].id
    const { body } = await partner.call('POST /plans', await newPlan({ packages: [foreign] }))
    expect(Object.keys(body.errors)).toEqual(['packages'])
  })

  test('has the modes that the service allows', async () => {
    await admin.call(`PUT /api/v4/tenants/${partner.id}/limits`, { body: { planModes: ['email'] } })
    const { body } = await partner.call('POST /plans', await newPlan({ title: 'closed', mode: 'token' }))
    expect(body.errors).toEqual({ mode: 'The service doesn’t allow this mode.' })
    await admin.call(`PUT /api/v4/tenants/${partner.id}/limits`, { body: { planModes: null } })
    expect(
      (await partner.call('POST /plans', await newPlan({ title: 'closed', mode: 'token' }))).status,
    ).toBe(200)
  })

  test('can be deleted until an account has it; after that it can only be hidden', async () => {
    await partner.call('POST /plans', await newPlan({ title: 'brief' }))
    expect((await partner.call(`DELETE /plans/${(await planOf('brief')).id}`)).status).toBe(200)
    const used = await planOf('individual')
    const { body } = await partner.call(`DELETE /plans/${used.id}`)
    expect(body.errors).toEqual({ plan: 'This plan is in use by accounts. Hide it instead.' })
    const lite = await packageOf('kolab')
    expect((await partner.call(`DELETE /packages/${lite.id}`)).status).toBe(422)
  })

  test('is not deleted during a sign-up with it', async () => {
    await partner.call('POST /plans', await newPlan({ title: 'wanted' }))
    const { id } = await planOf('wanted')
    const userId = await makeMember()
    const client = await app().database.pool.connect()
    await client.query('begin')
    await client.query('select from plans where id = $1 for key share', [id])
    const deletion = partner.call(`DELETE /plans/${id}`)
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
    await client.query(`insert into user_settings (user_id, key, value) values ($1, 'plan_id', $2)`, [
      userId,
      id,
    ])
    await client.query('commit')
    client.release()
    expect(await deletion).toMatchObject({
      status: 422,
      body: { errors: { plan: 'This plan is in use by accounts. Hide it instead.' } },
    })
  })

  test('that is deleted during a sign-up creates no account', async () => {
    await partner.call('POST /plans', await newPlan({ title: 'lost', mode: 'token' }))
    const { id } = await planOf('lost')
    await partner.call('POST /signup-tokens', { plan: id, tokens: ['LOST'] })
    const client = await app().database.pool.connect()
    await client.query('begin')
    await client.query('select from plans where id = $1 for update', [id])
    const signUp = partner.signUp({ plan: 'lost', token: 'LOST' }).catch((error: unknown) => String(error))
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
    await client.query('delete from signup_tokens where plan_id = $1', [id])
    await client.query('delete from plans where id = $1', [id])
    await client.query('commit')
    client.release()
    expect(await signUp).toContain('This plan is no longer available.')
  })

  test('can be moved in the list', async () => {
    const titles = async () => (await catalogue()).plans.map(({ title }: { title: string }) => title)
    const ids = (await catalogue()).plans.map(({ id }: { id: string }) => id)
    const before = await titles()
    expect((await partner.call('PUT /plans', { plans: [...ids].reverse() })).status).toBe(200)
    expect(await titles()).toEqual([...before].reverse())
    expect((await partner.call('PUT /plans', { plans: ids.slice(1) })).status).toBe(422)
    expect((await partner.call('PUT /plans', { plans: [...ids.slice(1), ids[1]] })).status).toBe(422)
  })
})

test('two concurrent changes of one catalogue are validated one after the other', async () => {
  const plan = await newPlan({ title: 'race' })
  const answers = await Promise.all([partner.call('POST /plans', plan), partner.call('POST /plans', plan)])
  expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '422'])
})

test('an admin can do the same for any tenant and for the service, whose prices have no limit', async () => {
  const { body } = await admin.call('GET /api/v4/tenants/0/catalogue')
  expect(body.limits).toBeNull()
  const storage = body.skus.find((one: { title: string }) => one.title === 'storage')
  const put = (id: number, sku: Record<string, unknown>) =>
    admin.call(`PUT /api/v4/tenants/${id}/skus/${String(sku.id)}`, { body: { ...skuInput(sku), cost: 1 } })
  expect((await put(0, storage)).status).toBe(200)
  expect((await put(partner.id, await skuOf('storage'))).status).toBe(422)
  expect((await put(other.id, storage)).status).toBe(404)
})

test("an unverified host offers the service's catalogue", async () => {
  await makeTenantHost(app(), other.id, 'https://shop.elsewhere.test')
  await app().database.pool.query(
    `update tenant_names set confirmed_at = null, confirmed_by = null where name = 'shop.elsewhere.test'`,
  )
  const { body } = await app().call('GET /api/auth/signup/domains', { host: 'shop.elsewhere.test' })
  expect(body.domains).toEqual(['example.test'])
})

test('a member of the tenant cannot change anything', async () => {
  const userId = await partner.signUp({ plan: 'individual' })
  const { email } = await app()
    .database.db.selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { access_token: token } = await signInAs(app(), { email, password: strongPassword })
  for (const host of ['localhost:8000', 'reseller.localhost:8000']) {
    const { status } = await app().call(`GET /api/v4/tenants/${partner.id}/catalogue`, { token, host })
    expect([403, 404]).toContain(status)
  }
})
