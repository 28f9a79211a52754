import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeController,
  makeDiscount,
  makeDomain,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

const login = async (user: MadeUser, headers: Record<string, string> = {}) =>
  (
    await app().call('POST /api/auth/login', {
      body: { email: user.email, password: user.password },
      headers,
    })
  ).body

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

test('returns the session of the owner of a single account, field by field', async () => {
  const user = await makeUser(app(), {
    settings: { first_name: 'Ada', password_policy: 'min:8', limit_geo: '[]' },
  })
  const wallet = {
    id: user.walletId,
    user_id: user.id,
    description: null,
    currency: 'CHF',
    balance: 0,
    discount_id: null,
    discount: null,
    discount_description: null,
    provider: 'sandbox',
  }
  expect(await login(user)).toEqual({
    status: 'success',
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 3600,
    id: user.id,
    email: user.email,
    userStatus: 35,
    tenant_id: null,
    created_at: '2026-03-10 12:00:00',
    updated_at: '2026-03-10 12:00:00',
    deleted_at: null,
    isActive: true,
    isSuspended: false,
    isDeleted: false,
    isImapReady: true,
    isDegraded: false,
    isRestricted: false,
    isReady: true,
    isAccountDegraded: false,
    isLocked: false,
    settings: { country: 'CH', currency: 'CHF', first_name: 'Ada' },
    statusInfo: {
      process: [
        { label: 'user-new', title: 'User created', state: true },
        { label: 'user-imap-ready', title: 'Mailbox created', state: true },
      ],
      processState: 'done',
      isDone: true,
      skus: ['groupware', 'mailbox', 'storage'],
      enableBeta: true,
      enableCompanionapps: true,
      enableDelegation: true,
      enableDistlists: false,
      enableDomains: false,
      enableFiles: true,
      enableFolders: false,
      enableLoginAs: false,
      enableMailfilter: true,
      enableResources: false,
      enableRooms: true,
      enableSettings: true,
      enableSubscriptions: true,
      enableUsers: true,
      enableWalletMandates: true,
      enableWalletPayments: true,
      enableWallets: true,
    },
    wallets: [wallet],
    accounts: [],
    wallet,
  })
})

test('info returns the same without tokens and envelope, the user object among other fields', async () => {
  const user = await makeUser(app())
  const {
    access_token: token,
    refresh_token: _r,
    token_type: _t,
    expires_in: _e,
    status: _s,
    userStatus: bits,
    ...rest
  } = await login(user)
  const expected = { ...rest, status: bits }
  expect((await app().call('GET /api/auth/info', { token })).body).toEqual(expected)
  expect((await app().call('POST /api/auth/info', { token })).body).toEqual(expected)
  expect((await app().call(`GET /api/v4/users/${user.id}`, { token })).body).toMatchObject(expected)
})

describe('the discount of a wallet', () => {
  test('has percent and description in the language of the request', async () => {
    const user = await makeUser(app())
    const discount = await makeDiscount(app(), {
      discount: 30,
      description: { en: 'Education', de: 'Bildung', fr: 'Formation', it: 'Formazione' },
    })
    await app()
      .database.db.updateTable('wallets')
      .set({ discountId: discount })
      .where('id', '=', user.walletId)
      .execute()
    const described = async (headers: Record<string, string>) => (await login(user, headers)).wallets[0]
    expect(await described({ 'accept-language': 'en' })).toMatchObject({
      discount_id: discount,
      discount: 30,
      discount_description: 'Education',
    })
    const said = async (headers: Record<string, string>) => (await described(headers)).discount_description
    expect(await said({ 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' })).toBe('Bildung')
    expect(await said({ 'accept-language': 'fr' })).toBe('Formation')
    expect(await said({ 'accept-language': 'it' })).toBe('Formazione')
    expect(await said({ 'accept-language': 'pt' })).toBe('Education')
    expect(await said({ 'accept-language': 'de', cookie: 'a=b; language=it' })).toBe('Formazione')
  })

  test('falls back to English if the language has no text', async () => {
    const user = await makeUser(app())
    const discount = await makeDiscount(app(), { discount: 10, description: { en: 'Friends' } })
    await app()
      .database.db.updateTable('wallets')
      .set({ discountId: discount })
      .where('id', '=', user.walletId)
      .execute()
    expect((await login(user, { 'accept-language': 'de' })).wallet.discount_description).toBe('Friends')
  })
})

describe('in an account with several users', () => {
  test("a member is billed to the owner's wallet, sees the owner's address and controls nothing", async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    const body = await login(member)
    expect(body.wallet).toMatchObject({ id: owner.walletId, user_id: owner.id, user_email: owner.email })
    expect(body.wallets).toHaveLength(1)
    expect(body.wallets[0]).toMatchObject({ id: member.walletId, user_id: member.id })
    expect(body.wallets[0]).not.toHaveProperty('user_email')
    expect(body.accounts).toEqual([])
    expect(body.statusInfo).toMatchObject({
      enableUsers: false,
      enableWallets: false,
      enableSettings: false,
      enableRooms: true,
      enableFiles: true,
    })
  })

  test('a controller has that wallet in accounts', async () => {
    const owner = await makeUser(app())
    const controller = await makeUser(app(), { walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    const body = await login(controller)
    expect(body.accounts).toMatchObject([{ id: owner.walletId, user_email: owner.email }])
    expect(body.statusInfo).toMatchObject({ enableUsers: true, enableWallets: true, enableSettings: true })
  })

  test('a controller from another account has it in accounts, and their own wallet too', async () => {
    const owner = await makeUser(app())
    const friend = await makeUser(app())
    await makeController(app(), friend, owner.walletId)
    const body = await login(friend)
    expect(body.accounts).toMatchObject([{ id: owner.walletId, user_email: owner.email }])
    expect(body.wallets).toMatchObject([{ id: friend.walletId }])
    expect(body.wallet.id).toBe(friend.walletId)
  })

  test('everyone is degraded with the owner, but not with a member', async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    await setStatus(app(), owner, 35 | userStatus.degraded)
    expect(await login(member)).toMatchObject({ isDegraded: false, isAccountDegraded: true })
    expect(await login(owner)).toMatchObject({ isDegraded: true, isAccountDegraded: true })
    await setStatus(app(), owner, 35)
    await setStatus(app(), member, 35 | userStatus.degraded)
    expect(await login(member)).toMatchObject({ isDegraded: true, isAccountDegraded: true })
    expect((await login(member)).statusInfo).toMatchObject({ enableFiles: false, enableRooms: false })
    expect(await login(owner)).toMatchObject({ isDegraded: false, isAccountDegraded: false })
  })
})

describe('an account in mandate mode', () => {
  test('is locked until the user is active, including members, and accepts no single payments', async () => {
    const { db } = app().database
    const plan = await db
      .insertInto('plans')
      .columns(['id', 'tenantId', 'title', 'name', 'description', 'mode', 'months', 'freeMonths', 'hidden'])
      .expression((from) =>
        from
          .selectFrom('plans')
          .select((eb) => [
            eb.fn<string>('gen_random_uuid').as('id'),
            'tenantId',
            eb.val('Mandate').as('title'),
            'name',
            'description',
            eb.val('mandate' as const).as('mode'),
            'months',
            'freeMonths',
            'hidden',
          ])
          .where('title', '=', 'individual'),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = await makeUser(app(), { status: userStatus.new, settings: { plan_id: plan.id } })
    const member = await makeUser(app(), { status: userStatus.new, walletId: owner.walletId })
    expect(await login(owner)).toMatchObject({ isLocked: true, isActive: false })
    expect((await login(owner)).statusInfo).toMatchObject({
      enableWalletMandates: true,
      enableWalletPayments: false,
    })
    expect(await login(member)).toMatchObject({ isLocked: true })
    await setStatus(app(), owner, userStatus.active)
    expect(await login(owner)).toMatchObject({ isLocked: false })
  })
})

test('a domain in the account enables lists, resources, folders and domains', async () => {
  const owner = await makeUser(app(), { plan: 'group' })
  expect((await login(owner)).statusInfo).toMatchObject({ enableDomains: true, enableDistlists: false })
  const id = await makeDomain(app(), 'team.test', { type: 4, status: 1, walletId: owner.walletId })
  const member = await makeUser(app(), { email: 'ann@team.test', walletId: owner.walletId })
  expect((await login(owner)).statusInfo).toMatchObject({
    enableDomains: true,
    enableDistlists: true,
    enableFolders: true,
    enableResources: true,
  })
  const { statusInfo } = await login(member)
  expect(statusInfo.process).toEqual([
    { label: 'user-new', title: 'User created', state: true },
    { label: 'user-imap-ready', title: 'Mailbox created', state: true },
    { label: 'domain-new', title: 'Domain added', state: true },
    { label: 'domain-verified', title: 'Domain found in DNS', state: false },
    {
      label: 'domain-confirmed',
      title: 'Domain verified',
      state: false,
      link: `/domain/${id}`,
    },
  ])
  expect(statusInfo).toMatchObject({ processState: 'running', isDone: false, enableDistlists: false })
})

test('missing settings are an empty map', async () => {
  const user = await makeUser(app())
  await app().database.db.deleteFrom('userSettings').where('userId', '=', user.id).execute()
  expect((await login(user)).settings).toEqual({})
})

test('neither a password nor a role is ever returned', async () => {
  const admin = await makeUser(app(), { role: 'admin' })
  const { access_token: token } = await signInAs(app(), admin)
  const text = JSON.stringify((await app().call('GET /api/auth/info', { token })).body)
  expect(text).not.toMatch(/argon2|"role"|password/)
})
