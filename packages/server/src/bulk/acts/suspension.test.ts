import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { appToken } from '../../testing/borrowed.ts'
import { bulkDesk } from '../../testing/bulk-desk.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { suspendUser } from '../../users/account-state.ts'
import { readSuspensionReason } from '../../users/suspension.ts'

const app = useTestApp()
let account: TestAccount

const { makeMembers, bulk, rowsOf, finish } = bulkDesk(app, () => account)

beforeEach(async () => {
  account = await makeAccount(app())
})

const statusOf = async (id: number) => {
  const query = app().database.db.selectFrom('users').select('status').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).status
}
const isSuspended = async (id: number) => ((await statusOf(id)) & userStatus.suspended) !== 0
const reasonsOf = async (body: Record<string, unknown>, who?: 'owner' | 'controller') =>
  (await bulk({ ...body, dryRun: true }, who)).body.preview.rows.map(
    (row: { messages: { text: string }[] }) => row.messages[0]?.text,
  )
const byStaff = (id: number, reason: 'abuse' | 'unpaid') =>
  app()
    .database.db.transaction()
    .execute((trx) => suspendUser(trx, app().clock, id, { actor: {}, reason }))

describe('suspending many users', () => {
  test('blocks their mail and logs the actor; resuming them restores it', async () => {
    const ids = await makeMembers(3)
    const { preview } = (await bulk({ action: 'suspend', ids, dryRun: true })).body
    expect(preview).toMatchObject({ ok: 3, refused: 0, price: { dueNow: 0 } })
    expect(preview.price.monthly.next).toBe(preview.price.monthly.now)
    expect(await Promise.all(ids.map(isSuspended))).toEqual([false, false, false])

    expect(await finish({ action: 'suspend', ids })).toMatchObject({ state: 'done', counts: { done: 3 } })
    expect(await Promise.all(ids.map(isSuspended))).toEqual([true, true, true])
    expect(await readSuspensionReason(app().database.db, ids[0] ?? 0)).toBe('account')
    const { list } = (await account.as('owner', `GET /api/v4/users/${ids[0]}/events`)).body
    expect(list[0]).toMatchObject({ title: 'User suspended' })

    expect(await finish({ action: 'resume', ids })).toMatchObject({ counts: { done: 3 } })
    expect(await Promise.all(ids.map(isSuspended))).toEqual([false, false, false])
  })

  test("applies to all users that match the list's filter", async () => {
    const ids = await makeMembers(3)
    await finish({ action: 'suspend', ids: ids.slice(0, 2) })
    expect(await finish({ action: 'resume', filter: { status: 'suspended' } })).toMatchObject({ total: 2 })
    expect(await isSuspended(ids[0] ?? 0)).toBe(false)
  })

  test("rejects the owner, oneself, other accounts' users, and already suspended users", async () => {
    const [id = 0] = await makeMembers(1)
    await finish({ action: 'suspend', ids: [id] })
    const stranger = await makeUser(app())
    const ids = [account.owner.id, account.controller.id, stranger.id, id]
    expect(await reasonsOf({ action: 'suspend', ids }, 'controller')).toEqual([
      'The account owner can’t be suspended here.',
      'You can’t suspend yourself.',
      'Access denied',
      'This user is already suspended.',
    ])
    await bulk({ action: 'suspend', ids: ids.slice(0, 3) }, 'controller')
    await app().jobs.drain()
    for (const one of ids.slice(0, 3)) expect(await isSuspended(one)).toBe(false)
  })

  test('does not lift suspensions by the service', async () => {
    const [abuser = 0, debtor = 0, free = 0] = await makeMembers(3)
    await byStaff(abuser, 'abuse')
    await byStaff(debtor, 'unpaid')
    const ids = [abuser, debtor, free]
    expect(await reasonsOf({ action: 'resume', ids })).toEqual([
      'We suspended this user. Contact support.',
      'We suspended this user. Contact support.',
      'This user isn’t suspended.',
    ])
    await finish({ action: 'resume', ids })
    expect(await Promise.all(ids.map(isSuspended))).toEqual([true, true, false])
  })

  test('is overridden by staff, after which the account can’t resume the user', async () => {
    const [id = 0] = await makeMembers(1)
    await finish({ action: 'suspend', ids: [id] })
    await byStaff(id, 'unpaid')
    expect(await readSuspensionReason(app().database.db, id)).toBe('account')
    await byStaff(id, 'abuse')
    expect(await reasonsOf({ action: 'resume', ids: [id] })).toEqual([
      'We suspended this user. Contact support.',
    ])
  })

  test('fails in the row of a user who was suspended after the preview', async () => {
    const [one = 0, other = 0] = await makeMembers(2)
    const { batch } = (await bulk({ action: 'suspend', ids: [one, other] })).body
    await byStaff(one, 'abuse')
    await app().jobs.drain()
    expect((await rowsOf(batch.id)).list).toMatchObject([
      { objectId: one, state: 'failed', messages: [{ text: 'This user is already suspended.' }] },
      { objectId: other, state: 'done' },
    ])
    expect(await readSuspensionReason(app().database.db, one)).toBe('abuse')
  })
})

describe('password links for many users', () => {
  const reachable = (name: string) =>
    makeUser(app(), {
      email: `${name}@${account.domain}`,
      walletId: account.owner.walletId,
      settings: { external_email: `${name}@elsewhere.test`, first_name: name },
    })

  test('are mailed to private addresses and work', async () => {
    const [ann, bob] = [await reachable('ann'), await reachable('bob')]
    expect(await finish({ action: 'password-link', ids: [ann.id, bob.id] })).toMatchObject({
      counts: { done: 2 },
    })
    const mails = (await app().mails()).filter((mail) =>
      mail.to.some(({ address }) => address.endsWith('@elsewhere.test')),
    )
    expect(mails.flatMap((mail) => mail.to.map(({ address }) => address)).sort()).toEqual([
      'ann@elsewhere.test',
      'bob@elsewhere.test',
    ])
    expect(mails[0]?.text).toContain('Someone who manages your account sent you this code')
    const { list } = (await account.as('owner', `GET /api/v4/users/${ann.id}/events`)).body
    expect(list.map(({ title }: { title: string }) => title)).toContain('Password link sent')
  })

  test("are rejected for users without a private address, for oneself and for other accounts' users", async () => {
    const [id = 0] = await makeMembers(1)
    const stranger = await makeUser(app(), { settings: { external_email: 'private@elsewhere.test' } })
    const ids = [id, account.owner.id, stranger.id]
    expect(await reasonsOf({ action: 'password-link', ids })).toEqual([
      'This user has no external e-mail address. Add one on the user’s page first.',
      'Change your own password under “My account”.',
      'Access denied',
    ])
  })
})

test('members, and applications on the owner’s behalf, can neither suspend nor send links', async () => {
  const [id = 0] = await makeMembers(1)
  const session = (await signInAs(app(), account.owner)).access_token
  const token = await appToken(app(), { user: account.owner, token: session })
  for (const action of ['suspend', 'resume', 'password-link']) {
    expect((await bulk({ action, ids: [id] }, 'member')).status).toBe(403)
    const body = { objects: 'users', action, ids: [id] }
    expect((await app().call('POST /api/v4/bulk', { token, body })).status).toBe(403)
  }
  const lists = await account.as('owner', 'POST /api/v4/bulk', {
    ...{ objects: 'groups', action: 'suspend', ids: [id] },
  })
  expect(lists).toMatchObject({ status: 422, body: { errors: { action: expect.anything() } } })
})
