import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { assignPackage, SkuInactive } from '../entitlements.ts'
import { findPlan, readPlans } from '../plan-store.ts'
import { isDomainPlan, planCost } from '../plans.ts'
import { packageUnitCost } from '../prices/pricing.ts'
import { type Catalogue, CatalogueError, readCatalogue } from './catalogue-file.ts'
import { hasCatalogue, loadCatalogue } from './catalogue-store.ts'

const app = useTestApp()
const file = new URL('../../../catalogue.json', import.meta.url).pathname
let catalogue: Catalogue

beforeAll(async () => {
  catalogue = await readCatalogue(file)
})

const text = (en: string) => ({ en, de: en, fr: en, it: en })

/** Creates a tenant with a catalogue of one package and plan. */
async function tenantWith(id: number, change: (own: Catalogue) => void): Promise<number> {
  const own = structuredClone(catalogue)
  change(own)
  await makeTenant(app(), id)
  await loadCatalogue(app().database.db, id, own)
  return id
}

const packageId = async (tenantId: number, title: string) =>
  (
    await app()
      .database.db.selectFrom('packages')
      .select('id')
      .where('tenantId', '=', tenantId)
      .where('title', '=', title)
      .executeTakeFirstOrThrow()
  ).id

const costs = async (objectId: number, title: string) => {
  const rows = await app()
    .database.db.selectFrom('entitlements as e')
    .innerJoin('skus as s', 's.id', 'e.skuId')
    .select(['e.cost', 'e.fee'])
    .where('e.objectId', '=', objectId)
    .where('s.title', '=', title)
    .orderBy('e.id')
    .execute()
  return rows.map((row) => row.cost)
}

describe('the default catalogue', () => {
  test('has the prices of the reference', async () => {
    const plans = await readPlans(app().database.db, 0)
    expect(plans.map((plan) => [plan.title, planCost(plan), isDomainPlan(plan)])).toEqual([
      ['individual', 990, false],
      ['group', 990, true],
    ])
    const group = plans.find((plan) => plan.title === 'group')
    expect(Object.fromEntries(group?.packages.map((item) => [item.title, item.cost]) ?? [])).toEqual({
      kolab: 990,
      'domain-hosting': 0,
    })
  })

  test('sells the small package at 500', async () => {
    const id = await tenantWith(11, (own) => {
      own.plans = own.plans.slice(0, 1).map((plan) => ({ ...plan, title: 'small', packages: ['lite'] }))
    })
    expect((await readPlans(app().database.db, id)).map(planCost)).toEqual([500])
  })

  test('has every text in every language', () => {
    for (const item of [...catalogue.skus, ...catalogue.packages, ...catalogue.plans]) {
      for (const language of ['en', 'de', 'fr', 'it']) {
        expect(item.name[language], `${item.title} ${language}`).toBeTruthy()
        expect(item.description[language], `${item.title} ${language}`).toBeTruthy()
      }
    }
  })

  test('can be loaded again without changes, and updates are applied', async () => {
    const { db } = app().database
    const id = await tenantWith(12, () => {})
    const ids = async () =>
      await db
        .selectFrom('skus')
        .select(['id', 'title', 'cost'])
        .where('tenantId', '=', id)
        .orderBy('title')
        .execute()
    const before = await ids()
    await loadCatalogue(db, id, catalogue)
    expect(await ids()).toEqual(before)
    const dearer = structuredClone(catalogue)
    for (const sku of dearer.skus) if (sku.title === 'mailbox') sku.cost = 600
    await loadCatalogue(db, id, dearer)
    expect((await ids()).find((sku) => sku.title === 'mailbox')).toMatchObject({ cost: 600 })
    expect((await findPlan(db, id, 'individual'))?.packages[0]?.cost).toBe(1090)
    expect(await hasCatalogue(db, id)).toBe(true)
    expect(await hasCatalogue(db, await makeTenant(app(), 13))).toBe(false)
  })
})

describe('the price of a plan', () => {
  const item = {
    id: 'x',
    title: 'x',
    isDomain: false,
    cost: 990,
    yearCost: 11_880,
    qty: 1,
    qtyMin: 0,
    skus: [],
  }
  test.each([
    [[item], 1, 990],
    [[item], 12, 11_880],
    [[{ ...item, qty: 3 }], 1, 2970],
    [[{ ...item, qty: 3, qtyMin: 5 }], 1, 4950],
    [[item, { ...item, cost: 10, yearCost: 120 }], 2, 2000],
    // yearly price: exact for a full year, proportional for less
    [[{ ...item, cost: 100, yearCost: 1205 }], 12, 1205],
    [[{ ...item, cost: 100, yearCost: 1205 }], 3, 301],
    [[], 1, 0],
  ])('%j for %i months is %i', (packages, months, expected) => {
    expect(planCost({ packages, months })).toBe(expected)
  })

  test("of a unit is its own, or else the SKU's less the discount, in whole cents", () => {
    expect(packageUnitCost({ cost: null }, { cost: 500 }, 0)).toBe(500)
    expect(packageUnitCost({ cost: null }, { cost: 500 }, 30)).toBe(350)
    expect(packageUnitCost({ cost: null }, { cost: 25 }, 50)).toBe(13)
    expect(packageUnitCost({ cost: null }, { cost: 500 }, 100)).toBe(0)
    expect(packageUnitCost({ cost: 400 }, { cost: 500 }, 30)).toBe(400)
    expect(packageUnitCost({ cost: 0 }, { cost: 500 }, 0)).toBe(0)
  })
})

describe('assigning a package', () => {
  const give = async (tenantId: number, title: string, user: { id: number; walletId: string }) =>
    assignPackage(
      app().database.db,
      app().clock,
      await packageId(tenantId, title),
      { type: 'user', id: user.id },
      user.walletId,
    )

  test('with seven units of storage, five of them free, charges for two', async () => {
    const tenantId = await tenantWith(14, (own) => {
      for (const item of own.packages) if (item.title === 'kolab') item.skus.storage = 7
    })
    const user = await makeUser(app(), { tenantId, plan: null })
    await give(tenantId, 'kolab', user)
    expect(await costs(user.id, 'storage')).toEqual([0, 0, 0, 0, 0, 25, 25])
    expect((await findPlan(app().database.db, tenantId, 'individual'))?.packages[0]?.cost).toBe(990 + 50)
  })

  test('counts free units the user already has', async () => {
    const user = await makeUser(app())
    expect(await costs(user.id, 'storage')).toEqual([0, 0, 0, 0, 0])
    await give(0, 'lite', user)
    expect(await costs(user.id, 'storage')).toEqual([0, 0, 0, 0, 0, 25, 25, 25, 25, 25])
    const other = await makeUser(app(), { walletId: user.walletId })
    expect(await costs(other.id, 'storage')).toEqual([0, 0, 0, 0, 0])
  })

  test('makes one domain per account free', async () => {
    const user = await makeUser(app())
    const { db } = app().database
    for (const [id, cost] of [
      [101, 0],
      [102, 100],
    ] as const) {
      await assignPackage(
        db,
        app().clock,
        await packageId(0, 'domain-hosting'),
        { type: 'domain', id },
        user.walletId,
      )
      expect(await costs(id, 'domain-hosting')).toEqual([cost])
    }
  })

  test('starts billing at the time of creation', async () => {
    const user = await makeUser(app())
    const rows = await app()
      .database.db.selectFrom('entitlements')
      .selectAll()
      .where('objectId', '=', user.id)
      .execute()
    for (const row of rows) {
      expect(row).toMatchObject({
        createdAt: app().clock.now(),
        billedUntil: app().clock.now(),
        deletedAt: null,
      })
    }
  })

  test('with a SKU that is not on sale fails', async () => {
    const tenantId = await tenantWith(15, (own) => {
      for (const sku of own.skus) if (sku.title === 'groupware') sku.active = false
    })
    const user = await makeUser(app(), { tenantId, plan: null })
    await expect(give(tenantId, 'kolab', user)).rejects.toThrow(SkuInactive)
  })
})

describe('a catalogue file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalogue-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const read = async (contents: unknown) => {
    const path = join(folder, 'catalogue.json')
    await writeFile(path, typeof contents === 'string' ? contents : JSON.stringify(contents))
    return readCatalogue(path)
  }
  const sku = { title: 'a', name: text('A'), description: text('A'), cost: 1, handler: 'Mailbox' }
  const pack = { title: 'p', name: text('P'), description: text('P'), skus: { a: 1 } }
  const plan = { title: 'plan', name: text('X'), description: text('X'), packages: ['p'] }
  const whole = { skus: [sku], packages: [pack], plans: [plan] }

  test('is read if complete', async () => {
    expect(await read(whole)).toMatchObject({ plans: [{ mode: 'email', months: 1, hidden: false }] })
  })

  test.each([
    ['no JSON', '{', /catalogue\.json/],
    ['a missing part', { skus: [] }, /packages/],
    ['a price with a fraction', { ...whole, skus: [{ ...sku, cost: 1.5 }] }, /cost/],
    ['a negative price', { ...whole, skus: [{ ...sku, cost: -1 }] }, /cost/],
    ['an unknown handler', { ...whole, skus: [{ ...sku, handler: 'mailbox' }] }, /handler/],
    ['a missing language', { ...whole, skus: [{ ...sku, name: { en: 'A' } }] }, /name/],
    ['an unknown SKU', { ...whole, packages: [{ ...pack, skus: { b: 1 } }] }, /package p has unknown SKU b/],
    [
      'an unknown package',
      { ...whole, plans: [{ ...plan, packages: ['q'] }] },
      /plan plan has unknown package q/,
    ],
    [
      'a title that is no address',
      { ...whole, plans: [{ ...plan, title: 'my plan' }] },
      /letters and underscore/,
    ],
    ['a plan without packages', { ...whole, plans: [{ ...plan, packages: [] }] }, /packages/],
    ['an unknown mode', { ...whole, plans: [{ ...plan, mode: 'free' }] }, /mode/],
  ])('with %s is rejected with the location', async (_, contents, place) => {
    const outcome = await read(contents).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(CatalogueError)
    expect(String(outcome)).toMatch(place)
  })

  test('is named in the error if missing', async () => {
    await expect(readCatalogue(join(folder, 'none.json'))).rejects.toThrow(/none\.json/)
  })
})
