import { userConfigInput } from '@gatehouse/contract/policies'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const set = (who: Who, about: Who, body: unknown) =>
  account.as(who, `POST /api/v4/users/${account[about].id}/config`, body)

const stored = async (about: Who) => {
  const rows = await app()
    .database.db.selectFrom('userSettings')
    .select(['key', 'value'])
    .where('userId', '=', account[about].id)
    .where('key', 'in', Object.keys(userConfigInput.shape))
    .execute()
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

describe('permission to change settings', () => {
  const policies = { greylist_policy: false, max_password_age: 6, password_policy: 'min:8,max:255' }
  const own = { greylist_enabled: true, limit_geo: [] }

  test.each([
    ['owner', 'owner', { ...policies, ...own }, 200],
    ['owner', 'controller', own, 200],
    ['owner', 'member', own, 200],
    ['controller', 'owner', policies, 200],
    ['controller', 'owner', {}, 200],
    ['controller', 'owner', own, 403],
    ['controller', 'owner', { ...policies, ...own }, 403],
    ['controller', 'owner', { ...policies, nonsense: 1 }, 422],
    ['controller', 'controller', own, 200],
    ['controller', 'member', own, 200],
    ['controller', 'member', policies, 422],
    ['member', 'member', own, 403],
    ['member', 'member', {}, 403],
    ['member', 'owner', policies, 403],
    ['member', 'owner', { nonsense: 1 }, 403],
    ['member', 'controller', own, 403],
  ] as [Who, Who, Record<string, unknown>, number][])(
    '%s of %s: %j: %i',
    async (who, about, body, status) => {
      expect((await set(who, about, body)).status).toBe(status)
      if (status !== 200) expect(await stored(about)).toEqual({})
    },
  )

  test('is denied for other accounts, and unknown users are not found', async () => {
    const stranger = await makeUser(app())
    const { access_token: token } = await signInAs(app(), stranger)
    const call = (id: number | string) =>
      app().call(`POST /api/v4/users/${id}/config`, { token, body: policies })
    expect((await call(account.owner.id)).status).toBe(403)
    for (const id of [0, 'x', '99999999999', 4_000_000_000]) expect((await call(id)).status).toBe(404)
    // the owner of a single account is an owner
    expect((await call(stranger.id)).status).toBe(200)
  })

  test('the cockpit hosts have no such call', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    for (const host of ['admin.localhost:8000', 'reseller.localhost:8000']) {
      const route = `POST /api/v4/users/${account.owner.id}/config`
      expect((await app().call(route, { token, host, body: {} })).status).toBe(404)
    }
  })
})

describe('a change', () => {
  const log = async (about: Who) => {
    const { body } = await account.as('owner', `GET /api/v4/users/${account[about].id}/events`)
    return body.list
  }

  test('is recorded with old and new values, without unchanged ones', async () => {
    await set('owner', 'member', { greylist_enabled: false, guam_enabled: true })
    await set('controller', 'member', { greylist_enabled: true, guam_enabled: true })
    const [latest] = await log('member')
    expect(latest).toMatchObject({
      event: 'user.configured',
      title: 'User settings changed',
      actor: account.controller.email,
      ip: '127.0.0.1',
      data: { before: { greylist_enabled: 'false' }, after: { greylist_enabled: 'true' } },
    })
    await set('controller', 'owner', { itip_policy: true })
    expect((await log('owner'))[0]).toMatchObject({
      event: 'user.policies-set',
      data: { before: { itip_policy: null }, after: { itip_policy: 'true' } },
    })
  })

  test('without effect is not recorded', async () => {
    await set('owner', 'member', { guam_enabled: true })
    const before = (await log('member')).length
    expect((await set('owner', 'member', { guam_enabled: 1 })).status).toBe(200)
    expect((await set('owner', 'member', {})).status).toBe(200)
    expect(await log('member')).toHaveLength(before)
  })

  test('is immediately visible in cached views', async () => {
    const seen = async () =>
      (await account.as('member', `GET /api/v4/users/${account.member.id}`)).body.config
    expect(await seen()).toMatchObject({ greylist_policy: true, greylist_enabled: null })
    await set('owner', 'member', { greylist_enabled: false })
    expect(await seen()).toMatchObject({ greylist_policy: true, greylist_enabled: false })
    await set('controller', 'owner', { greylist_policy: false })
    expect(await seen()).toMatchObject({ greylist_policy: false })
    await set('owner', 'member', { greylist_enabled: null })
    expect(await seen()).toMatchObject({ greylist_enabled: null })
    const effective = await account.as('member', `GET /api/v4/users/${account.member.id}/effective`)
    expect(effective.body.greylist).toEqual({ value: false, source: 'account' })
  })

  test('of different keys by concurrent requests loses none', async () => {
    const answers = await Promise.all([
      set('owner', 'owner', { greylist_policy: false }),
      set('controller', 'owner', { itip_policy: true }),
      set('owner', 'owner', { max_password_age: 9 }),
      set('controller', 'owner', { externalsender_policy_domains: ['a.test'] }),
      set('owner', 'owner', { guam_enabled: true }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect(await stored('owner')).toEqual({
      greylist_policy: 'false',
      itip_policy: 'true',
      max_password_age: '9',
      externalsender_policy_domains: '["a.test"]',
      guam_enabled: 'true',
    })
  })

  test('of the same key by concurrent requests leaves one chain of changes', async () => {
    const months = [1, 2, 3, 4, 5, 6, 7, 8]
    await Promise.all(months.map((max_password_age) => set('owner', 'owner', { max_password_age })))
    const changes = (await log('owner'))
      .filter((event: { event: string }) => event.event === 'user.policies-set')
      .map(
        (event: { data: { before: { max_password_age: string }; after: { max_password_age: string } } }) => [
          event.data.before.max_password_age,
          event.data.after.max_password_age,
        ],
      )
    expect(changes).toHaveLength(8)
    // every value but the last is the start of another change
    const begins = new Set(changes.map(([before]: string[]) => before))
    expect(begins.size).toBe(8)
  })

  test('of a user deleted meanwhile returns 404', async () => {
    const [changed, removed] = await Promise.all([
      set('owner', 'member', { guam_enabled: true }),
      account.as('owner', `DELETE /api/v4/users/${account.member.id}`),
    ])
    expect(removed.status).toBe(200)
    expect([200, 404]).toContain(changed.status)
    expect((await set('owner', 'member', { guam_enabled: true })).status).toBe(404)
  })
})
