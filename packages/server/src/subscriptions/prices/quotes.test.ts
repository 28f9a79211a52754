import type { PricePreview, SkuType } from '@gatehouse/contract/billing/subscriptions'
import { beforeAll, describe, expect, test } from 'vitest'
import { chargeWallet } from '../../billing/charging/charge.ts'
import { day } from '../../platform/clock.ts'
import { addMonths } from '../../platform/months.ts'
import { makeAccount, packageOf, type TestAccount } from '../../testing/account-fixture.ts'
import { type Collection, newObject } from '../../testing/directory-fixture.ts'
import { makeDiscount, signInAs } from '../../testing/factories.ts'
import { skuIds } from '../../testing/meetings.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { objectTypeOf } from '../handlers.ts'

const app = useTestApp()
let skus: Record<string, string>
let packages: Record<string, string>

/** Prices and free units of a tenant that charges for every kind. */
const catalogue: Record<string, { cost: number; units_free?: number }> = {
  'domain-hosting': { cost: 100, units_free: 1 },
  group: { cost: 55 },
  resource: { cost: 101, units_free: 1 },
  'shared-folder': { cost: 89, units_free: 2 },
  room: { cost: 35, units_free: 1 },
  'group-room': { cost: 65, units_free: 2 },
}

beforeAll(async () => {
  skus = await skuIds(app())
  packages = Object.fromEntries(
    await Promise.all(
      ['kolab', 'lite', 'domain-hosting'].map(async (title) => [title, await packageOf(app(), title)]),
    ),
  )
  for (const [title, values] of Object.entries(catalogue)) {
    await app().database.db.updateTable('skus').set(values).where('title', '=', title).execute()
  }
})

/** What an account's prices depend on. */
interface Terms {
  /** Percent. */
  readonly discount: number
  readonly period: 'monthly' | 'yearly'
  readonly isTrial: boolean
}

/** A product available on a form. */
interface Form {
  readonly name: string
  readonly type: SkuType
  readonly route: string
  /** The choice on the form: package or subscriptions. */
  readonly choice: () => Record<string, unknown>
  /** Everything else the form sends. */
  readonly rest: (account: TestAccount) => Record<string, unknown>
}

let number = 0

/** Milliseconds: each test makes dozens of calls. */
const patience = 120_000

const person = (title: string): Form => ({
  name: `a user with the package ${title}`,
  type: 'user',
  route: 'users',
  choice: () => ({ package: packages[title] }),
  rest: (account) => account.newUser(),
})

const object = (name: string, type: SkuType, route: Collection): Form => ({
  ...{ name, type, route, choice: () => ({}), rest: (account) => newObject(account, route) },
})

const room = (title: string): Form => ({
  name: `a room with the subscription ${title}`,
  type: 'room',
  route: 'rooms',
  choice: () => ({ skus: { [skus[title] ?? '']: 1 } }),
  rest: () => ({ description: `Room ${++number}` }),
})

const forms: readonly Form[] = [
  person('kolab'),
  person('lite'),
  {
    name: 'a domain',
    type: 'domain',
    route: 'domains',
    choice: () => ({ package: packages['domain-hosting'] }),
    rest: () => ({ namespace: `quoted${++number}.test` }),
  },
  object('a distribution list', 'group', 'groups'),
  object('a resource', 'resource', 'resources'),
  object('a shared folder', 'sharedFolder', 'shared-folders'),
  room('room'),
  room('group-room'),
  { ...room('room'), name: 'a room by default', choice: () => ({}) },
]

const terms: readonly Terms[] = [0, 30, 100].flatMap((discount) =>
  (['monthly', 'yearly'] as const).flatMap((period) =>
    [false, true].map((isTrial) => ({ discount, period, isTrial })),
  ),
)

/** An account whose owner can make calls at any time. */
class Customer {
  readonly #account: TestAccount
  #token: { readonly value: string; readonly until: number } | undefined

  private constructor(account: TestAccount) {
    this.#account = account
  }

  static async of({ discount, period, isTrial }: Terms): Promise<Customer> {
    const { db } = app().database
    await db.updateTable('skus').set({ period }).execute()
    const account = await makeAccount(app())
    if (discount > 0) {
      const id = await makeDiscount(app(), { discount })
      await db
        .updateTable('wallets')
        .set({ discountId: id })
        .where('id', '=', account.owner.walletId)
        .execute()
    }
    if (!isTrial) app().clock.advance(40 * day)
    return new Customer(account)
  }

  async call(route: string, body?: unknown) {
    const answer = await app().call(route, {
      token: await this.#signIn(),
      ...(body !== undefined && { body }),
    })
    if (answer.status !== 200) throw new Error(`${route}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Sessions expire as time passes. */
  async #signIn(): Promise<string> {
    const now = app().clock.now().getTime()
    if (this.#token === undefined || this.#token.until < now) {
      const { access_token: value } = await signInAs(app(), this.#account.owner)
      this.#token = { value, until: now + 60_000 }
    }
    return this.#token.value
  }

  quote(about: Record<string, unknown>): Promise<PricePreview> {
    return this.call('POST /api/v4/subscriptions/preview', about)
  }

  async create({ route, choice, rest }: Form): Promise<number> {
    const made = await this.call(`POST /api/v4/${route}`, { ...rest(this.#account), ...choice() })
    return Number(made.id)
  }

  /** Advances the clock to a moment and charges what is due by then. */
  async chargeAt(moment: Date): Promise<void> {
    app().clock.advance((moment.getTime() - app().clock.now().getTime()) / 1000)
    await app()
      .database.db.transaction()
      .execute((trx) => chargeWallet(trx, this.#account.owner.walletId, { now: app().clock.now() }))
  }

  /** Returns an object's monthly cost as shown on the wallet's page. */
  async costOf(type: SkuType, id: number): Promise<number | undefined> {
    return (await this.costs())(type, id)
  }

  /** Returns the monthly costs of all objects at this time. */
  async costs(): Promise<(type: SkuType, id: number) => number | undefined> {
    const { owner } = this.#account
    const { list } = await this.call(`GET /api/v4/wallets/${owner.walletId}/costs?size=100`)
    return (type, id) =>
      list.find(
        (one: { objectType: string; objectId: number }) =>
          one.objectType === objectTypeOf(type) && one.objectId === id,
      )?.monthly
  }
}

/** Returns the cents billed for an object so far. */
async function billedFor(type: SkuType, id: number): Promise<number> {
  const rows = await app()
    .database.db.selectFrom('billedPeriods as b')
    .innerJoin('entitlements as e', 'e.id', 'b.entitlementId')
    .select('b.cost')
    .where('e.objectType', '=', objectTypeOf(type))
    .where('e.objectId', '=', id)
    .execute()
  return rows.reduce((sum, { cost }) => sum + cost, 0)
}

const label = ({ discount, period, isTrial }: Terms) =>
  `${period}, ${discount} % off${isTrial ? ', in a trial' : ''}`

test.each(terms.map((one) => [label(one), one] as const))(
  'what a form quotes is billed, for the first to the third of everything: %s',
  { timeout: patience },
  async (_, given) => {
    const customer = await Customer.of(given)
    const made: { form: Form; quote: PricePreview; id: number }[] = []
    for (const form of [...forms, ...forms, ...forms]) {
      const quote = await customer.quote({ type: form.type, action: 'create', ...form.choice() })
      made.push({ form, quote, id: await customer.create(form) })
    }
    const costOf = await customer.costs()
    for (const { form, quote, id } of made) {
      expect(quote.dueNow).toBe(0)
      expect(quote.change).toBe(quote.monthly.next)
      expect(costOf(form.type, id), form.name).toBe(quote.monthly.next)
    }
    await customer.chargeAt(addMonths(app().clock.now(), 13))
    for (const { form, quote, id } of made) {
      const { month, year } = quote.billed.next
      const months = quote.trialUntil === null ? 13 : 12
      expect(await billedFor(form.type, id), form.name).toBe(month * months + year)
    }
    const isCharged = made.some(({ quote }) => quote.monthly.next > 0)
    expect(isCharged).toBe(given.discount < 100)
  },
)

test('the first domain is free, the second is not', async () => {
  const customer = await Customer.of({ discount: 30, period: 'monthly', isTrial: false })
  const quote = await customer.quote({
    type: 'domain',
    action: 'create',
    package: packages['domain-hosting'],
  })
  // the account already has one
  expect(quote).toMatchObject({
    monthly: { now: 0, next: 70 },
    change: 70,
    billed: { now: { month: 0, year: 0 }, next: { month: 70, year: 0 } },
    lines: [{ title: 'domain-hosting', quantity: 1, monthly: 70 }],
    packages: [{ id: packages['domain-hosting'], billed: { month: 70, year: 0 } }],
  })
})

describe.each([
  ['monthly', 0],
  ['monthly', 30],
  ['yearly', 30],
] as const)('later changes are billed as quoted: %s, %i %% off', (period, discount) => {
  const start = () => Customer.of({ discount, period, isTrial: false })

  test('deleting anything', { timeout: patience }, async () => {
    const customer = await start()
    const made: { form: Form; id: number }[] = []
    for (const form of [...forms, ...forms]) made.push({ form, id: await customer.create(form) })
    app().clock.advance(50 * day)
    await customer.chargeAt(app().clock.now())
    for (const { form, id } of made) {
      const charged = await billedFor(form.type, id)
      const quote = await customer.quote({ type: form.type, action: 'delete', id })
      expect(quote.monthly, form.name).toEqual({ now: await customer.costOf(form.type, id), next: 0 })
      expect(quote.billed.next).toEqual({ month: 0, year: 0 })
      await customer.call(`DELETE /api/v4/${form.route}/${id}`)
      await customer.chargeAt(app().clock.now())
      expect((await billedFor(form.type, id)) - charged, form.name).toBe(quote.dueNow)
    }
  })

  test('restoring anything, even if others have taken its free unit meanwhile', {
    timeout: patience,
  }, async () => {
    const customer = await start()
    const made: { form: Form; quote: PricePreview; id: number }[] = []
    for (const form of forms) {
      await customer.create(form)
      const id = await customer.create(form)
      await customer.call(`DELETE /api/v4/${form.route}/${id}`)
      await customer.create(form)
      const quote = await customer.quote({ type: form.type, action: 'restore', id })
      await customer.call(`POST /api/v4/${form.route}/${id}/restore`)
      expect(await customer.costOf(form.type, id), form.name).toBe(quote.monthly.next)
      made.push({ form, quote, id })
    }
    await customer.chargeAt(addMonths(app().clock.now(), 12))
    for (const { form, quote, id } of made) {
      const { month, year } = quote.billed.next
      expect(await billedFor(form.type, id), form.name).toBe(month * 12 + year)
    }
  })

  test.each([
    ['more storage', person('kolab'), { mailbox: 1, groupware: 1, storage: 12 }],
    ['less', person('kolab'), { mailbox: 1, storage: 5 }],
    ['a package for the other', person('lite'), { mailbox: 1, storage: 6, groupware: 1, activesync: 1 }],
    ['a shared room', room('room'), { 'group-room': 1 }],
    ['a room of one', room('group-room'), { room: 1 }],
  ])('choosing %s', { timeout: patience }, async (_, form, units) => {
    const customer = await start()
    for (let count = 0; count < 2; count++) await customer.create(form)
    const id = await customer.create(form)
    app().clock.advance(50 * day)
    await customer.chargeAt(app().clock.now())
    const charged = await billedFor(form.type, id)
    const wanted = Object.fromEntries(
      Object.entries(units).map(([title, count]) => [skus[title] ?? title, count]),
    )
    const quote = await customer.quote({ type: form.type, action: 'change', id, skus: wanted })
    await customer.call(`PUT /api/v4/${form.route}/${id}`, { skus: wanted })
    await customer.chargeAt(app().clock.now())
    expect((await billedFor(form.type, id)) - charged).toBe(quote.dueNow)
    expect(await customer.costOf(form.type, id)).toBe(quote.monthly.next)
    const sum = quote.lines.reduce((total, line) => total + line.monthly, 0)
    expect(sum).toBe(quote.monthly.next)
    // kept units are in the middle of their period, so only new ones run whole periods from here on
    const again = await customer.quote({ type: form.type, action: 'change', id, skus: wanted })
    expect(again).toMatchObject({ dueNow: 0, change: 0, monthly: { now: quote.monthly.next } })
  })
})

test('a form option costs what it was quoted at', async () => {
  const customer = await Customer.of({ discount: 30, period: 'monthly', isTrial: false })
  await customer.create(room('group-room'))
  await customer.create(room('group-room'))
  const quote = await customer.quote({ type: 'room', action: 'create', ...room('room').choice() })
  for (const option of quote.options) {
    const chosen = { skus: { [option.skuId]: option.quantity } }
    const { billed } = await customer.quote({ type: 'room', action: 'create', ...chosen })
    expect(billed.next).toEqual(option.billed)
  }
  expect(quote.options).toHaveLength(2)
})
