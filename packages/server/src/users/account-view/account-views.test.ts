import { describe, expect, test } from 'vitest'
import { packageOf } from '../../testing/account-fixture.ts'
import {
  giveMoney,
  makeAlias,
  makeDiscount,
  makeDomain,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { writeSettings } from '../setting-store.ts'
import { transition } from '../user-state.ts'

const app = useTestApp()

describe('a cached account view', () => {
  /** Creates an owner and a member of the account, both with a cached view. */
  const account = async () => {
    const owner = await makeUser(app(), { plan: 'group' })
    const member = await makeUser(app(), { walletId: owner.walletId })
    const tokens = {
      owner: (await signInAs(app(), owner)).access_token,
      member: (await signInAs(app(), member)).access_token,
    }
    const info = async (who: 'owner' | 'member') =>
      (await app().call('GET /api/auth/info', { token: tokens[who] })).body
    const page = async (who: 'owner' | 'member') => {
      const { id } = who === 'owner' ? owner : member
      return (await app().call(`GET /api/v4/users/${id}`, { token: tokens[who] })).body
    }
    await page('owner')
    await page('member')
    return { owner, member, info, page, db: app().database.db }
  }

  test('reflects a user setting', async () => {
    const { owner, info, db } = await account()
    await writeSettings(db, owner.id, { phone: '+41 44 000 00 00' })
    expect((await info('owner')).settings.phone).toBe('+41 44 000 00 00')
    await writeSettings(db, owner.id, { phone: null })
    expect((await info('owner')).settings.phone).toBeUndefined()
  })

  test('reflects the status of the user, and that of the owner for the whole account', async () => {
    const { owner, info, db } = await account()
    await transition(db, app().clock, owner.id, 'degrade')
    expect(await info('owner')).toMatchObject({ isDegraded: true, isAccountDegraded: true })
    expect(await info('member')).toMatchObject({ isDegraded: false, isAccountDegraded: true })
  })

  test('reflects balance and discount of the wallet', async () => {
    const { owner, info, db } = await account()
    await giveMoney(app(), owner.walletId, 1234)
    expect((await info('owner')).wallet.balance).toBe(1234)
    expect((await info('member')).wallet.balance).toBe(1234)
    const discountId = await makeDiscount(app(), { discount: 30 })
    await db.updateTable('wallets').set({ discountId }).where('id', '=', owner.walletId).execute()
    expect((await info('member')).wallet.discount).toBe(30)
    await db.updateTable('wallets').set({ discountId: null }).where('id', '=', owner.walletId).execute()
    expect((await info('member')).wallet.discount).toBeNull()
  })

  test("reflects a member's own wallet, to which no one is billed", async () => {
    const { member, info } = await account()
    await giveMoney(app(), member.walletId, 55)
    expect((await info('member')).wallets).toMatchObject([{ balance: 55 }])
  })

  test('reflects granted and revoked control of the account', async () => {
    const { owner, member, info, db } = await account()
    const control = { walletId: owner.walletId, userId: member.id }
    await db.insertInto('walletControllers').values(control).execute()
    expect((await info('member')).statusInfo.enableUsers).toBe(true)
    expect((await info('member')).accounts).toMatchObject([{ id: owner.walletId, user_email: owner.email }])
    await db.deleteFrom('walletControllers').where('userId', '=', member.id).execute()
    expect((await info('member')).statusInfo.enableUsers).toBe(false)
  })

  test("reflects another account's wallet that the user controls", async () => {
    const { member, info, db } = await account()
    const stranger = await makeUser(app())
    await db
      .insertInto('walletControllers')
      .values({ walletId: stranger.walletId, userId: member.id })
      .execute()
    await info('member')
    await giveMoney(app(), stranger.walletId, 77)
    expect((await info('member')).accounts).toMatchObject([{ id: stranger.walletId, balance: 77 }])
  })

  test('reflects added and removed entitlements', async () => {
    const { owner, info, db } = await account()
    await makeDomain(app(), `d${owner.id}.test`, { type: 4, walletId: owner.walletId })
    expect((await info('owner')).statusInfo.enableDistlists).toBe(true)
    await db
      .updateTable('entitlements')
      .set({ deletedAt: app().clock.now() })
      .where('walletId', '=', owner.walletId)
      .where('objectType', '=', 'domain')
      .execute()
    expect((await info('owner')).statusInfo.enableDistlists).toBe(false)
  })

  test('reflects the flags of a domain, from creation to deletion', async () => {
    const { owner, member, info, db } = await account()
    const flags = async (who: 'owner' | 'member') => {
      const { enableDomains, enableDistlists, enableFolders } = (await info(who)).statusInfo
      return [enableDomains, enableDistlists, enableFolders]
    }
    await db.insertInto('walletControllers').values({ walletId: owner.walletId, userId: member.id }).execute()
    for (const who of ['owner', 'member'] as const) expect(await flags(who)).toEqual([true, false, false])
    const { access_token: token } = await signInAs(app(), owner)
    const body = { namespace: `flags${owner.id}.test`, package: await packageOf(app(), 'domain-hosting') }
    const { id } = (await app().call('POST /api/v4/domains', { token, body })).body
    for (const who of ['owner', 'member'] as const) expect(await flags(who)).toEqual([true, true, true])
    await app().call(`DELETE /api/v4/domains/${id}`, { token })
    for (const who of ['owner', 'member'] as const) expect(await flags(who)).toEqual([true, false, false])
  })

  test("is not invalidated by a DNS check of the user's domain", async () => {
    const { owner, db } = await account()
    const id = await makeDomain(app(), `looked${owner.id}.test`, { type: 4, walletId: owner.walletId })
    const revision = () =>
      db.selectFrom('domains').select('revision').where('id', '=', id).executeTakeFirstOrThrow()
    const before = await revision()
    await db.updateTable('domains').set({ dnsCheckedAt: app().clock.now() }).where('id', '=', id).execute()
    expect(await revision()).toEqual(before)
    await db.updateTable('domains').set({ status: 54 }).where('id', '=', id).execute()
    expect(await revision()).not.toEqual(before)
  })

  test('reflects the domain of the address', async () => {
    const { db } = await account()
    const namespace = 'progress.test'
    const owner = await makeUser(app(), { email: `boss@${namespace}` })
    const { access_token: token } = await signInAs(app(), owner)
    const steps = async () =>
      (await app().call('GET /api/auth/info', { token })).body.statusInfo.process.map(
        (step: { label: string; state: boolean }) => `${step.label} ${step.state}`,
      )
    expect(await steps()).toEqual(['user-new true', 'user-imap-ready true'])
    const id = await makeDomain(app(), namespace, { type: 4, status: 1, walletId: owner.walletId })
    expect(await steps()).toContain('domain-confirmed false')
    await db.updateTable('domains').set({ status: 50 }).where('id', '=', id).execute()
    expect(await steps()).toContain('domain-confirmed true')
  })

  test('reflects aliases that are added, moved to another user and removed', async () => {
    const { owner, member, page, db } = await account()
    const address = `alias${owner.id}@elsewhere.test`
    await makeAlias(app(), owner, address)
    expect((await page('owner')).aliases).toEqual([address])
    await db.updateTable('addresses').set({ objectId: member.id }).where('address', '=', address).execute()
    expect([(await page('owner')).aliases, (await page('member')).aliases]).toEqual([[], [address]])
    await db.deleteFrom('addresses').where('address', '=', address).execute()
    expect((await page('member')).aliases).toEqual([])
  })

  test('reflects units of a subscription and their cost', async () => {
    const { owner, page, db } = await account()
    const costs = async () =>
      Object.values<{ costs: number[] }>((await page('owner')).skus).flatMap((held) => held.costs)
    expect(Math.max(...(await costs()))).toBeLessThan(7777)
    await db
      .updateTable('entitlements')
      .set({ cost: 7777 })
      .where('objectId', '=', owner.id)
      .where('objectType', '=', 'user')
      .execute()
    expect(new Set(await costs())).toEqual(new Set([7777]))
  })

  test("reflects the user's configuration, and the account's policies for its users", async () => {
    const { owner, member, page, db } = await account()
    await writeSettings(db, owner.id, { greylist_policy: 'false', max_password_age: '6' })
    await writeSettings(db, member.id, { greylist_enabled: 'true', limit_geo: '["CH"]' })
    expect((await page('member')).config).toEqual({
      greylist_policy: false,
      itip_policy: false,
      externalsender_policy: false,
      externalsender_policy_domains: [],
      password_policy: null,
      staff_access_policy: null,
      second_factor_policy: null,
      max_password_age: null,
      greylist_enabled: true,
      itip_config: null,
      externalsender_config: null,
      guam_enabled: false,
      limit_geo: ['CH'],
    })
    expect((await page('owner')).config).toMatchObject({ greylist_policy: false, max_password_age: '6' })
  })

  test('reflects rights granted and revoked with control of the account', async () => {
    const { owner, member, page, db } = await account()
    const rights = async () => {
      const { canUpdate, canDelete, canEditAliases, canEditSubscriptions } = await page('member')
      return [canUpdate, canDelete, canEditAliases, canEditSubscriptions]
    }
    expect(await rights()).toEqual([true, false, false, false])
    const control = { walletId: owner.walletId, userId: member.id }
    await db.insertInto('walletControllers').values(control).execute()
    expect(await rights()).toEqual([true, true, true, true])
    await db.deleteFrom('walletControllers').where('userId', '=', member.id).execute()
    expect(await rights()).toEqual([true, false, false, false])
  })

  test('is not invalidated by charging, which moves billed_until', async () => {
    const { owner, db } = await account()
    const revision = () =>
      db.selectFrom('wallets').select('revision').where('id', '=', owner.walletId).executeTakeFirstOrThrow()
    const before = await revision()
    await db
      .updateTable('entitlements')
      .set({ billedUntil: app().clock.now() })
      .where('walletId', '=', owner.walletId)
      .execute()
    expect(await revision()).toEqual(before)
  })
})
