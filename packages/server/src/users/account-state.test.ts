import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { NullBackend } from '../provisioning/null-backend.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import {
  deleteUser,
  type MadeUser,
  makeController,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import {
  activateAccount,
  degradeAccount,
  type StateAct,
  suspendUser,
  undegradeAccount,
  unrestrictAccount,
  unsuspendUser,
} from './account-state.ts'
import { IllegalTransition } from './user-state.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
  await app().jobs.drain()
  backend.fail(0)
  backend.calls.length = 0
})

const act = (state: StateAct, user: Pick<MadeUser, 'id'> = account.owner) =>
  app()
    .database.db.transaction()
    .execute((trx) => state(trx, app().clock, user.id, { actor: {}, comment: 'a test' }))

const status = async (user: Pick<MadeUser, 'id'>) => {
  const query = app().database.db.selectFrom('users').select('status').where('id', '=', user.id)
  return (await query.executeTakeFirstOrThrow()).status
}

/** Returns the synced users, repeated for each sync. */
async function told(): Promise<number[]> {
  await app().jobs.drain()
  return backend.calls.map((call) => call.userId ?? 0).sort((one, other) => one - other)
}

const numbers = (...users: MadeUser[]) => users.map((user) => user.id).sort((one, other) => one - other)

describe('the back end is synced', () => {
  test('for a suspended user only, and again when unsuspended', async () => {
    await act(suspendUser, account.member)
    expect(await told()).toEqual([account.member.id])
    expect(backend.users.get(account.member.id)?.status).toBe(35 | userStatus.suspended)
    await act(unsuspendUser, account.member)
    await told()
    expect(backend.users.get(account.member.id)?.status).toBe(35)
  })

  test('for every user of an account when it is degraded, and again when it is restored', async () => {
    const stranger = await makeUser(app())
    const gone = await makeUser(app(), { walletId: account.owner.walletId })
    await deleteUser(app(), gone)
    await act(degradeAccount)
    expect(await told()).toEqual(numbers(account.owner, account.controller, account.member))
    for (const user of [account.owner, account.controller, account.member]) {
      expect(backend.users.get(user.id)?.roles).toEqual(['degraded-user'])
    }
    // members keep their own status
    expect([await status(account.owner), await status(account.member)]).toEqual([99, 35])
    await act(undegradeAccount)
    await told()
    expect(backend.users.get(account.member.id)?.roles).toEqual([])
    expect(backend.users.has(stranger.id)).toBe(false)
  })

  test('for a degraded user who owns no account, for that user only', async () => {
    await act(degradeAccount, account.member)
    expect(await told()).toEqual([account.member.id])
  })

  test("for all users whose restriction ends with the account's", async () => {
    for (const user of [account.owner, account.member])
      await setStatus(app(), user, 35 | userStatus.restricted)
    await act(unrestrictAccount)
    expect([await status(account.owner), await status(account.member)]).toEqual([35, 35])
    expect(await told()).toEqual(numbers(account.owner, account.controller, account.member))
  })

  test('for nothing that was rolled back', async () => {
    const failed = app()
      .database.db.transaction()
      .execute(async (trx) => {
        await degradeAccount(trx, app().clock, account.owner.id, { actor: {} })
        throw new Error('no')
      })
    await expect(failed).rejects.toThrow('no')
    expect([await told(), await status(account.owner)]).toEqual([[], 35])
  })
})

describe('activating the owner of an account in mandate mode', () => {
  test('activates users with ready mailboxes, and others when theirs become ready', async () => {
    const { imapReady, new: fresh } = userStatus
    await setStatus(app(), account.owner, fresh | imapReady)
    await setStatus(app(), account.member, fresh | imapReady)
    await setStatus(app(), account.controller, fresh)
    const gone = await makeUser(app(), { walletId: account.owner.walletId, status: fresh | imapReady })
    await deleteUser(app(), gone)
    await app()
      .database.db.updateTable('plans')
      .set({ mode: 'mandate' })
      .where('title', '=', 'group')
      .execute()
    await act(activateAccount)
    expect([await status(account.owner), await status(account.member)]).toEqual([35, 35])
    expect([await status(account.controller), await status(gone)]).toEqual([fresh, fresh | imapReady])
    await app().jobs.drain()
    expect(await status(account.controller)).toBe(35)
    await app().database.db.updateTable('plans').set({ mode: 'email' }).where('title', '=', 'group').execute()
  })
})

test('each action is recorded for the affected user', async () => {
  await act(suspendUser, account.member)
  const { body } = await account.as('owner', `GET /api/v4/users/${account.member.id}/events`)
  expect(body.list[0]).toMatchObject({ event: 'user.suspend', title: 'User suspended', comment: 'a test' })
})

test.each([suspendUser, unsuspendUser, degradeAccount, undegradeAccount, activateAccount, unrestrictAccount])(
  'somebody who is deleted stays as is: %o',
  async (state) => {
    await deleteUser(app(), account.member)
    await expect(act(state, account.member)).rejects.toThrow(IllegalTransition)
    expect(await told()).toEqual([])
  },
)

describe('in an account whose owner has not paid', () => {
  test('owner and controllers can do everything except create objects', async () => {
    const owner = await makeUser(app(), {
      status: userStatus.active | userStatus.imapReady | userStatus.degraded,
    })
    const controller = await makeUser(app(), { walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    for (const person of [owner, controller]) {
      const { access_token: token } = await signInAs(app(), person)
      const target = await makeUser(app(), { walletId: owner.walletId })
      const { status, body } = await app().call('POST /api/v4/users', { token, body: {} })
      expect({ status, message: body.message }).toEqual({
        status: 403,
        message: 'This account is unpaid. Top up the balance before you add users.',
      })
      expect((await app().call(`DELETE /api/v4/users/${target.id}`, { token })).status).toBe(200)
    }
  })
})
