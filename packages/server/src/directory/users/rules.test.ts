import { userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { passesGeoLock } from '../../sessions/sign-in/geo-lock.ts'
import { processState, type StepWork, userProcess } from '../../users/account-view/setup-process.ts'
import { canDelete, canRead, canUpdate, isController, type OwnedObject, sees } from '../../users/policy.ts'
import { userFlags } from '../../users/user.ts'

const t = createTranslator('en')
const ready = userStatus.active | userStatus.imapReady

describe('the flags of a user', () => {
  const none = {
    isActive: false,
    isSuspended: false,
    isDeleted: false,
    isImapReady: false,
    isDegraded: false,
    isRestricted: false,
    isReady: false,
    isAccountDegraded: false,
  }
  test.each([
    [0, none],
    [userStatus.new, none],
    [userStatus.active, { ...none, isActive: true }],
    [userStatus.imapReady, { ...none, isImapReady: true }],
    [ready, { ...none, isActive: true, isImapReady: true, isReady: true }],
    [userStatus.suspended, { ...none, isSuspended: true }],
    [userStatus.deleted, { ...none, isDeleted: true }],
    [userStatus.degraded, { ...none, isDegraded: true, isAccountDegraded: true }],
    [userStatus.restricted, { ...none, isRestricted: true }],
  ])('follow from the bits %i', (status, expected) => {
    expect(userFlags({ status, deletedAt: null }, false, false)).toEqual(expected)
  })

  test('include deleted during deletion, and degraded for the account of a degraded owner', () => {
    expect(userFlags({ status: ready, deletedAt: new Date(0) }, false, false).isDeleted).toBe(true)
    expect(userFlags({ status: ready, deletedAt: null }, true, false)).toMatchObject({
      isDegraded: false,
      isAccountDegraded: true,
    })
  })

  test('include the directory only if there is one, where it is then required', () => {
    expect(userFlags({ status: ready, deletedAt: null }, false, false)).not.toHaveProperty('isLdapReady')
    expect(userFlags({ status: ready, deletedAt: null }, false, true)).toMatchObject({
      isLdapReady: false,
      isReady: false,
    })
    expect(userFlags({ status: ready | userStatus.ldapReady, deletedAt: null }, false, true)).toMatchObject({
      isLdapReady: true,
      isReady: true,
    })
  })
})

describe('the set-up steps', () => {
  const steps = (status: number, domain?: { status: number; type: number }, withLdap = false) =>
    userProcess({ status }, domain && { id: 7, ...domain }, withLdap, t).map((step) => [
      step.label,
      step.state,
    ])

  test("are only the user's own for a public domain or none", () => {
    const own = [
      ['user-new', true],
      ['user-imap-ready', false],
    ]
    expect(steps(1)).toEqual(own)
    expect(steps(1, { status: 50, type: 1 })).toEqual(own)
    expect(steps(33)).toEqual([
      ['user-new', true],
      ['user-imap-ready', true],
    ])
  })

  test('include those of a custom domain afterwards', () => {
    const domain = (status: number) => steps(35, { status, type: 4 }).slice(2)
    expect(domain(1)).toEqual([
      ['domain-new', true],
      ['domain-verified', false],
      ['domain-confirmed', false],
    ])
    expect(domain(32)[1]).toEqual(['domain-verified', true])
    expect(domain(50)).toEqual([
      ['domain-new', true],
      ['domain-verified', true],
      ['domain-confirmed', true],
    ])
  })

  test('have the directory in second place if there is one', () => {
    expect(steps(1, { status: 1, type: 4 }, true).map(([label]) => label)).toEqual([
      'user-new',
      'user-ldap-ready',
      'user-imap-ready',
      'domain-new',
      'domain-ldap-ready',
      'domain-verified',
      'domain-confirmed',
    ])
  })

  test('link to the domain if its owner has to act', () => {
    const last = userProcess({ status: 35 }, { id: 7, status: 1, type: 4 }, false, t).at(-1)
    expect(last).toMatchObject({ label: 'domain-confirmed', link: '/domain/7' })
  })

  test.each([
    [true, 0, 'done'],
    [true, 10_000, 'done'],
    [false, 0, 'running'],
    [false, 180, 'running'],
    [false, 180.001, 'failed'],
  ] as const)(
    'all done: %s, after %d seconds without a record of the work: %s',
    (state, seconds, expected) => {
      const started = new Date('2026-01-01T00:00:00Z')
      const now = new Date(started.getTime() + seconds * 1000)
      const list = [
        { label: 'a', title: 'A', state: true },
        { label: 'b', title: 'B', state },
      ]
      expect(processState(list, {}, started, now)).toBe(expected)
    },
  )
})

describe('the state of a set-up', () => {
  const started = new Date('2026-01-01T00:00:00Z')
  const later = new Date('2026-01-02T00:00:00Z')
  const state = (status: number, domain: number, work: StepWork, now = later) => {
    const steps = userProcess({ status }, { id: 7, status: domain, type: 4 }, true, t)
    return processState(steps, work, started, now)
  }

  test.each([
    [
      'done, whatever failed since',
      51,
      114,
      { 'user-backend': 'failed', 'domain-backend': 'failed' },
      'done',
    ],
    ['running while its job is waiting', 1, 114, { 'user-backend': 'waiting' }, 'running'],
    ['running while its job is at work', 1, 114, { 'user-backend': 'running' }, 'running'],
    ['failed when its last try did', 1, 114, { 'user-backend': 'failed' }, 'failed'],
    [
      'failed when what it waits for did',
      1,
      1,
      { 'user-backend': 'waiting', 'domain-backend': 'failed' },
      'failed',
    ],
    ['failed when there is no work left that could end it', 1, 114, { 'user-backend': 'done' }, 'failed'],
    ['running while the domain is looked for', 51, 64, { 'domain-verified': 'waiting' }, 'running'],
    ['failed when the domain was not found', 51, 64, { 'domain-verified': 'failed' }, 'failed'],
    ['failed when only the owner of the domain can go on', 51, 96, { 'domain-backend': 'done' }, 'failed'],
  ] as const)('is %s', (_, status, domain, work, expected) => {
    expect(state(status, domain, work)).toBe(expected)
    expect(state(status, domain, work, started)).toBe(expected)
  })
})

describe('a geo-lock', () => {
  test.each([
    [undefined, 'CH', true],
    [undefined, undefined, true],
    ['', undefined, true],
    ['[]', undefined, true],
    ['["CH"]', 'CH', true],
    ['["CH","DE"]', 'DE', true],
    ['["CH"]', 'DE', false],
    ['["CH"]', undefined, false],
    ['["CH"]', '', false],
  ])('%s from %s allows access: %s', (setting, country, expected) => {
    expect(passesGeoLock(setting, country)).toBe(expected)
  })

  test.each(['not JSON', '{"CH":true}', '"CH"', 'null', '5'])(
    'that cannot be read (%s) lets nobody in',
    (setting) => {
      expect(passesGeoLock(setting, 'CH')).toBe(false)
    },
  )
})

describe('permissions over a user', () => {
  const principal = (userId: number, facts: Partial<Principal> = {}): Principal => ({
    userId,
    tenantId: 0,
    email: 'x@example.test',
    role: null,
    status: ready,
    isSuspended: false,
    isLocked: false,
    sessionId: '',
    tokenHash: Buffer.alloc(0),
    accountVersion: '',
    authenticatedAt: new Date(0),
    scopes: ['api'],
    ...facts,
  })
  const [owner, member, controller] = [1, 2, 3]
  const object: OwnedObject = {
    tenantId: 0,
    userId: member,
    role: null,
    ownerId: owner,
    controllerIds: [controller],
  }
  const ownerObject: OwnedObject = { ...object, userId: owner }
  const admin: OwnedObject = { ...object, userId: 9, role: 'admin', ownerId: 9, controllerIds: [] }

  test.each([
    ['the member', principal(member), object, { sees: true, read: true, update: true, delete: false }],
    ['the owner', principal(owner), object, { sees: true, read: true, update: true, delete: true }],
    ['a controller', principal(controller), object, { sees: true, read: true, update: true, delete: true }],
    [
      'a controller, the owner',
      principal(controller),
      ownerObject,
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'the owner, himself',
      principal(owner),
      ownerObject,
      { sees: true, read: true, update: true, delete: true },
    ],
    [
      'a member, the owner',
      principal(member),
      ownerObject,
      { sees: true, read: false, update: false, delete: false },
    ],
    ['a stranger', principal(4), object, { sees: true, read: false, update: false, delete: false }],
    [
      'the owner, a member who is staff',
      principal(owner),
      { ...object, role: 'reseller' },
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'a controller, a member who is staff',
      principal(controller),
      { ...object, role: 'admin' },
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'an admin',
      principal(5, { role: 'admin' }),
      object,
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'a foreign admin',
      principal(5, { role: 'admin', tenantId: 2 }),
      object,
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'a reseller',
      principal(6, { role: 'reseller' }),
      object,
      { sees: true, read: true, update: false, delete: false },
    ],
    [
      'a reseller, an admin',
      principal(6, { role: 'reseller' }),
      admin,
      { sees: true, read: false, update: false, delete: false },
    ],
    [
      'a foreign reseller',
      principal(6, { role: 'reseller', tenantId: 2 }),
      object,
      { sees: false, read: false, update: false, delete: false },
    ],
    [
      'somebody of another tenant',
      principal(7, { tenantId: 2 }),
      object,
      { sees: false, read: false, update: false, delete: false },
    ],
    [
      'a technical account',
      principal(8, { role: 'service' }),
      object,
      { sees: true, read: false, update: false, delete: false },
    ],
  ])('%s', (_, who, what, expected) => {
    expect({
      sees: sees(who, what),
      read: canRead(who, what),
      update: canUpdate(who, what),
      delete: canDelete(who, what),
    }).toEqual(expected)
  })

  test("owner and controllers have control, others don't", () => {
    expect([owner, controller, member, 4].map((id) => isController(id, object))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
