import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { appToken, impersonate } from '../testing/borrowed.ts'
import { type MadeUser, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { makePlan } from '../testing/signup/signup-ways.ts'
import { makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { activateAccount } from './account-state.ts'

/** What users of a never-paid account can access. */

const app = useTestApp({ APP_WITH_LOGINAS: '1' })
let owner: MadeUser
let member: MadeUser

beforeAll(async () => {
  // the OAuth library uses its own clock
  app().clock.advance((Date.now() - app().clock.now().getTime()) / 1000)
  await makeDomain(app(), 'example.test')
  await makePlan(app(), { title: 'phone', mode: 'mandate' })
  owner = await makeUser(app(), { status: userStatus.new, plan: 'phone' })
  // regardless of the member's own status
  member = await makeUser(app(), { walletId: owner.walletId, plan: null })
})

const locked = {
  status: 403,
  body: {
    status: 'error',
    message: 'Your account is locked until its first payment arrives. Complete the payment to continue.',
    reason: 'locked',
  },
}

/** Session calls on the users' host. */
const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
  .filter(([, { auth, hosts, scopes }]) => {
    return auth !== 'public' && (hosts?.includes('user') ?? true) && (scopes?.includes('api') ?? true)
  })

async function ask(key: string, token: string) {
  const [method = '', path = ''] = key.split(' ')
  const { status, body } = await app().call(`${method} ${path.replaceAll(/\{\*?\w*\}/g, 'none')}`, {
    token,
    ...(method !== 'GET' && { body: {} }),
  })
  return { status, body }
}

test('a locked account allows signing in and paying', () => {
  const open = table.filter(([, { whenLocked }]) => whenLocked === 'allowed').map(([key]) => key)
  expect(open.filter((key) => !key.includes('/payments') && !key.includes('/factors'))).toEqual([
    'GET /api/auth/info',
    'POST /api/auth/info',
    'POST /api/auth/logout',
    'POST /api/auth/step-up/options',
    'POST /api/auth/step-up',
    'POST /api/auth/password-policy-check',
  ])
  expect(open.filter((key) => key.includes('/payments'))).toHaveLength(
    table.filter(([key]) => key.includes(' /api/v4/payments')).length,
  )
})

describe('in a locked account', () => {
  const tokens = new Map<string, string>()

  const tokenOf = async (who: 'owner' | 'member') => {
    const token = tokens.get(who) ?? (await signInAs(app(), who === 'owner' ? owner : member)).access_token
    tokens.set(who, token)
    return token
  }

  test.each(table)('users can call %s only if it is open to them', async (key, { whenLocked }) => {
    for (const who of ['owner', 'member'] as const) {
      const answer = await ask(key, await tokenOf(who))
      if (key.endsWith('/logout')) tokens.delete(who)
      if (whenLocked === 'allowed') expect(answer.body?.reason, who).toBeUndefined()
      else expect(answer, who).toEqual(locked)
    }
  })

  test('impersonating staff and applications are locked as well', async () => {
    const staff = await impersonate(app(), await makeStaff(app(), 'admin'), owner.id)
    expect(await ask('GET /api/v4/users', staff)).toEqual(locked)
  })

  test('users can contact support', async () => {
    const body = { name: 'Ada', email: owner.email, summary: 'The card', body: 'My card is refused.' }
    const { status } = await app().call('POST /api/v4/support/request', {
      body,
      token: await tokenOf('member'),
    })
    expect(status).toBe(200)
  })
})

test('an account is unlocked for all its users by its first payment', async () => {
  const payer = await makeUser(app(), { status: userStatus.new, plan: 'phone' })
  const user = await makeUser(app(), { status: userStatus.new, plan: null, walletId: payer.walletId })
  const token = (await signInAs(app(), user)).access_token
  expect(await ask('GET /api/v4/policies', token)).toEqual(locked)
  const { db } = app().database
  await db
    .transaction()
    .execute((trx) => activateAccount(trx, app().clock, payer.id, { actor: {}, comment: 'first payment' }))
  expect((await ask('GET /api/v4/rooms', token)).body.reason).toBeUndefined()
  expect((await app().call('GET /api/auth/info', { token })).body.isLocked).toBe(false)
  const application = await appToken(app(), {
    user: payer,
    token: (await signInAs(app(), payer)).access_token,
  })
  expect((await ask('GET /api/v4/users', application)).body.reason).toBeUndefined()
})
