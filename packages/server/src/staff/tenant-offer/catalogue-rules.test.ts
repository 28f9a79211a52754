import { describe, expect, test } from 'vitest'
import type { HandlerName } from '../../subscriptions/handlers.ts'
import { usualOfferLimits } from '../../tenants/offer-limit-store.ts'
import type { Catalogue, Package, Product, SalesPlan } from './catalogue.ts'
import { type OfferRules, packageProblems, planProblems, productProblems } from './catalogue-rules.ts'

const rules: OfferRules = { limits: usualOfferLimits, takesPayments: true, language: 'en' }
const unlimited: OfferRules = { ...rules, limits: null }

function product(id: string, handler: HandlerName, facts: Partial<Product> = {}): Product {
  return {
    ...{ id, title: id, name: { en: id }, description: {}, cost: 500, fee: 300, unitsFree: 0 },
    ...{ period: 'monthly', handler, active: true, revision: 0, ...facts },
  }
}

function pack(id: string, skus: Record<string, number>, facts: Partial<Package> = {}): Package {
  const items = Object.entries(skus).map(([skuId, qty]) => ({ skuId, qty, cost: null }))
  return { id, title: id, name: { en: id }, description: {}, discountRate: 0, items, revision: 0, ...facts }
}

function plan(facts: Partial<SalesPlan> = {}): SalesPlan {
  return {
    ...{ id: 'plan', title: 'plan', name: { en: 'Plan' }, description: {}, mode: 'email', months: 1 },
    ...{ freeMonths: 0, hidden: false, packageIds: ['lite'], revision: 0, ...facts },
  }
}

const products = [
  product('mailbox', 'Mailbox'),
  product('storage', 'Storage', { cost: 25, fee: 16, unitsFree: 5 }),
  product('groupware', 'Groupware'),
  product('activesync', 'Activesync', { cost: 0, fee: 0 }),
  product('2fa', 'Auth2F', { cost: 0, fee: 0 }),
  product('hosting', 'DomainHosting', { cost: 100, fee: 66, unitsFree: 1 }),
  product('list', 'Group'),
]
const lite = pack('lite', { mailbox: 1, storage: 5 })
const hosting = pack('hosting', { hosting: 1 })
const catalogue: Catalogue = { products, packages: [lite, hosting], plans: [plan()] }

/** Error keys by field; for a map, by SKU. */
function keys(problems: ReturnType<typeof packageProblems>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(problems).map(([field, found]) => [
      field,
      found instanceof Map
        ? Object.fromEntries([...found].map(([id, { key }]) => [id, key]))
        : 'key' in found && found.key,
    ]),
  )
}

const withPackage = (item: Package): Catalogue => ({
  ...catalogue,
  packages: [...catalogue.packages.filter(({ id }) => id !== item.id), item],
})

describe('a package', () => {
  test.each<[string, Package, Record<string, unknown>]>([
    ['of what every user has passes', lite, {}],
    ['with more storage passes', pack('x', { mailbox: 1, storage: 9 }), {}],
    ['for a domain passes', hosting, {}],
    ['of nothing is refused', pack('x', {}), { skus: 'tenant-offer.package-empty' }],
    [
      'without a mailbox is refused',
      pack('x', { storage: 5 }),
      { skus: { mailbox: 'subscriptions.mandatory' } },
    ],
    [
      'with too little storage is refused',
      pack('x', { mailbox: 1, storage: 4 }),
      { skus: { storage: 'subscriptions.min-gb' } },
    ],
    [
      'with too much is refused',
      pack('x', { mailbox: 1, storage: 101 }),
      { skus: { storage: 'subscriptions.max-gb' } },
    ],
    [
      'with two mailboxes is refused',
      pack('x', { mailbox: 2, storage: 5 }),
      { skus: { mailbox: 'subscriptions.single' } },
    ],
    [
      'without what another needs is refused',
      pack('x', { mailbox: 1, storage: 5, activesync: 1 }),
      { skus: { activesync: 'subscriptions.requires' } },
    ],
    [
      'of what excludes each other is refused',
      pack('x', { mailbox: 1, storage: 5, groupware: 1, activesync: 1, '2fa': 1 }),
      { skus: { '2fa': 'subscriptions.forbids', activesync: 'subscriptions.forbids' } },
    ],
    [
      'for a user and a domain is refused',
      pack('x', { mailbox: 1, storage: 5, hosting: 1 }),
      { skus: { mailbox: 'subscriptions.wrong-type', storage: 'subscriptions.wrong-type' } },
    ],
    [
      'of another tenant’s product is refused',
      pack('x', { mailbox: 1, storage: 5, foreign: 1 }),
      { skus: { foreign: 'subscriptions.unknown' } },
    ],
    [
      'with a higher discount than allowed is refused',
      pack('x', { mailbox: 1, storage: 5 }, { discountRate: 51 }),
      { discountRate: 'tenant-offer.package-discount', skus: { mailbox: 'tenant-offer.below-fee' } },
    ],
    [
      'whose discount goes below the fee is refused',
      pack('x', { mailbox: 1, storage: 5 }, { discountRate: 41 }),
      { skus: { mailbox: 'tenant-offer.below-fee' } },
    ],
    [
      'whose discount reaches the fee passes',
      pack('x', { mailbox: 1, storage: 5 }, { discountRate: 40 }),
      {},
    ],
  ])('%s', (_, item, expected) => {
    expect(keys(packageProblems(item, { before: catalogue, after: withPackage(item) }, rules))).toEqual(
      expected,
    )
  })

  test('of the service itself may have any price', () => {
    const item = pack('x', { mailbox: 1, storage: 5 }, { discountRate: 100 })
    expect(packageProblems(item, { before: catalogue, after: withPackage(item) }, unlimited)).toEqual({})
  })

  test('keeps a discount that predates the limit', () => {
    const old = pack('lite', { mailbox: 1, storage: 5 }, { discountRate: 90 })
    const before = withPackage(old)
    const renamed = { ...old, name: { en: 'Light' } }
    expect(packageProblems(renamed, { before, after: withPackage(renamed) }, rules)).toEqual({})
  })

  test('that is part of a plan must stay a user package', () => {
    const item = pack('lite', { hosting: 1 })
    expect(keys(packageProblems(item, { before: catalogue, after: withPackage(item) }, rules))).toEqual({
      skus: 'tenant-offer.package-kind',
    })
  })
})

describe('a product', () => {
  const change = (id: string, facts: Partial<Product>, before = catalogue, by = rules) => {
    const found = before.products.find((one) => one.id === id) ?? product(id, 'Mailbox')
    const changed = { ...found, ...facts }
    const after = { ...before, products: before.products.map((one) => (one.id === id ? changed : one)) }
    return keys(productProblems(changed, { before, after }, by))
  }
  const discounted = withPackage(pack('lite', { mailbox: 1, storage: 5 }, { discountRate: 40 }))

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['may cost as much as the fee', change('mailbox', { cost: 300 }), {}],
    ['may not cost less', change('mailbox', { cost: 299 }), { cost: 'tenant-offer.below-fee' }],
    [
      'may where the service allows it',
      change('mailbox', { cost: 0 }, catalogue, {
        ...rules,
        limits: { ...usualOfferLimits, belowFee: true },
      }),
      {},
    ],
    [
      'may not with the discount of a package',
      change('mailbox', { cost: 499 }, discounted),
      { cost: 'tenant-offer.below-fee-in' },
    ],
    [
      'of a plan’s package stays on sale',
      change('mailbox', { active: false }),
      { active: 'tenant-offer.package-needs' },
    ],
    ['of no package may be taken off sale', change('groupware', { active: false }), {}],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  test('required for every user is put on sale only once packages of plans include it', () => {
    const off = products.map((one) => (one.id === 'storage' ? { ...one, active: false } : one))
    const before = { ...withPackage(pack('lite', { mailbox: 1 })), products: off }
    expect(change('storage', { active: true }, before)).toEqual({ active: 'tenant-offer.package-needs' })
  })

  test('whose old price is too low can be renamed', () => {
    const cheap = products.map((one) => (one.id === 'mailbox' ? { ...one, cost: 1 } : one))
    expect(change('mailbox', { name: { en: 'Mail' } }, { ...catalogue, products: cheap })).toEqual({})
  })
})

describe('a plan', () => {
  const broken = withPackage(pack('bare', { mailbox: 1 }))
  test.each<[string, Partial<SalesPlan>, Catalogue, Partial<OfferRules>, Record<string, unknown>]>([
    ['with a package for users passes', {}, catalogue, {}, {}],
    ['with one for a domain too passes', { packageIds: ['lite', 'hosting'] }, catalogue, {}, {}],
    [
      'without packages is refused',
      { packageIds: [] },
      catalogue,
      {},
      { packages: 'tenant-offer.plan-empty' },
    ],
    [
      'with an unknown package only is refused',
      { packageIds: ['x'] },
      catalogue,
      {},
      { packages: 'tenant-offer.plan-empty' },
    ],
    [
      'with an unknown package is refused',
      { packageIds: ['lite', 'x'] },
      catalogue,
      {},
      { packages: 'tenant-offer.package-unknown' },
    ],
    [
      'with the same package twice is refused',
      { packageIds: ['lite', 'lite'] },
      catalogue,
      {},
      { packages: 'tenant-offer.package-twice' },
    ],
    [
      'for a domain only is refused',
      { packageIds: ['hosting'] },
      catalogue,
      {},
      { packages: 'tenant-offer.plan-no-user' },
    ],
    [
      'with an incomplete package is refused',
      { packageIds: ['bare'] },
      broken,
      {},
      { packages: 'tenant-offer.package-broken' },
    ],
    [
      'with two packages for users is refused',
      { packageIds: ['lite', 'more'] },
      withPackage(pack('more', { mailbox: 1, storage: 9 })),
      {},
      { packages: 'tenant-offer.packages-clash' },
    ],
    [
      'with too many free months is refused',
      { freeMonths: 4 },
      catalogue,
      {},
      { freeMonths: 'tenant-offer.free-months' },
    ],
    ['of the service may have more free months', { freeMonths: 12 }, catalogue, { limits: null }, {}],
    [
      'in a mode that is not allowed is refused',
      { mode: 'mandate' },
      catalogue,
      { limits: { ...usualOfferLimits, planModes: ['email'] } },
      { mode: 'tenant-offer.mode-not-allowed' },
    ],
    [
      'paid at once where nobody takes payments is refused',
      { mode: 'mandate' },
      catalogue,
      { takesPayments: false },
      { mode: 'tenant-offer.mode-unpayable' },
    ],
  ])('%s', (_, facts, before, by, expected) => {
    const found = planProblems(plan({ id: 'new', ...facts }), before, {
      ...rules,
      ...by,
      hasUsableTokens: false,
    })
    expect(keys(found)).toEqual(expected)
  })

  test('keeps token mode while tokens refer to it', () => {
    const before = { ...catalogue, plans: [plan({ mode: 'token' })] }
    const found = planProblems(plan({ mode: 'email' }), before, { ...rules, hasUsableTokens: true })
    expect(keys(found)).toEqual({ mode: 'tenant-offer.mode-has-tokens' })
    expect(
      planProblems(plan({ mode: 'token', months: 3 }), before, { ...rules, hasUsableTokens: true }),
    ).toEqual({})
  })

  test('keeps a mode and free months that predate the limits', () => {
    const old = plan({ mode: 'mandate', freeMonths: 12 })
    const before = { ...catalogue, plans: [old] }
    const limits = { ...usualOfferLimits, planModes: ['email' as const], freeMonths: 0 }
    expect(
      planProblems({ ...old, hidden: true }, before, { ...rules, limits, hasUsableTokens: false }),
    ).toEqual({})
  })
})
