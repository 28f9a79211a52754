import { beforeAll, describe, expect, test } from 'vitest'
import { day } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { giveMoney, type MadeUser, makeDiscount, makeUser, signInAs } from '../testing/factories.ts'
import { makeUnits } from '../testing/payments/billing.ts'
import { useTestApp } from '../testing/test-app.ts'
import { bookMoney } from './book.ts'
import { chargeWallet } from './charging/charge.ts'
import type { ChainLine } from './ledger/chain.ts'

const app = useTestApp()
let account: TestAccount
let path = ''

beforeAll(async () => {
  account = await makeAccount(app())
  path = `/api/v4/wallets/${account.owner.walletId}`
})

/** A user without a plan, so that everything costs from the first day. */
async function payer(
  units: readonly number[] = [],
  daysAgo = 0,
): Promise<{ user: MadeUser; token: string; path: string }> {
  const user = await makeUser(app(), { plan: null })
  const createdAt = new Date(app().clock.now().getTime() - daysAgo * day * 1000)
  if (units.length > 0) {
    await makeUnits(
      app(),
      user.walletId,
      units.map((cost) => ({ cost, createdAt, objectId: user.id })),
    )
  }
  const { access_token: token } = await signInAs(app(), user)
  return { user, token, path: `/api/v4/wallets/${user.walletId}` }
}

const charge = (walletId: string) =>
  app()
    .database.db.transaction()
    .execute((trx) => chargeWallet(trx, walletId, { now: app().clock.now() }))

describe('a wallet', () => {
  test('is visible to its owner and controllers, with the provider and without the owner', async () => {
    const { status, body } = await account.as('owner', `GET ${path}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: account.owner.walletId,
      user_id: account.owner.id,
      currency: 'CHF',
      balance: 0,
      description: null,
      discount_id: null,
      discount: null,
      discount_description: null,
      provider: 'sandbox',
      notice: 'You’re in your free trial.',
      noticeKind: 'trial',
      lastsUntil: expect.any(String),
      canUpdate: true,
    })
    expect((await account.as('controller', `GET ${path}`)).body).toMatchObject({ canUpdate: true })
  })

  test.each(['x', '0', newUuid(), "' or 1=1", '%00'])('named %s does not exist', async (id) => {
    expect((await account.as('owner', `GET /api/v4/wallets/${encodeURIComponent(id)}`)).status).toBe(404)
  })

  test.each([
    [0, [990], 'CHF', '2026-04-10', /lasts until 10 April 2026 \(31 days\)/],
    [990, [990], 'CHF', '2026-05-10', /lasts until 10 May 2026 \(2 months\)/],
    [990 * 14, [990], 'CHF', '2027-06-10', /10 June 2027 \(1 year 3 months\)/],
    [500, [], 'CHF', null, null],
    [-1, [990], 'CHF', null, /used up/],
  ] as const)('with %i and units of %j lasts', async (money, units, _currency, until, notice) => {
    const { user, token, path: own } = await payer(units)
    await giveMoney(app(), user.walletId, money)
    const { body } = await app().call(`GET ${own}`, { token })
    expect(body.lastsUntil).toBe(until)
    if (notice === null) expect(body.notice).toBeNull()
    else expect(body.notice).toMatch(notice)
  })

  test('lasts until today if the charges already due exceed the balance', async () => {
    const { user, token, path: own } = await payer()
    const createdAt = new Date(app().clock.now().getTime() - 40 * day * 1000)
    await makeUnits(app(), user.walletId, [{ cost: 900, createdAt }])
    await giveMoney(app(), user.walletId, 899)
    const { body } = await app().call(`GET ${own}`, { token })
    expect(body.notice).toMatch(/today/)
    await giveMoney(app(), user.walletId, 1)
    expect((await app().call(`GET ${own}`, { token })).body.notice).not.toMatch(/today/)
  })

  test('with a 100 percent discount lasts forever', async () => {
    const { user, token, path: own } = await payer([990])
    const discountId = await makeDiscount(app(), { discount: 100 })
    await app()
      .database.db.updateTable('wallets')
      .set({ discountId })
      .where('id', '=', user.walletId)
      .execute()
    expect((await app().call(`GET ${own}`, { token })).body).toMatchObject({
      discount: 100,
      notice: null,
      lastsUntil: null,
    })
  })

  test("uses the caller's language", async () => {
    const { token, path: own } = await payer([990])
    for (const [language, text] of [
      ['de', 'reicht Ihr Guthaben bis'],
      ['fr', 'votre solde suffit'],
      ['it', 'il saldo basta'],
    ] as const) {
      const { body } = await app().call(`GET ${own}`, { token, headers: { 'accept-language': language } })
      expect(body.notice).toContain(text)
    }
  })
})

describe('its transactions', () => {
  test('come newest first with their descriptions, in pages and filtered', async () => {
    const { user, token, path: own } = await payer()
    for (let count = 1; count <= 12; count++) await giveMoney(app(), user.walletId, count)
    await app()
      .database.db.transaction()
      .execute((trx) =>
        bookMoney(trx, app(), {
          walletId: user.walletId,
          type: 'award',
          amount: 50,
          key: `test:${newUuid()}`,
          text: 'award',
          actor: { email: 'staff@example.test' },
        }),
      )
    const read = (query: string) => app().call(`GET ${own}/transactions${query}`, { token })
    const first = await read('')
    expect(first.body).toMatchObject({ status: 'success', count: 10, hasMore: true, page: 1 })
    expect(first.body.list[0]).toEqual({
      id: expect.any(String),
      createdAt: '2026-03-10 12:00',
      type: 'award',
      description: 'Bonus',
      amount: 50,
      currency: 'CHF',
      hasDetails: false,
      balance: 78 + 50,
      number: 13,
    })
    expect((await read('?page=2')).body).toMatchObject({ count: 3, hasMore: false, page: 2 })
    expect((await read('?page=3')).body).toMatchObject({ count: 0, hasMore: false, page: 3, list: [] })
    expect((await read('?size=100')).body.count).toBe(13)
    expect((await read('?type=award')).body.count).toBe(1)
    expect((await read('?from=2026-03-11')).body.count).toBe(0)
    expect((await read('?from=2026-03-10&to=2026-03-10&size=100')).body.count).toBe(13)
    expect((await read('?to=2026-03-09')).body.count).toBe(0)
    for (const wrong of [
      '?page=0',
      '?page=x',
      '?size=1000',
      '?type=billed',
      '?from=2026-02-31',
      '?to=yesterday',
    ]) {
      expect((await read(wrong)).status, wrong).toBe(422)
    }
  })

  test('of a charge have details, accessible only with this wallet', async () => {
    const { user, token, path: own } = await payer([500, 25, 25, 0], 28)
    await charge(user.walletId)
    const { body } = await app().call(`GET ${own}/transactions`, { token })
    expect(body.list).toMatchObject([{ type: 'debit', amount: -550, hasDetails: true, balance: -550 }])
    const [{ id, amount }] = body.list
    const details = await app().call(`GET ${own}/transactions?transaction=${id}`, { token })
    expect(details.body).toMatchObject({ status: 'success', count: 3, hasMore: false, page: 1 })
    const sum = details.body.list.reduce((total: number, item: { amount: number }) => total + item.amount, 0)
    expect(sum).toBe(-amount)
    expect(details.body.list.map((item: { amount: number }) => item.amount).sort()).toEqual([25, 25, 500])
    expect(details.body.list[0]).toMatchObject({
      type: 'billed',
      description: `Mailbox for ${user.email}`,
      hasDetails: false,
      since: '2026-02-10 12:00:00',
      until: '2026-03-10 12:00:00',
    })
    const other = await payer()
    for (const wrong of [id, newUuid(), 'x']) {
      const call = `GET ${other.path}/transactions?transaction=${wrong}`
      expect((await app().call(call, { token: other.token })).status, wrong).toBe(404)
    }
  })

  test('can be exported as CSV without formulas', async () => {
    const { user, token, path: own } = await payer()
    await giveMoney(app(), user.walletId, 1234)
    await giveMoney(app(), user.walletId, -34)
    const trx = app().database.db
    await bookMoney(trx, app(), {
      walletId: user.walletId,
      type: 'credit',
      amount: 1,
      key: `test:${newUuid()}`,
      text: 'profit',
      parameters: { user: '"a", b' },
    })
    const { status, body, headers } = await app().call(`GET ${own}/transactions/csv`, { token })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"')
    expect(headers['x-content-type-options']).toBe('nosniff')
    const lines = String(body).split('\r\n')
    expect(lines[0]).toBe('"Date","Type","Description","Amount","Balance","Currency"')
    expect(lines[1]).toMatch(/"credit","Charged user ""a"", b",0\.01,12\.01,"CHF"$/)
    expect(lines[2]).toMatch(/^[\d :-]+,"debit","Balance brought forward",-0\.34,12\.00,"CHF"$/)
    expect(lines[3]).toMatch(/"credit","Payment",12\.34,12\.34,"CHF"$/)
  })

  test('form a chain that can be downloaded and verified', async () => {
    const { user, token, path: own } = await payer()
    for (let count = 1; count <= 3; count++) await giveMoney(app(), user.walletId, count)
    const { body, headers } = await app().call(`GET ${own}/chain`, { token })
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ChainLine)
    expect(lines.map((line) => line.number)).toEqual([1, 2, 3])
    expect(lines.map((line) => line.previous)).toEqual(['', lines[0]?.hash, lines[1]?.hash])
  })
})

describe('its costs', () => {
  test('are listed per user and object, with the discount, most expensive first', async () => {
    const { owner, member, domain } = account
    const { db } = app().database
    const discountId = await makeDiscount(app(), { discount: 33 })
    await db.updateTable('wallets').set({ discountId }).where('id', '=', owner.walletId).execute()
    const { body } = await account.as('owner', `GET ${path}/costs`)
    const each = 335 + 328
    expect(body).toMatchObject({ currency: 'CHF', discount: 33, count: 4, total: 4, hasMore: false })
    expect(body.monthly).toBe(3 * each)
    expect(body.list[0]).toMatchObject({ objectType: 'user', monthly: each })
    const titles = body.list[0].skus.map((sku: { title: string }) => sku.title)
    expect(titles).toEqual(['mailbox', 'groupware', 'storage'])
    const found = await account.as('owner', `GET ${path}/costs?search=${member.email}`)
    expect(found.body).toMatchObject({
      total: 1,
      monthly: each,
      list: [{ objectId: member.id, name: member.email }],
    })
    const byName = await account.as('owner', `GET ${path}/costs?sort=name&size=2&page=2`)
    expect(byName.body).toMatchObject({ count: 2, total: 4, hasMore: false })
    const namesBy = async (order: string) => {
      const { list } = (await account.as('owner', `GET ${path}/costs?${order}`)).body
      return list.map((row: { name: string }) => row.name) as string[]
    }
    const upwards = await namesBy('sort=name&order=asc')
    expect(await namesBy('sort=name&order=desc')).toEqual(upwards.toReversed())
    const cheapest = (await account.as('owner', `GET ${path}/costs?order=asc`)).body.list
    expect(cheapest[0]).toMatchObject({ objectType: 'domain', monthly: 0 })
    expect(cheapest.at(-1)).toMatchObject({ objectType: 'user', monthly: each })
    expect((await account.as('owner', `GET ${path}/costs?search=%25_`)).body.total).toBe(0)
    expect((await account.as('owner', `GET ${path}/costs?search=${domain}&page=9`)).body).toMatchObject({
      list: [],
      hasMore: false,
    })
    await db.updateTable('wallets').set({ discountId: null }).where('id', '=', owner.walletId).execute()
  })

  test("and the details of a charge use an object's display name", async () => {
    const own = await makeAccount(app())
    const { walletId } = own.owner
    const create = async (route: string, body: object) => {
      const { status, body: answer } = await own.as('owner', `POST /api/v4/${route}`, body)
      expect(status, JSON.stringify(answer)).toBe(200)
      return Number(answer.id)
    }
    const { domain } = own
    const { db } = app().database
    // rooms are free by default, and a charge lists only what costs something
    const roomCosts = (cost: number) =>
      db.updateTable('skus').set({ cost }).where('title', '=', 'room').execute()
    await create('resources', { name: 'Beamer', domain })
    await create('shared-folders', { name: 'Plans', domain, type: 'mail' })
    await create('groups', { name: 'Team', email: `team@${domain}`, members: ['a@b.test'] })
    await roomCosts(100)
    await create('rooms', { description: 'Monday meeting' })
    const room = await create('rooms', {})
    await roomCosts(0)
    const { name } = await db
      .selectFrom('rooms')
      .select('name')
      .where('id', '=', room)
      .executeTakeFirstOrThrow()
    const { body } = await own.as('owner', `GET /api/v4/wallets/${walletId}/costs?size=50`)
    const named = (type: string) =>
      body.list
        .filter((row: { objectType: string }) => row.objectType === type)
        .map((row: { name: string }) => row.name)
        .sort()
    expect(named('resource')).toEqual(['Beamer'])
    expect(named('shared-folder')).toEqual(['Plans'])
    expect(named('group')).toEqual([`team@${domain}`])
    expect(named('room')).toEqual(['Monday meeting', name].sort())
    expect(named('domain')).toEqual([domain])
    const byAddress = await own.as('owner', `GET /api/v4/wallets/${walletId}/costs?search=resource-`)
    expect(byAddress.body.list).toMatchObject([{ name: 'Beamer' }])

    // after the trial
    const now = new Date(app().clock.now().getTime() + 70 * day * 1000)
    await db.transaction().execute((trx) => chargeWallet(trx, walletId, { now }))
    const entries = await own.as('owner', `GET /api/v4/wallets/${walletId}/transactions`)
    const details = await own.as(
      'owner',
      `GET /api/v4/wallets/${walletId}/transactions?transaction=${entries.body.list[0].id}`,
    )
    const texts = details.body.list.map((item: { description: string }) => item.description).join('\n')
    for (const part of [' for Beamer', ' for Plans', ' for Monday meeting', ` for ${name}`]) {
      expect(texts).toContain(part)
    }
    expect(texts).not.toContain('deleted')
  })
})

describe('its settings', () => {
  test("can be changed by the account's controllers, and are logged", async () => {
    const { owner } = account
    const untold = { alertStates: [] }
    const put = (body: unknown) => account.as('controller', `PUT ${path}/settings`, body)
    expect((await put({ alerts: [100, 2000, 100], monthly_ceiling: 5000 })).status).toBe(200)
    const read = async () => (await account.as('owner', `GET ${path}/settings`)).body
    expect(await read()).toEqual({ ...untold, alerts: [2000, 100], monthly_ceiling: 5000 })
    expect((await put({})).status).toBe(200)
    expect(await read()).toEqual({ ...untold, alerts: [2000, 100], monthly_ceiling: 5000 })
    expect((await put({ alerts: null, monthly_ceiling: null })).status).toBe(200)
    expect(await read()).toEqual({ ...untold, alerts: [], monthly_ceiling: null })
    const events = await app()
      .database.db.selectFrom('eventLog')
      .select('data')
      .where('event', '=', 'wallet.settings-changed')
      .where('objectId', '=', owner.id)
      .execute()
    expect(events).toHaveLength(2)
    expect(events[0]?.data).toMatchObject({ after: { monthly_ceiling: 5000 } })
  })

  test.each([
    [{ alerts: [-1] }, 'alerts'],
    [{ alerts: [1.5] }, 'alerts'],
    [{ alerts: [1, 2, 3, 4, 5, 6] }, 'alerts'],
    [{ alerts: 'x' }, 'alerts'],
    [{ monthly_ceiling: -1 }, 'monthly_ceiling'],
    [{ monthly_ceiling: 1e12 }, 'monthly_ceiling'],
    [{ monthly_ceiling: '12' }, 'monthly_ceiling'],
  ])('refuse %j at the field', async (body, field) => {
    const answer = await account.as('owner', `PUT ${path}/settings`, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test("enforce the account's ceiling", async () => {
    const put = (monthly_ceiling: number | null) =>
      account.as('owner', `PUT ${path}/settings`, { monthly_ceiling })
    const spent = (await account.as('owner', `GET ${path}/costs`)).body.monthly
    await put(spent + 989)
    const refused = await account.as('owner', 'POST /api/v4/users', account.newUser())
    expect(refused.status).toBe(422)
    expect(refused.body.errors.package.replaceAll('\u00a0', ' ')).toBe(
      `This would raise the costs to CHF ${((spent + 990) / 100).toFixed(2)} per month, above the account’s ceiling of CHF ${((spent + 989) / 100).toFixed(2)}. Raise the ceiling first.`,
    )
    await put(spent + 990)
    expect((await account.as('owner', 'POST /api/v4/users', account.newUser())).status).toBe(200)
    const { member } = account
    const before = (await account.as('owner', `GET /api/v4/users/${member.id}`)).body.skus
    const wanted = Object.fromEntries(
      Object.entries(before as Record<string, { count: number }>).map(([sku, { count }]) => [sku, count]),
    )
    const storage = Object.keys(wanted).find((sku) => wanted[sku] === 5) ?? ''
    const change = (units: number) =>
      account.as('owner', `PUT /api/v4/users/${member.id}`, { skus: { ...wanted, [storage]: units } })
    const more = await change(6)
    expect(more.status).toBe(422)
    expect(more.body.errors.skus).toMatch(/ceiling/)
    await put(null)
    expect((await change(7)).status).toBe(200)
    await put(1)
    expect((await change(6)).status).toBe(200)
    await put(null)
  })
})

test('staff can read wallets of their tenant, including the actors, but not change them', async () => {
  const reseller = await makeUser(app(), { role: 'reseller' })
  const { access_token: token } = await signInAs(app(), reseller)
  await bookMoney(app().database.db, app(), {
    walletId: account.owner.walletId,
    type: 'award',
    amount: 5,
    key: `test:${newUuid()}`,
    text: 'award',
    actor: { userId: reseller.id, email: reseller.email },
  })
  const host = 'reseller.localhost:8000'
  const { body } = await app().call(`GET ${path}/transactions`, { token, host })
  expect(body.list[0]).toMatchObject({ type: 'award', user: reseller.email })
  const own = await account.as('owner', `GET ${path}/transactions`)
  expect(own.body.list[0]).not.toHaveProperty('user')
  expect((await app().call(`PUT ${path}/settings`, { token, host, body: { alerts: [1] } })).status).toBe(403)
})

describe('its forecast', () => {
  test('shows the next charge and the balance per month', async () => {
    const { user, token, path: own } = await payer([500, 490])
    await makeUnits(app(), user.walletId, [
      { cost: 1200, months: 12, sku: 'domain-registration', createdAt: app().clock.now() },
    ])
    await giveMoney(app(), user.walletId, 2000)
    const { body } = await app().call(`GET ${own}/forecast`, { token })
    const from = app().clock.now()
    const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, from.getUTCDate()))
    expect(body).toMatchObject({ currency: 'CHF', balance: 2000, pending: 0 })
    expect(body.next).toEqual({ date: month.toISOString().slice(0, 10), amount: 990 })
    expect(body.months.map((item: { charges: number }) => item.charges)).toEqual([
      ...Array.from({ length: 11 }, () => 990),
      990 + 1200,
    ])
    expect(body.months.at(-1).balance).toBe(2000 - 12 * 990 - 1200)
    // the real charges match
    for (const expected of body.months) {
      while (app().clock.now().toISOString().slice(0, 10) < expected.until) app().clock.advance(day)
      await charge(user.walletId)
      const wallet = await app().call(`GET ${own}`, { token: (await signInAs(app(), user)).access_token })
      expect(wallet.body.balance).toBe(expected.balance)
    }
  })

  test('includes charges already due', async () => {
    const { user, token, path: own } = await payer()
    const createdAt = new Date(app().clock.now().getTime() - 70 * day * 1000)
    await makeUnits(app(), user.walletId, [{ cost: 100, createdAt }])
    const { body } = await app().call(`GET ${own}/forecast`, { token })
    expect(body).toMatchObject({ pending: 200, next: { amount: 200 } })
    expect(body.months[0].charges).toBe(300)
  })

  test('is empty for an account without costs', async () => {
    const { token, path: own } = await payer()
    expect((await app().call(`GET ${own}/forecast`, { token })).body).toMatchObject({
      pending: 0,
      next: null,
      lastsUntil: null,
    })
  })
})
