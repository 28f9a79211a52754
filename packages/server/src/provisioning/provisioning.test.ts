import { fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { provision as enqueue } from '../platform/provision/provision.ts'
import { deleteUser, jobsDue, type MadeUser, makeAlias, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { IllegalTransition, transition } from '../users/user-state.ts'
import { NullBackend } from './null-backend.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)

beforeEach(async () => {
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  backend.fail(0)
  backend.calls.length = 0
})

async function provision(user: Pick<MadeUser, 'id'>): Promise<void> {
  await enqueue(app().database.db, { kind: 'user', id: user.id })
  await app().jobs.drain()
}

/** Seconds until the next retry of the only job; 0 if there is none. */
async function untilNextTry(): Promise<number> {
  const { rows } = await app().database.pool.query<{ seconds: number }>(
    `select extract(epoch from run_at - now())::float as seconds from graphile_worker._private_jobs where is_available`,
  )
  return rows[0]?.seconds ?? 0
}

const flags = async (user: MadeUser) => {
  const row = await app()
    .database.db.selectFrom('users')
    .select('status')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  return row.status
}

describe("creating a user's mailbox", () => {
  test('syncs the user and marks it ready and active', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    await provision(user)
    expect(backend.users.get(user.id)).toMatchObject({ id: user.id, email: user.email, aliases: [] })
    expect(await flags(user)).toBe(userStatus.new | userStatus.imapReady | userStatus.active)
  })

  test('preserves unrelated status bits', async () => {
    const user = await makeUser(app(), {
      status: userStatus.new | userStatus.restricted | userStatus.suspended,
    })
    await provision(user)
    expect(await flags(user)).toBe(1 | 2 | 4 | 32 | 128)
  })

  test('is idempotent', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    await provision(user)
    await provision(user)
    expect(await flags(user)).toBe(35)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('succeeds on the next attempt after one failure', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    backend.fail(1)
    await provision(user)
    expect(await flags(user)).toBe(userStatus.new)
    expect(await app().jobs.failed()).toMatchObject([{ name: 'provision', attempts: 1, dead: false }])
    const { access_token: token } = await signInAs(app(), user)
    expect((await app().call('GET /api/auth/info', { token })).body.isReady).toBe(false)
    await jobsDue(app())
    await app().jobs.drain()
    expect(await app().jobs.failed()).toEqual([])
    expect((await app().call('GET /api/auth/info', { token })).body).toMatchObject({
      isReady: true,
      statusInfo: { isDone: true },
    })
  })

  test('becomes a dead letter with its error after 24 attempts; a refresh revives it', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    backend.fail(24)
    const { access_token: token } = await signInAs(app(), user)
    const refresh = () => app().call(`GET /api/v4/users/${user.id}/status?refresh=1`, { token })
    await refresh()
    let waited = 0
    for (let turn = 1; turn <= 30; turn++) {
      await jobsDue(app())
      await app().jobs.drain()
      waited += await untilNextTry()
    }
    expect(backend.calls).toHaveLength(24)
    // survives an outage of a whole day, and a weekend
    expect(waited).toBeGreaterThan(3 * 86_400)
    const [failure, ...more] = await app().jobs.failed()
    expect(more).toEqual([])
    expect(failure).toMatchObject({ name: 'provision', attempts: 24, maxAttempts: 24, dead: true })
    expect(failure?.error).toContain('mail store does not respond')
    expect((await refresh()).body.processState).toBe('waiting')
    await app().jobs.drain()
    expect((await refresh()).body).toMatchObject({ processState: 'done', isReady: true })
  })

  test('skips users who are deleted, technical, unknown or without a mailbox', async () => {
    const gone = await makeUser(app(), { status: userStatus.new })
    await deleteUser(app(), gone)
    const technical = await makeUser(app(), { status: userStatus.new, role: 'service' })
    const plain = await makeUser(app(), { status: userStatus.new, plan: null })
    for (const user of [gone, technical, plain, { ...plain, id: 4_000_000_000 }]) await provision(user)
    expect(backend.calls).toHaveLength(0)
    for (const user of [technical, plain]) expect(await flags(user)).toBe(userStatus.new)
    // a user who was never synced needs no removal
    expect(await flags(gone)).toBe(userStatus.new | userStatus.deleted)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('does not activate an account that must pay first', async () => {
    const { db } = app().database
    const user = await makeUser(app(), { status: userStatus.new })
    await db.updateTable('plans').set({ mode: 'mandate' }).where('title', '=', 'individual').execute()
    await provision(user)
    expect(await flags(user)).toBe(userStatus.new | userStatus.imapReady)
    await db.updateTable('plans').set({ mode: 'email' }).where('title', '=', 'individual').execute()
  })
})

describe('syncing to the back end', () => {
  const told = async (user: MadeUser) => {
    await provision(user)
    return backend.users.get(user.id)
  }

  test("sends the user's complete current state", async () => {
    const user = await makeUser(app(), { settings: { first_name: 'Ada', organization: 'Acme' } })
    await makeAlias(app(), user, `alias${user.id}@example.test`)
    expect(await told(user)).toEqual({
      id: user.id,
      email: user.email,
      previousEmails: [],
      aliases: [`alias${user.id}@example.test`],
      // fields without a value are null
      ...Object.fromEntries(fieldsWith('backend').map((name) => [userFields[name].backend, null])),
      firstName: 'Ada',
      organization: 'Acme',
      quota: 5 * 1_048_576,
      roles: [],
      status: 35,
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    })
  })

  test('reduces an unpaid account to the minimum quota and a single role', async () => {
    const owner = await makeUser(app(), { status: 35 | userStatus.degraded })
    const member = await makeUser(app(), { walletId: owner.walletId })
    await app().database.pool.query(
      `insert into entitlements select gen_random_uuid(), wallet_id, sku_id, object_type, object_id, cost, fee,
         description, created_at, billed_until, null from entitlements where object_id = $1`,
      [member.id],
    )
    expect(await told(member)).toMatchObject({ quota: 5 * 1_048_576, roles: ['degraded-user'] })
    await transition(app().database.db, app().clock, owner.id, 'undegrade')
    expect(await told(member)).toMatchObject({ quota: 10 * 1_048_576, roles: [] })
  })

  test('removes only deleted users, and only once', async () => {
    const user = await makeUser(app())
    await provision(user)
    backend.calls.length = 0
    await deleteUser(app(), user)
    await provision(user)
    await provision(user)
    expect(backend.calls).toEqual([{ name: 'deleteUser', userId: user.id }])
    expect(backend.users.has(user.id)).toBe(false)
    expect(await flags(user)).toBe(userStatus.new | userStatus.deleted)
  })

  test('removes users who are older than their provisioning record', async () => {
    const user = await makeUser(app())
    await deleteUser(app(), user)
    await provision(user)
    expect(backend.calls).toEqual([{ name: 'deleteUser', userId: user.id }])
  })

  test('coalesces many changes into one call', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    for (let turn = 0; turn < 4; turn++) await enqueue(app().database.db, { kind: 'user', id: user.id })
    await app().jobs.drain()
    expect(backend.calls.map((call) => call.name)).toEqual(['createUser'])
    await provision(user)
    expect(backend.calls.map((call) => call.name)).toEqual(['createUser', 'updateUser'])
  })
})

describe('a user of an account in mandate mode', () => {
  test('is activated together with the owner', async () => {
    const { db } = app().database
    const owner = await makeUser(app(), { status: userStatus.new | userStatus.imapReady })
    const member = await makeUser(app(), { status: userStatus.new, walletId: owner.walletId })
    await db.updateTable('plans').set({ mode: 'mandate' }).where('title', '=', 'individual').execute()
    await provision(member)
    expect(await flags(member)).toBe(userStatus.new | userStatus.imapReady)
    await transition(db, app().clock, owner.id, 'activate')
    await provision(member)
    expect(await flags(member)).toBe(35)
    await db.updateTable('plans').set({ mode: 'email' }).where('title', '=', 'individual').execute()
  })
})

describe("changing a user's status", () => {
  const step = (user: { id: number }, name: Parameters<typeof transition>[3]) =>
    transition(app().database.db, app().clock, user.id, name)

  test.each([
    ['suspend', 35, 39],
    ['suspend', 39, 39],
    ['unsuspend', 39, 35],
    ['degrade', 35, 99],
    ['undegrade', 99, 35],
    ['unrestrict', 163, 35],
    ['activate', 33, 35],
    ['mailboxReady', 1, 33],
    ['entryReady', 1, 17],
  ] as const)('%s changes %i to %i', async (name, from, to) => {
    const user = await makeUser(app(), { status: from })
    await step(user, name)
    expect(await flags(user)).toBe(to)
  })

  test('rejects deleted and unknown users', async () => {
    const gone = await makeUser(app())
    await deleteUser(app(), gone)
    await expect(step(gone, 'activate')).rejects.toThrow(IllegalTransition)
    await expect(step({ id: 4_000_000_001 }, 'activate')).rejects.toThrow(IllegalTransition)
    const alive = await makeUser(app())
    await expect(step(alive, 'removed')).rejects.toThrow(IllegalTransition)
    const marked = await makeUser(app(), { status: userStatus.deleted })
    await expect(step(marked, 'activate')).rejects.toThrow(IllegalTransition)
  })

  test('loses no concurrent updates', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    await Promise.all(
      (['suspend', 'degrade', 'activate', 'mailboxReady'] as const).map((name) => step(user, name)),
    )
    expect(await flags(user)).toBe(1 | 2 | 4 | 32 | 64)
  })
})
