import { permissionFlag, permissions } from '@gatehouse/contract/permissions'
import { describe, expect, test } from 'vitest'
import { type Features, type PermissionFacts, permissionFlags } from './permissions.ts'

const everything: Features = {
  companionapps: true,
  delegation: true,
  distlists: true,
  files: true,
  folders: true,
  loginAs: true,
  mailfilter: true,
  payments: true,
  resources: true,
  rooms: true,
  subscriptions: true,
  wallets: true,
}

const nothing = Object.fromEntries(
  Object.keys(everything).map((name) => [name, false]),
) as unknown as Features

const controller: PermissionFacts = {
  isController: true,
  isDegraded: false,
  hasCustomDomain: true,
  plan: { mode: 'email', hasDomain: true },
  userSkus: ['mailbox'],
  tenantSkus: new Set(['mailbox', 'room', 'domain-hosting']),
}

/** Returns the names of enabled flags, without "enable". */
function enabled(facts: Partial<PermissionFacts>, features: Features = everything): string[] {
  const flags = permissionFlags({ ...controller, ...facts }, features)
  return Object.entries(flags)
    .filter(([, on]) => on)
    .map(([flag]) => flag.slice('enable'.length))
    .sort()
}

const all = permissions.map((name) => permissionFlag(name).slice('enable'.length)).sort()
const without = (...names: string[]) => all.filter((name) => !names.includes(name))

describe('the permissions of', () => {
  test('a controller with a domain and all features include everything', () => {
    expect(enabled({})).toEqual(all)
  })

  test('a member who controls nothing are those that need no account', () => {
    expect(enabled({ isController: false })).toEqual([
      'Beta',
      'Companionapps',
      'Delegation',
      'Files',
      'Rooms',
    ])
  })

  test('a controller with all features off are those that need no feature', () => {
    expect(enabled({}, nothing)).toEqual(['Beta', 'Domains', 'Settings', 'Users'])
  })

  test.each([
    ['degraded', { isDegraded: true }, without('Files', 'Rooms')],
    [
      'without a domain, on a domain plan',
      { hasCustomDomain: false },
      without('Distlists', 'Folders', 'Resources'),
    ],
    [
      'without a domain, on a plan without',
      { hasCustomDomain: false, plan: { mode: 'email', hasDomain: false } },
      without('Distlists', 'Domains', 'Folders', 'Resources'),
    ],
    [
      'without a domain and plan',
      { hasCustomDomain: false, plan: undefined },
      without('Distlists', 'Domains', 'Folders', 'Resources'),
    ],
    ['with a domain, on a plan without', { plan: { mode: 'email', hasDomain: false } }, all],
    ['on a plan in mandate mode', { plan: { mode: 'mandate', hasDomain: true } }, without('WalletPayments')],
    ['on a plan in token mode', { plan: { mode: 'token', hasDomain: true } }, all],
    ['where no rooms are sold', { tenantSkus: new Set(['mailbox']) }, without('Rooms')],
    [
      'where beta is sold and not bought',
      { tenantSkus: new Set(['room', 'beta']) },
      without('Beta', 'Companionapps', 'Files', 'Resources'),
    ],
    ['where beta is sold and bought', { tenantSkus: new Set(['room', 'beta']), userSkus: ['beta'] }, all],
  ] as [string, Partial<PermissionFacts>, string[]][])('a controller %s', (_, facts, expected) => {
    expect(enabled(facts)).toEqual(expected)
  })

  test.each([
    ['companionapps', ['Companionapps']],
    ['delegation', ['Delegation']],
    ['distlists', ['Distlists']],
    ['files', ['Files']],
    ['folders', ['Folders']],
    ['loginAs', ['LoginAs']],
    ['mailfilter', ['Mailfilter']],
    ['resources', ['Resources']],
    ['rooms', ['Rooms']],
    ['subscriptions', ['Subscriptions']],
    ['payments', ['WalletMandates', 'WalletPayments']],
    ['wallets', ['Wallets']],
  ])('a controller with %s switched off lack just that', (feature, missing) => {
    expect(enabled({}, { ...everything, [feature]: false })).toEqual(without(...missing))
  })
})
