import { describe, expect, test } from 'vitest'
import { makeDiscount, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { writeSettings } from './create-user.ts'
import { transition } from './user-state.ts'

const app = useTestApp()

describe('what a person sees of the own account is never older than the last change', () => {
  /** An owner and a member of the account, both with a view that is remembered. */
  const account = async () => {
    const owner = await makeUser(app(), { plan: 'group' })
    const member = await makeUser(app(), { walletId: owner.walletId })
    const tokens = {
      owner: (await signInAs(app(), owner)).access_token,
      member: (await signInAs(app(), member)).access_token,
    }
    const info = async (who: 'owner' | 'member') =>
      (await app().call('GET /api/auth/info', { token: tokens[who] })).body
    await info('owner')
    await info('member')
    return { owner, member, info, db: app().database.db }
  }

  test('a setting of the user', async () => {
    const { owner, info, db } = await account()
    await writeSettings(db, owner.id, { phone: '+41 44 000 00 00' })
    expect((await info('owner')).settings.phone).toBe('+41 44 000 00 00')
    await writeSettings(db, owner.id, { phone: null })
    expect((await info('owner')).settings.phone).toBeUndefined()
  })

  test('the state of the user, and that of the owner for the whole account', async () => {
    const { owner, info, db } = await account()
    await transition(db, app().clock, owner.id, 'degrade')
    expect(await info('owner')).toMatchObject({ isDegraded: true, isAccountDegraded: true })
    expect(await info('member')).toMatchObject({ isDegraded: false, isAccountDegraded: true })
  })

  test('balance and discount of the wallet', async () => {
    const { owner, info, db } = await account()
    await db.updateTable('wallets').set({ balance: 1234 }).where('id', '=', owner.walletId).execute()
    expect((await info('owner')).wallet.balance).toBe(1234)
    expect((await info('member')).wallet.balance).toBe(1234)
    const discount_id = await makeDiscount(app(), { discount: 30 })
    await db.updateTable('wallets').set({ discount_id }).where('id', '=', owner.walletId).execute()
    expect((await info('member')).wallet.discount).toBe(30)
    await db.updateTable('wallets').set({ discount_id: null }).where('id', '=', owner.walletId).execute()
    expect((await info('member')).wallet.discount).toBeNull()
  })

  test("a member's own wallet, to which nobody is billed", async () => {
    const { member, info, db } = await account()
    await db.updateTable('wallets').set({ balance: 55 }).where('id', '=', member.walletId).execute()
    expect((await info('member')).wallets).toMatchObject([{ balance: 55 }])
  })

  test('control of the account, given and taken', async () => {
    const { owner, member, info, db } = await account()
    const control = { wallet_id: owner.walletId, user_id: member.id }
    await db.insertInto('wallet_controllers').values(control).execute()
    expect((await info('member')).statusInfo.enableUsers).toBe(true)
    expect((await info('member')).accounts).toMatchObject([{ id: owner.walletId, user_email: owner.email }])
    await db.deleteFrom('wallet_controllers').where('user_id', '=', member.id).execute()
    expect((await info('member')).statusInfo.enableUsers).toBe(false)
  })

  test('a wallet of another account that the user controls', async () => {
    const { member, info, db } = await account()
    const stranger = await makeUser(app())
    await db
      .insertInto('wallet_controllers')
      .values({ wallet_id: stranger.walletId, user_id: member.id })
      .execute()
    await info('member')
    await db.updateTable('wallets').set({ balance: 77 }).where('id', '=', stranger.walletId).execute()
    expect((await info('member')).accounts).toMatchObject([{ id: stranger.walletId, balance: 77 }])
  })

  test('entitlements, added and taken away', async () => {
    const { owner, info, db } = await account()
    await makeDomain(app(), `d${owner.id}.test`, { type: 4, walletId: owner.walletId })
    expect((await info('owner')).statusInfo.enableDistlists).toBe(true)
    await db
      .updateTable('entitlements')
      .set({ deleted_at: app().clock.now() })
      .where('wallet_id', '=', owner.walletId)
      .where('object_type', '=', 'domain')
      .execute()
    expect((await info('owner')).statusInfo.enableDistlists).toBe(false)
  })

  test('the domain of the address', async () => {
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

  test('charging, which moves billed_until, leaves the view as it is', async () => {
    const { owner, db } = await account()
    const revision = () =>
      db.selectFrom('wallets').select('revision').where('id', '=', owner.walletId).executeTakeFirstOrThrow()
    const before = await revision()
    await db
      .updateTable('entitlements')
      .set({ billed_until: app().clock.now() })
      .where('wallet_id', '=', owner.walletId)
      .execute()
    expect(await revision()).toEqual(before)
  })
})
