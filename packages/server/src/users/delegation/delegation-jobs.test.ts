import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { provision } from '../../platform/provision/provision.ts'
import { NullBackend } from '../../provisioning/null-backend.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { jobsDue, type MadeUser, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
let account: TestAccount

beforeEach(async () => {
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  backend.fail(0)
  backend.calls.length = 0
  account = await makeAccount(app())
})

const path = () => `/api/v4/users/${account.member.id}/delegations`
const one = () => `${path()}/${account.controller.email}`
const add = (options: unknown = { mail: 'read-write' }, email = account.controller.email) =>
  account.as('member', `POST ${path()}`, { email, options })
const isReady = async () => (await account.as('member', `GET ${path()}`)).body.list[0]?.isReady
const known = (from = account.member, to: MadeUser = account.controller) =>
  backend.delegations.get(`${from.id}:${to.id}`)
const names = () => backend.calls.map((call) => call.name)

/** Runs due jobs until none fails. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await app().jobs.drain()
    await jobsDue(app())
  }
  await app().jobs.drain()
}

describe('the groupware', () => {
  test('receives a delegation, its changes and its end, each once', async () => {
    await add()
    await app().jobs.drain()
    expect(known()).toEqual({
      delegator: { id: account.member.id, email: account.member.email },
      delegatee: { id: account.controller.id, email: account.controller.email },
      options: { mail: 'read-write', send_as: true },
    })
    await account.as('member', `PUT ${one()}`, { options: { event: 'read-only' } })
    expect(await isReady()).toBe(false)
    await app().jobs.drain()
    expect([known()?.options, await isReady()]).toEqual([{ event: 'read-only', send_as: true }, true])
    // a no-op change is not sent
    await account.as('member', `PUT ${one()}`, { options: { event: 'read-only' } })
    await account.as('member', `DELETE ${one()}`)
    await app().jobs.drain()
    expect(known()).toBeUndefined()
    expect(names()).toEqual(['createDelegation', 'updateDelegation', 'deleteDelegation'])
  })

  test('receives everything in the right order after an outage', async () => {
    backend.fail(2)
    await add()
    await app().jobs.drain()
    expect([known(), await isReady()]).toEqual([undefined, false])
    await account.as('member', `PUT ${one()}`, { options: { task: 'read-write' } })
    await settle()
    expect([known()?.options, await isReady()]).toEqual([{ task: 'read-write', send_as: true }, true])
    expect(await app().jobs.failed()).toEqual([])
  })

  test('receives the new delegation if one was ended and recreated during an outage', async () => {
    await add()
    await app().jobs.drain()
    backend.fail(1)
    await account.as('member', `DELETE ${one()}`)
    await app().jobs.drain()
    await add({ contact: 'read-only' })
    await settle()
    expect(known()?.options).toEqual({ contact: 'read-only', send_as: false })
    expect(await app().jobs.failed()).toEqual([])
  })

  test('receives no delegation if one was created and ended during an outage', async () => {
    backend.fail(1)
    await add()
    await app().jobs.drain()
    await account.as('member', `DELETE ${one()}`)
    await settle()
    expect(known()).toBeUndefined()
    expect(await app().jobs.failed()).toEqual([])
  })

  test.each(['delegator', 'delegatee'] as const)(
    'receives a delegation once the mailbox of the %s is ready',
    async (end) => {
      const { db } = app().database
      const late = end === 'delegator' ? account.member : account.controller
      await db.updateTable('users').set({ status: userStatus.new }).where('id', '=', late.id).execute()
      await add()
      await app().jobs.drain()
      expect([names(), await isReady(), await app().jobs.failed()]).toEqual([[], false, []])
      await provision(db, { kind: 'user', id: late.id })
      await app().jobs.drain()
      expect([names(), await isReady()]).toEqual([['createUser', 'createDelegation'], true])
    },
  )
})

describe('deleting a user', () => {
  test('ends all their delegations in both directions, in the groupware first', async () => {
    const other = await makeUser(app(), { walletId: account.owner.walletId })
    await add()
    await account.as('owner', `POST /api/v4/users/${account.owner.id}/delegations`, {
      email: account.member.email,
      options: { mail: 'read-only' },
    })
    await account.as('owner', `POST /api/v4/users/${account.owner.id}/delegations`, {
      email: other.email,
      options: { task: 'read-only' },
    })
    await app().jobs.drain()
    backend.calls.length = 0
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    await app().jobs.drain()
    expect([known(), known(account.owner, account.member)]).toEqual([undefined, undefined])
    expect(known(account.owner, other)).toBeDefined()
    const own = backend.calls.filter((call) => call.userId === account.member.id).map((call) => call.name)
    expect(own).toEqual(['deleteDelegation', 'deleteUser'])
    const { rows } = await app().database.pool.query<{ object_id: number }>(
      `select object_id from event_log where event = 'delegation.deleted' and object_id = any($1)`,
      [[account.owner.id, account.member.id]],
    )
    expect(new Set(rows.map((row) => row.object_id))).toEqual(new Set([account.owner.id, account.member.id]))
    expect(rows).toHaveLength(2)
  })

  test('with a whole account leaves no delegations', async () => {
    await add()
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    await app().jobs.drain()
    expect(known()).toBeUndefined()
    const { rows } = await app().database.pool.query('select from delegations where delegator_id = $1', [
      account.member.id,
    ])
    expect(rows).toEqual([])
    expect(await app().jobs.failed()).toEqual([])
  })
})
