import type { Overview, ProblemKind } from '@gatehouse/contract/overview'
import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordUsage } from '../provisioning/usage-store.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { makeDevice } from '../testing/companions.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import {
  deleteUser,
  giveMoney,
  type MadeUser,
  makeController,
  makeDomain,
  makeTenant,
  makeTotp,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { fileOwner } from '../testing/files.ts'
import { makeRoom, skuIds } from '../testing/meetings.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp({
  APP_WITH_DISTLISTS: '1',
  APP_WITH_SHARED_FOLDERS: '1',
  APP_WITH_RESOURCES: '1',
  APP_WITH_COMPANION_APP: '1',
  APP_WITH_FILES: '1',
})
const day = 24 * 3600

beforeAll(() => makeDomain(app(), 'example.test'))

async function overviewOf(user: MadeUser): Promise<Overview> {
  const { access_token: token } = await signInAs(app(), user)
  const { status, body } = await app().call('GET /api/v4/overview', { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const kindsOf = ({ attention }: Overview) => attention.map(({ kind }) => kind)

/** Makes the back end fail to set up an object. */
async function failSetup(kind: string, id: number): Promise<void> {
  await sql`insert into provisioning (kind, object_id, step, state, error) values (${kind}, ${id}, 'backend', 'failed', 'no')
    on conflict (kind, object_id, step) do update set state = 'failed'`.execute(app().database.db)
}

describe('an account with all kinds of objects', () => {
  let account: TestAccount
  let facts: Overview
  let latest: Awaited<ReturnType<typeof makeRoom>>

  beforeAll(async () => {
    account = await makeAccount(app())
    const { owner } = account
    await deleteUser(app(), await makeUser(app(), { walletId: owner.walletId }))
    await makeObject(account, 'groups', { members: [account.member.email, 'x@elsewhere.test'] })
    await makeObject(account, 'groups')
    await makeObject(account, 'resources')
    for (const type of ['mail', 'event', 'event', 'contact']) {
      await makeObject(account, 'shared-folders', { type })
    }
    const skus = await skuIds(app())
    await makeRoom(account, {}, { description: 'Weekly', skus: { [skus['group-room'] ?? '']: 1 } })
    // the clock stands still, and the older room must be older
    await sql`update rooms set created_at = created_at - interval '1 minute'`.execute(app().database.db)
    latest = await makeRoom(account)
    const files = await fileOwner(app(), owner)
    await files.upload('notes.txt', 'x'.repeat(1000))
    await giveMoney(app(), owner.walletId, 5000)
    facts = await overviewOf(owner)
  })

  test('has counts for each area, without deleted objects', () => {
    expect(facts).toMatchObject({
      domains: { total: 1 },
      users: { total: 3, active: 3, pending: 0, problem: null },
      distlists: { total: 2, members: 3, problem: null },
      resources: { total: 1, problem: null },
      folders: { total: 4, mail: 1, calendars: 2, addressBooks: 1, problem: null },
      rooms: { total: 2, open: 0, busiest: null, suggested: { name: latest.name, title: latest.name } },
      files: { used: 1000, sharedWithMe: 0, problem: null },
      policies: { least: 6, greylist: true, requiresSecondFactor: false },
      companions: { paired: 0 },
    })
    expect(facts.files?.quota).toBeGreaterThan(1024 ** 3)
    expect(facts).toMatchObject({ canCreateUsers: true, canCreateRooms: true, canAddFiles: true })
  })

  test('has a wallet with its balance, end date and trend', async () => {
    const { wallet } = facts
    expect(wallet).toMatchObject({ id: account.owner.walletId, currency: 'CHF', balance: 5000 })
    const page = await account.as('owner', `GET /api/v4/wallets/${account.owner.walletId}`)
    expect(wallet?.lastsUntil).toBe(page.body.lastsUntil)
    expect(wallet?.past).toEqual([{ at: '2026-03-10T12:00:00.000Z', balance: 5000 }])
    const [first, ...later] = wallet?.future ?? []
    expect(first?.balance).toBeLessThan(5000)
    expect(later.length).toBeGreaterThan(0)
  })

  test('shows the latest activity, without sign-ins', () => {
    expect(facts.activity).toHaveLength(5)
    expect(facts.activity[0]).toMatchObject({
      ...{ event: 'file.created', actor: account.owner.email, file: 'file' },
      data: { name: 'notes.txt' },
    })
    expect(facts.activity.filter(({ event }) => event.startsWith('sign-in'))).toEqual([])
  })

  test('looks the same to an additional owner, except for personal data', async () => {
    const other = await overviewOf(account.controller)
    for (const area of ['domains', 'users', 'distlists', 'resources', 'folders', 'rooms'] as const) {
      expect(other[area], area).toEqual(facts[area])
    }
    expect(other.wallet).toEqual(facts.wallet)
    expect(other.files?.used).toBe(0)
    expect(other.canCreateUsers).toBe(true)
  })

  test('shows a member only their own data', async () => {
    const own = await overviewOf(account.member)
    for (const area of [
      'domains',
      'users',
      'distlists',
      'resources',
      'folders',
      'wallet',
      'policies',
    ] as const) {
      expect(own[area], area).toBeNull()
    }
    expect(own).toMatchObject({ rooms: { total: 0 }, files: { used: 0 }, companions: { paired: 0 } })
    expect(own).toMatchObject({ canCreateUsers: false, canCreateRooms: false, canAddFiles: true })
    expect(own.activity.map(({ event }) => event)).toContain('sign-in.succeeded')
    expect(new Set(own.activity.map(({ objectId }) => objectId))).toEqual(new Set([account.member.id]))
    expect(kindsOf(own)).toEqual(['second-factor-off'])
  })

  test('is not visible to other accounts and tenants', async () => {
    const stranger = await overviewOf(await makeUser(app(), { plan: 'group' }))
    expect(stranger).toMatchObject({ users: { total: 1 }, wallet: { balance: 0 }, rooms: { total: 0 } })
    expect(stranger.activity.map(({ actorId }) => actorId)).not.toContain(account.owner.id)
    const tenantId = await makeTenant(app(), 9)
    const foreign = await overviewOf(await makeUser(app(), { tenantId, plan: null }))
    expect(foreign).toMatchObject({ users: { total: 1 }, wallet: { balance: 0 } })
  })
})

test('a new account contains only its owner, with advice to protect it', async () => {
  const owner = await makeUser(app(), { plan: 'group' })
  const facts = await overviewOf(owner)
  expect(facts).toMatchObject({
    domains: { total: 0, problem: null },
    users: { total: 1, active: 1, problem: null },
    rooms: { total: 0, open: 0, busiest: null, suggested: null },
    files: { used: 0, problem: null },
    wallet: { balance: 0, past: [] },
    security: { sessions: 1, isProtected: false },
  })
  expect(kindsOf(facts)).toEqual(['recovery-missing', 'second-factor-off'])
  // without a domain there are no lists or folders
  expect(facts).toMatchObject({ distlists: null, folders: null, resources: null })
})

describe('the worst problem of an area', () => {
  interface Case {
    kind: ProblemKind
    area: 'users' | 'mailbox' | 'domains' | 'distlists' | 'resources' | 'folders' | 'wallet' | 'files'
    level: 'danger' | 'warning'
    /** False: shown only in the area. */
    needsAttention: boolean
    make: (account: TestAccount) => Promise<unknown>
    name?: (account: TestAccount) => string
  }

  const external = (walletId: string, status: number, name: string) =>
    makeDomain(app(), name, { type: domainType.external, walletId, status })
  const members = async ({ owner, domain }: TestAccount, status: number) => {
    const facts = { walletId: owner.walletId, status }
    const first = await makeUser(app(), { ...facts, email: `anna@${domain}` })
    const second = await makeUser(app(), { ...facts, email: `bert@${domain}` })
    return [second, first]
  }
  const updateWallet = (account: TestAccount, reason: string) =>
    sql`insert into wallet_mandates (wallet_id, amount, threshold, provider, provider_id, status, read_at, disabled_at,
        disabled_reason, updated_at)
      values (${account.owner.walletId}, 1000, 0, 'sandbox', ${`m-${account.domain}`}, 'valid', now(), now(), ${reason},
        now())`.execute(app().database.db)

  /** Records what a mailbox holds, in KiB. */
  const store = (id: number, used: number, limit: number | null) =>
    recordUsage(app().database.db, new Map([[id, { used, limit }]]), app().clock.now())

  test.each<Case>([
    {
      kind: 'user-failed',
      ...{ area: 'users', level: 'danger', needsAttention: true },
      make: async (account) => {
        for (const { id } of await members(account, userStatus.new | userStatus.active)) {
          await failSetup('user', id)
        }
        await members({ ...account, domain: `more.${account.domain}` }, userStatus.suspended)
      },
      name: ({ domain }) => `anna@${domain}`,
    },
    {
      kind: 'user-suspended',
      ...{ area: 'users', level: 'warning', needsAttention: false },
      make: (account) => members(account, userStatus.active | userStatus.imapReady | userStatus.suspended),
      name: ({ domain }) => `anna@${domain}`,
    },
    {
      kind: 'domain-unconfirmed',
      ...{ area: 'domains', level: 'warning', needsAttention: true },
      make: async ({ owner, domain }) => {
        await external(owner.walletId, domainStatus.new, `b.${domain}`)
        await external(owner.walletId, domainStatus.new | domainStatus.verified, `a.${domain}`)
      },
      name: ({ domain }) => `a.${domain}`,
    },
    {
      kind: 'domain-proof-missing',
      ...{ area: 'domains', level: 'warning', needsAttention: true },
      make: ({ domainId }) =>
        sql`update domains set missing_since = now() where id = ${domainId}`.execute(app().database.db),
      name: ({ domain }) => domain,
    },
    {
      kind: 'domain-failed',
      ...{ area: 'domains', level: 'danger', needsAttention: true },
      make: ({ domainId }) => failSetup('domain', domainId),
      name: ({ domain }) => domain,
    },
    {
      kind: 'domain-records',
      ...{ area: 'domains', level: 'warning', needsAttention: true },
      make: ({ domainId }) =>
        sql`update domains set dns_checked_at = now(), dns_found = '{"mx": [], "spf": [], "dkim": []}'
          where id = ${domainId}`.execute(app().database.db),
      name: ({ domain }) => domain,
    },
    {
      kind: 'domain-suspended',
      ...{ area: 'domains', level: 'warning', needsAttention: false },
      make: ({ domainId }) =>
        sql`update domains set status = status | ${domainStatus.suspended}::int where id = ${domainId}`.execute(
          app().database.db,
        ),
      name: ({ domain }) => domain,
    },
    {
      kind: 'distlist-failed',
      ...{ area: 'distlists', level: 'danger', needsAttention: true },
      make: async (account) => failSetup('group', await makeObject(account, 'groups', { name: 'Sales' })),
      name: () => 'Sales',
    },
    {
      kind: 'distlist-empty',
      ...{ area: 'distlists', level: 'warning', needsAttention: false },
      make: async (account) => {
        const id = await makeObject(account, 'groups', { name: 'Nobody' })
        await sql`update group_members set withdrawn_at = now() where group_id = ${id}`.execute(
          app().database.db,
        )
      },
      name: () => 'Nobody',
    },
    {
      kind: 'resource-failed',
      ...{ area: 'resources', level: 'danger', needsAttention: true },
      make: async (account) => failSetup('resource', await makeObject(account, 'resources', { name: 'Car' })),
      name: () => 'Car',
    },
    {
      kind: 'folder-failed',
      ...{ area: 'folders', level: 'danger', needsAttention: true },
      make: async (account) =>
        failSetup('shared-folder', await makeObject(account, 'shared-folders', { name: 'Plans' })),
      name: () => 'Plans',
    },
    {
      kind: 'debt',
      ...{ area: 'wallet', level: 'danger', needsAttention: true },
      make: ({ owner }) => giveMoney(app(), owner.walletId, -100),
    },
    {
      kind: 'degraded',
      ...{ area: 'wallet', level: 'danger', needsAttention: true },
      make: async ({ owner }) => {
        await giveMoney(app(), owner.walletId, -100)
        await setStatus(app(), owner, userStatus.active | userStatus.imapReady | userStatus.degraded)
      },
    },
    {
      kind: 'payment-failed',
      ...{ area: 'wallet', level: 'danger', needsAttention: true },
      make: (account) => updateWallet(account, 'failed'),
    },
    {
      kind: 'storage-full',
      ...{ area: 'files', level: 'danger', needsAttention: true },
      make: ({ owner }) =>
        sql`insert into fs_usage (user_id, bytes) values (${owner.id}, ${100 * 1024 ** 3})`.execute(
          app().database.db,
        ),
    },
    {
      kind: 'mailboxes-full',
      ...{ area: 'users', level: 'danger', needsAttention: true },
      make: async ({ member, owner }) => {
        await store(member.id, 1024, 1024)
        await store(owner.id, 10, 1024)
      },
      name: ({ member }) => member.email,
    },
    {
      kind: 'mailboxes-low',
      ...{ area: 'users', level: 'warning', needsAttention: true },
      make: ({ member }) => store(member.id, 930, 1024),
      name: ({ member }) => member.email,
    },
    {
      kind: 'mailbox-full',
      ...{ area: 'mailbox', level: 'danger', needsAttention: true },
      make: ({ owner }) => store(owner.id, 2000, 1024),
    },
  ])('is $kind', async ({ kind, area, level, needsAttention, make, name }) => {
    const account = await makeAccount(app())
    expect((await overviewOf(account.owner))[area]?.problem ?? null).toBeNull()
    await make(account)
    const facts = await overviewOf(account.owner)
    const expected = { kind, level, name: name?.(account) ?? null }
    expect(facts[area]?.problem).toMatchObject(expected)
    expect(facts[area]?.problem?.id !== null).toBe(name !== undefined)
    expect(kindsOf(facts).includes(kind)).toBe(needsAttention)
    // problems are ordered by urgency, with account protection after outages
    const isLater = kind === 'domain-records' || kind === 'mailboxes-low'
    if (needsAttention && !isLater) expect(kindsOf(facts)[0]).toBe(kind)
  })

  test('is none for mailboxes with room, without a limit or not measured yet, which are added up', async () => {
    const account = await makeAccount(app())
    expect((await overviewOf(account.owner)).users?.mail).toBeNull()
    await store(account.owner.id, 100, 1024)
    await store(account.member.id, 5, 1024)
    const stranger = await makeUser(app())
    await store(stranger.id, 5000, 1024)
    const facts = await overviewOf(account.owner)
    expect(facts.users).toMatchObject({ mail: { used: 105 * 1024, quota: 2048 * 1024 }, problem: null })
    expect(facts.mailbox).toMatchObject({ used: 100 * 1024, quota: 1024 * 1024, problem: null })
    await store(account.member.id, 50_000, null)
    expect((await overviewOf(account.owner)).users).toMatchObject({ mail: { quota: null }, problem: null })
  })

  test('counts all objects affected', async () => {
    const account = await makeAccount(app())
    await members(account, userStatus.active | userStatus.imapReady | userStatus.suspended)
    expect((await overviewOf(account.owner)).users).toMatchObject({
      total: 5,
      active: 3,
      problem: { kind: 'user-suspended', count: 2 },
    })
  })

  test('is none for a user whose set-up is in progress', async () => {
    const account = await makeAccount(app())
    await members(account, userStatus.new | userStatus.active)
    expect((await overviewOf(account.owner)).users).toMatchObject({ active: 3, pending: 2, problem: null })
  })
})

describe('a balance', () => {
  test('that lasts less than two weeks is low, unless auto-payment is on', async () => {
    const account = await makeAccount(app())
    const { owner } = account
    // the plan’s first month is free, and the next charge is due in a few days
    app().clock.advance(50 * day)
    await giveMoney(app(), owner.walletId, 5000)
    const before = await overviewOf(owner)
    expect(before.wallet?.problem).toBeNull()
    expect(before.wallet?.lastsUntil).not.toBeNull()
    await giveMoney(app(), owner.walletId, -4999)
    const low = await overviewOf(owner)
    expect(low.wallet?.problem).toMatchObject({ kind: 'low-balance', level: 'warning' })
    expect(low.wallet?.past.at(-1)?.balance).toBe(1)
    await sql`insert into wallet_mandates (wallet_id, amount, threshold, provider, provider_id, status, read_at,
        updated_at)
      values (${owner.walletId}, 1000, 0, 'sandbox', 'low', 'valid', now(), now())`.execute(app().database.db)
    expect((await overviewOf(owner)).wallet).toMatchObject({ autoPayment: true, future: [], problem: null })
  })

  test('forecast from cached data follows every change of the wallet', async () => {
    const account = await makeAccount(app())
    const { owner } = account
    await giveMoney(app(), owner.walletId, 100_000)
    const first = await overviewOf(owner)
    expect((await overviewOf(owner)).wallet).toEqual(first.wallet)
    expect((await account.as('owner', 'POST /api/v4/users', account.newUser())).status).toBe(200)
    const more = await overviewOf(owner)
    expect(more.wallet?.future.at(-1)?.balance).toBeLessThan(first.wallet?.future.at(-1)?.balance ?? 0)
    await giveMoney(app(), owner.walletId, 700)
    expect((await overviewOf(owner)).wallet?.balance).toBe((more.wallet?.balance ?? 0) + 700)
  })
})

test('a free month about to end is shown to users who have not paid yet', async () => {
  const owner = await makeUser(app(), { plan: 'individual' })
  expect((await overviewOf(owner)).wallet?.problem).toBeNull()
  app().clock.advance(20 * day)
  expect((await overviewOf(owner)).wallet?.problem).toMatchObject({ kind: 'trial-ends', level: 'warning' })
  await giveMoney(app(), owner.walletId, 5000)
  expect((await overviewOf(owner)).wallet?.problem).toBeNull()
})

describe('security', () => {
  test('is OK with a second factor and a recovery address', async () => {
    const owner = await makeUser(app(), { settings: { external_email: 'me@elsewhere.test' } })
    const { access_token: token } = await signInAs(app(), owner)
    await makeTotp(app(), owner)
    const { body } = await app().call('GET /api/v4/overview', { token })
    expect(body.security).toEqual({ sessions: 1, isProtected: true })
    expect(body.attention).toEqual([])
  })

  test('counts a paired device as a factor', async () => {
    const owner = await makeUser(app())
    const { access_token: token } = await signInAs(app(), owner)
    await makeDevice(app(), owner)
    const { body } = await app().call('GET /api/v4/overview', { token })
    expect(body).toMatchObject({ security: { isProtected: true }, companions: { paired: 1 } })
  })
})

test("a degraded account can't order anything", async () => {
  const owner = await makeUser(app(), { plan: 'group' })
  await setStatus(app(), owner, userStatus.active | userStatus.imapReady | userStatus.degraded)
  const facts = await overviewOf(owner)
  expect(facts).toMatchObject({ canCreateUsers: false, canCreateRooms: false, canAddFiles: false })
  expect(facts).toMatchObject({ rooms: null, files: null })
})

test('a controller of a second account sees both combined, as in the lists', async () => {
  const [one, other] = [await makeAccount(app()), await makeAccount(app())]
  await makeController(app(), one.owner, other.owner.walletId)
  const facts = await overviewOf(one.owner)
  expect(facts).toMatchObject({ users: { total: 6 }, domains: { total: 2 } })
  const { access_token: token } = await signInAs(app(), one.owner)
  const list = await app().call('GET /api/v4/users', { token })
  expect(facts.users?.total).toBe(list.body.total)
})
