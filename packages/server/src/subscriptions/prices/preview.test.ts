import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import {
  type MadeUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { countRows } from '../../testing/signup/sign-up.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { readCatalogue } from '../catalogue/catalogue-file.ts'
import { loadCatalogue } from '../catalogue/catalogue-store.ts'
import { changeSubscriptions } from '../change-subscriptions.ts'
import { subscriptionsOf } from '../subscriptions-of.ts'

const app = useTestApp()
let skus: Record<string, string> = {}
let packages: Record<string, string> = {}

async function idsByTitle(table: 'skus' | 'packages'): Promise<Record<string, string>> {
  const rows = await app()
    .database.db.selectFrom(table)
    .select(['id', 'title'])
    .where('tenantId', '=', 0)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.title, row.id]))
}

beforeAll(async () => {
  skus = await idsByTitle('skus')
  packages = await idsByTitle('packages')
})

const byId = (wanted: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(wanted).map(([title, value]) => [skus[title] ?? title, value]))

/** Creates an owner with a given account age and discount. */
async function makeOwner(facts: { discount?: number; plan?: string | null } = {}) {
  const owner = await makeUser(app(), { plan: facts.plan === undefined ? 'individual' : facts.plan })
  if (facts.discount !== undefined) {
    await app()
      .database.db.updateTable('wallets')
      .set({ discountId: await makeDiscount(app(), { discount: facts.discount }) })
      .where('id', '=', owner.walletId)
      .execute()
  }
  return owner
}

async function preview(by: MadeUser, path: string, body: unknown, language = 'en') {
  const { access_token: token } = await signInAs(app(), by)
  return app().call(`POST /api/v4/users/${path}`, { token, body, headers: { 'accept-language': language } })
}

const byMonth = (month: number) => ({ month, year: 0 })

const line = (title: string, name: string, facts: { quantity: number; monthly: number; change: number }) => ({
  ...{ skuId: skus[title], title, name, billed: byMonth(facts.monthly) },
  ...facts,
})

const kolab = { mailbox: 1, groupware: 1, storage: 5 }

describe('the price of a new user', () => {
  test("is the package's; nothing is due yet and a trial runs", async () => {
    const owner = await makeOwner()
    const { status, body } = await preview(owner, 'preview', { package: packages.kolab })
    expect(status).toBe(200)
    expect(body).toEqual({
      currency: 'CHF',
      discount: 0,
      dueNow: 0,
      monthly: { now: 0, next: 990 },
      change: 990,
      billed: { now: byMonth(0), next: byMonth(990) },
      lines: [
        line('mailbox', 'Mailbox', { quantity: 1, monthly: 500, change: 500 }),
        line('storage', 'Storage', { quantity: 5, monthly: 0, change: 0 }),
        line('groupware', 'Groupware', { quantity: 1, monthly: 490, change: 490 }),
      ],
      options: [
        { skuId: skus.mailbox, quantity: 1, billed: byMonth(500), change: 500 },
        { skuId: skus.storage, quantity: 5, billed: byMonth(0), change: 0 },
        { skuId: skus.groupware, quantity: 1, billed: byMonth(490), change: 490 },
        { skuId: skus.activesync, quantity: 1, billed: byMonth(0), change: 0 },
        { skuId: skus['2fa'], quantity: 1, billed: byMonth(0), change: 0 },
      ],
      packages: [
        { id: packages.kolab, billed: byMonth(990) },
        { id: packages.lite, billed: byMonth(500) },
      ],
      trialUntil: '2026-04-10 12:00:00',
      later: [],
    })
  })

  test('includes the chosen subscriptions and the discount', async () => {
    const owner = await makeOwner({ discount: 30 })
    const { body } = await preview(
      owner,
      'preview',
      { package: packages.lite, skus: byId({ ...kolab, storage: 10 }) },
      'de',
    )
    expect(body).toMatchObject({ discount: 30, monthly: { now: 0, next: 343 + 350 + 5 * 17 } })
    expect(body.lines.map((line: { name: string; monthly: number }) => [line.name, line.monthly])).toEqual([
      ['Postfach', 350],
      ['Speicherplatz', 85],
      ['Groupware', 343],
    ])
  })

  test('has no trial if the plan has none or it has ended', async () => {
    const planless = await makeOwner({ plan: null })
    expect((await preview(planless, 'preview', { package: packages.lite })).body.trialUntil).toBeNull()
    const owner = await makeOwner()
    app().clock.advance(40 * day)
    const { body } = await preview(owner, 'preview', { package: packages.lite })
    expect(body.trialUntil).toBeNull()
  })

  test.each([
    ['no package', {}, { package: 'Choose a package.' }],
    ['none', { package: null }, { package: 'Choose a package.' }],
    ['no id', { package: 'kolab' }, { package: 'Choose a package.' }],
    ['an unknown one', { package: '01890000-0000-7000-8000-000000000000' }, { package: 'Choose a package.' }],
  ])('needs a package: %s', async (_, body, errors) => {
    const owner = await makeOwner()
    const answer = await preview(owner, 'preview', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual(errors)
  })

  test('rejects a domain package, and reports errors of subscriptions as well', async () => {
    const owner = await makeOwner()
    const answer = await preview(owner, 'preview', {
      package: packages['domain-hosting'],
      skus: byId({ ...kolab, mailbox: 2 }),
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({
      package: 'This package can’t be used here. Choose another one.',
      skus: { [skus.mailbox ?? '']: 'Mailbox can be added only once.' },
    })
  })

  test('is rejected for a package that is not on sale', async () => {
    const tenantId = await makeTenant(app(), 41)
    const catalogue = await readCatalogue(new URL('../../../catalogue.json', import.meta.url).pathname)
    for (const sku of catalogue.skus) if (sku.title === 'groupware') sku.active = false
    await loadCatalogue(app().database.db, tenantId, catalogue)
    const owner = await makeUser(app(), { tenantId, plan: null })
    const row = await app()
      .database.db.selectFrom('packages')
      .select('id')
      .where('tenantId', '=', tenantId)
      .where('title', '=', 'kolab')
      .executeTakeFirstOrThrow()
    const own = await preview(owner, 'preview', { package: row.id })
    expect(own.body.errors).toEqual({ package: 'This package isn’t on sale. Choose another one.' })
    const foreign = await preview(owner, 'preview', { package: packages.kolab })
    expect(foreign.body.errors).toEqual({ package: 'Choose a package.' })
  })

  test('is limited to those who control the account', async () => {
    const owner = await makeOwner()
    const member = await makeUser(app(), { walletId: owner.walletId })
    expect((await preview(member, 'preview', { package: packages.kolab })).status).toBe(403)
    expect((await preview(member, 'preview', { package: 5 })).status).toBe(403)
  })
})

describe('the price of a change', () => {
  test('shows additions, removals and what these accrued', async () => {
    const owner = await makeOwner({ plan: null, discount: 30 })
    const member = await makeUser(app(), { walletId: owner.walletId })
    const start = app().clock.now()
    app().clock.advance(20 * day)
    const { status, body } = await preview(owner, `${member.id}/preview`, {
      skus: byId({ mailbox: 1, storage: 7 }),
    })
    expect(status).toBe(200)
    const days = (parts: number, whole: number) => Math.floor((490 * 70 * parts) / (100 * whole))
    const end = app().clock.now()
    const inEnd = Math.min(20, end.getUTCDate())
    const length = (moment: Date) =>
      new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
    expect(body).toMatchObject({
      discount: 30,
      dueNow: days(inEnd, length(end)) + days(20 - inEnd, length(start)),
      monthly: { now: 343 + 350, next: 350 + 2 * 17 },
      trialUntil: null,
      later: [],
    })
    expect(body.lines).toEqual([
      line('mailbox', 'Mailbox', { quantity: 1, monthly: 350, change: 0 }),
      line('storage', 'Storage', { quantity: 7, monthly: 34, change: 34 }),
      line('groupware', 'Groupware', { quantity: 0, monthly: 0, change: -343 }),
    ])
  })

  test.each([
    ['within fourteen days', 13 * day, {}],
    ['in the trial', 20 * day, { plan: 'individual' }],
    ['at full discount', 20 * day, { discount: 100 }],
  ])('nothing is due for what goes %s', async (_, age, facts) => {
    const owner = await makeOwner({ plan: null, ...facts })
    const member = await makeUser(app(), { walletId: owner.walletId })
    app().clock.advance(age)
    const { body } = await preview(owner, `${member.id}/preview`, { skus: byId({ mailbox: 1, storage: 5 }) })
    expect(body.dueNow).toBe(0)
  })

  test('has nothing due while the account is degraded', async () => {
    const owner = await makeOwner({ plan: null })
    const member = await makeUser(app(), { walletId: owner.walletId })
    app().clock.advance(20 * day)
    const due = async () => (await preview(owner, `${member.id}/preview`, { delete: true })).body.dueNow
    expect(await due()).toBeGreaterThan(0)
    await setStatus(app(), owner, userStatus.new | userStatus.active | userStatus.degraded)
    expect(await due()).toBe(0)
  })

  test('matches the actual change, and the preview changes nothing', async () => {
    const owner = await makeOwner()
    const wanted = byId({ ...kolab, storage: 12, activesync: 1 })
    await preview(owner, `${owner.id}/preview`, { skus: wanted })
    const before = await countRows(app())
    const { body } = await preview(owner, `${owner.id}/preview`, { skus: wanted })
    const after = await countRows(app())
    expect(after.entitlements).toBe(before.entitlements)
    await app()
      .database.db.transaction()
      .execute((trx) =>
        changeSubscriptions(trx, app().clock, {
          object: { type: 'user', id: owner.id },
          tenantId: 0,
          walletId: owner.walletId,
          wanted,
          actor: { isStaff: false, isController: true, mayBuy: true },
          language: 'en',
          isOffered: true,
        }),
      )
    const held = (await subscriptionsOf(app().database.db, 'user', [owner.id])).get(owner.id) ?? {}
    const costs = Object.values(held).flatMap((one) => one.costs)
    expect(body.monthly.next).toBe(costs.reduce((sum, cost) => sum + cost, 0))
    for (const line of body.lines) expect(held[line.skuId]?.count).toBe(line.quantity)
  })

  test('can be previewed concurrently without blocking', async () => {
    const owner = await makeOwner()
    const { access_token: token } = await signInAs(app(), owner)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        app().call(`POST /api/v4/users/${owner.id}/preview`, {
          token,
          body: { skus: byId({ ...kolab, storage: 5 + index }) },
        }),
      ),
    )
    expect(answers.map(({ body }) => body.monthly.next)).toEqual(answers.map((_, index) => 990 + 25 * index))
  })
})

describe('the price of deleting', () => {
  test('a user covers everything the user has', async () => {
    const owner = await makeOwner()
    const member = await makeUser(app(), { walletId: owner.walletId })
    const { body } = await preview(owner, `${member.id}/preview`, { delete: true })
    expect(body.monthly).toEqual({ now: 990, next: 0 })
    expect(
      body.lines.map((line: { quantity: number; change: number }) => [line.quantity, line.change]),
    ).toEqual([
      [0, -500],
      [0, 0],
      [0, -490],
    ])
  })

  test('the owner covers everything in the account', async () => {
    const owner = await makeOwner()
    await makeUser(app(), { walletId: owner.walletId })
    await makeDomain(app(), 'ending.test', { walletId: owner.walletId })
    const { body } = await preview(owner, `${owner.id}/preview`, { delete: true })
    expect(body.monthly).toEqual({ now: 1980, next: 0 })
    expect(body.lines.map((line: { title: string }) => line.title)).toContain('domain-hosting')
  })
})

describe('a change is rejected', () => {
  const uuid = '01890000-0000-7000-8000-000000000000'
  test.each<[string, unknown, Record<string, string>]>([
    ['nothing', {}, { mailbox: 'Mailbox is always included', storage: 'Storage needs at least 5 GB' }],
    ['an unknown SKU', { ...kolab, [uuid]: 1 }, { [uuid]: 'This subscription doesn’t exist.' }],
    ['a SKU by its title', { ...kolab, Mailbox: 1 }, { Mailbox: 'This subscription doesn’t exist.' }],
    ['less than nothing', { ...kolab, groupware: -1 }, { groupware: 'Enter a whole number' }],
    ['a fraction', { ...kolab, storage: 5.5 }, { storage: 'Enter a whole number' }],
    ['a fraction as text', { ...kolab, storage: '5.5' }, { storage: 'Enter a whole number' }],
    ['a text', { ...kolab, storage: 'many' }, { storage: 'Enter a whole number' }],
    ['null', { ...kolab, storage: null }, { storage: 'Enter a whole number' }],
    ['nothing as text', { ...kolab, storage: '' }, { storage: 'Enter a whole number' }],
    ['a list', { ...kolab, storage: [7] }, { storage: 'Enter a whole number' }],
    ['true', { ...kolab, groupware: true }, { groupware: 'Enter a whole number' }],
    ['a billion', { ...kolab, storage: 1e9 }, { storage: 'Storage can have at most 100 GB' }],
    ['beyond numbers', { ...kolab, storage: 1e308 }, { storage: 'Enter a whole number' }],
    ['no mailbox', { ...kolab, mailbox: 0 }, { mailbox: 'Mailbox is always included' }],
    ['two mailboxes', { ...kolab, mailbox: 2 }, { mailbox: 'Mailbox can be added only once.' }],
    ['too little storage', { ...kolab, storage: 4 }, { storage: 'Storage needs at least 5 GB' }],
    ['too much storage', { ...kolab, storage: 101 }, { storage: 'Storage can have at most 100 GB' }],
    [
      'activesync without groupware',
      { mailbox: 1, storage: 5, activesync: 1 },
      { activesync: 'Mobile synchronisation requires Groupware. Add it first.' },
    ],
    [
      'activesync with a second factor',
      { ...kolab, activesync: 1, '2fa': 1 },
      {
        activesync:
          'Mobile synchronisation and Two-step verification can’t be used together. Choose one of them.',
        '2fa': 'Two-step verification and Mobile synchronisation can’t be used together. Choose one of them.',
      },
    ],
    [
      'a room',
      { ...kolab, room: 1, 'group-room': 1 },
      { room: 'Meeting room can’t be used here.', 'group-room': 'Shared meeting room can’t be used here.' },
    ],
    ['what is not on sale', { ...kolab, domain: 1 }, { domain: 'Domain can’t be used here.' }],
  ])('%s', async (_, wanted, expected) => {
    const owner = await makeOwner()
    const { status, body } = await preview(owner, `${owner.id}/preview`, {
      skus: byId(wanted as Record<string, unknown>), // the table contains only maps
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['skus'])
    expect(body.errors.skus).toEqual(
      Object.fromEntries(
        Object.entries(byId(expected)).map(([id, text]) => [id, expect.stringContaining(String(text))]),
      ),
    )
  })

  test.each([
    ['a list', []],
    ['a list of ids', ['a']],
    ['a text', 'mailbox'],
    ['a number', 1],
    ['nothing at all', null],
    ['absent', undefined],
    ['too many entries', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`sku${index}`, 1]))],
    ['a name without end', { ['x'.repeat(1000)]: 1 }],
  ])('as a whole: %s', async (_, wanted) => {
    const owner = await makeOwner()
    const { status, body } = await preview(owner, `${owner.id}/preview`, { skus: wanted })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['skus'])
  })

  test.each([
    ['de', 'Mobile Synchronisation setzt Groupware voraus. Fügen Sie das zuerst hinzu.'],
    ['fr', 'Synchronisation mobile nécessite Collecticiel. Ajoutez-le d’abord.'],
    ['it', 'Sincronizzazione mobile richiede Groupware. Aggiungerlo prima.'],
  ])('in %s', async (language, sentence) => {
    const owner = await makeOwner()
    const wanted = byId({ mailbox: 1, storage: 5, activesync: 1 })
    const { body } = await preview(owner, `${owner.id}/preview`, { skus: wanted }, language)
    expect(body.errors.skus).toEqual({ [skus.activesync ?? '']: sentence })
  })

  test('for unauthorized callers, before validating the input', async () => {
    const owner = await makeOwner()
    const member = await makeUser(app(), { walletId: owner.walletId })
    const stranger = await makeOwner()
    const body = { skus: 'nonsense' }
    expect((await preview(member, `${member.id}/preview`, body)).status).toBe(403)
    expect((await preview(member, `${owner.id}/preview`, body)).status).toBe(403)
    expect((await preview(stranger, `${member.id}/preview`, body)).status).toBe(403)
    expect((await preview(owner, 'x/preview', body)).status).toBe(404)
  })
})
