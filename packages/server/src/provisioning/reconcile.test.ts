import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import { noteStep } from '../platform/provision/provisioning-store.ts'
import { deleteUser, jobsDue, type MadeUser, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { NullBackend } from './null-backend.ts'

const backend = new NullBackend()
const app = useTestApp({ APP_LDAP: '1' }, backend)
const db = () => app().database.db
let number = 0

beforeEach(async () => {
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  backend.fail(0)
  backend.calls.length = 0
})

const enqueue = (user: Pick<MadeUser, 'id'>) => provision(db(), { kind: 'user', id: user.id })
const newUser = (facts = {}) => makeUser(app(), { status: userStatus.new, ...facts })
const names = (user?: Pick<MadeUser, 'id'>) =>
  backend.calls
    .filter((call) => user === undefined || call.userId === user.id || call.objectId === user.id)
    .map((call) => call.name)

/** Simulates an operator moving a user to another address. */
async function moveTo(user: Pick<MadeUser, 'id'>, email: string) {
  await db().updateTable('users').set({ email }).where('id', '=', user.id).execute()
  await enqueue(user)
}

async function remove(user: Pick<MadeUser, 'id'>) {
  await deleteUser(app(), user)
  await enqueue(user)
}

async function restore(user: Pick<MadeUser, 'id'>) {
  const status = userStatus.new
  await db().updateTable('users').set({ deletedAt: null, status }).where('id', '=', user.id).execute()
  await enqueue(user)
}

/** Returns a user's provisioning record. */
async function record(user: Pick<MadeUser, 'id'>) {
  const { rows } = await app().database.pool.query(
    `select state, attempts, error, waits_for, told_at is not null as is_told,
       array(select name from provisioning_names n where n.object_id = p.object_id order by 1) as names
     from provisioning p where object_id = $1 and step = 'backend'`,
    [user.id],
  )
  return rows[0]
}

const status = async (user: Pick<MadeUser, 'id'>) =>
  (await db().selectFrom('users').select('status').where('id', '=', user.id).executeTakeFirstOrThrow()).status

/** Runs jobs as time passes, until no retries are left. */
async function settle() {
  for (let turn = 0; turn < 40; turn++) {
    await app().jobs.drain()
    if ((await app().jobs.failed()).every((job) => job.dead)) return
    await jobsDue(app())
  }
}

describe('the back end', () => {
  test('moves a mailbox from the old address to the new one', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    await moveTo(user, `moved${user.id}@example.test`)
    await settle()
    expect(names()).toEqual(['createUser', 'updateUser'])
    expect(backend.users.get(user.id)).toMatchObject({
      email: `moved${user.id}@example.test`,
      previousEmails: [user.email],
    })
    expect(await record(user)).toMatchObject({ state: 'done', names: [`moved${user.id}@example.test`] })
  })

  test('receives every address it may know once it is back from an outage', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    backend.fail(3)
    for (const place of ['a', 'b', 'c']) {
      await moveTo(user, `${place}${user.id}@example.test`)
      await app().jobs.drain()
    }
    await settle()
    // it's unknown which of the failed calls it processed
    expect(backend.users.get(user.id)).toMatchObject({
      email: `c${user.id}@example.test`,
      previousEmails: [`a${user.id}@example.test`, `b${user.id}@example.test`, user.email],
    })
    expect(await record(user)).toMatchObject({
      names: [`c${user.id}@example.test`],
      attempts: 0,
      error: null,
    })
    expect(await app().jobs.failed()).toEqual([])
  })

  test('recreates a user who was deleted and restored', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    await remove(user)
    await settle()
    expect(await status(user)).toBe(userStatus.new | userStatus.deleted)
    await restore(user)
    await settle()
    expect(names()).toEqual(['createUser', 'deleteUser', 'createUser'])
    expect(await status(user)).toBe(51)
  })

  test('removes a user whose row is gone, by the last known address', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    await db().deleteFrom('entitlements').where('objectId', '=', user.id).execute()
    await db().deleteFrom('users').where('id', '=', user.id).execute()
    await enqueue(user)
    await settle()
    expect(names()).toEqual(['createUser', 'deleteUser'])
    expect(await record(user)).toBeUndefined()
  })

  test.each([
    ['hour', 6],
    ['day', 12],
  ])('recovers from an outage of a whole %s without intervention', async (_, failures) => {
    const user = await newUser()
    backend.fail(failures)
    await enqueue(user)
    await app().jobs.drain()
    for (const change of [
      () => enqueue(user),
      () => moveTo(user, `other${user.id}@example.test`),
      () => remove(user),
      () => restore(user),
      () => moveTo(user, `last${user.id}@example.test`),
    ]) {
      await change()
      await app().jobs.drain()
      await jobsDue(app())
      await app().jobs.drain()
    }
    await settle()
    expect(await app().jobs.failed()).toEqual([])
    expect(await status(user)).toBe(51)
    expect(backend.users.get(user.id)?.email).toBe(`last${user.id}@example.test`)
    expect(await record(user)).toMatchObject({ state: 'done', names: [`last${user.id}@example.test`] })
  })

  test('has no user after one was created and deleted during an outage', async () => {
    const user = await newUser()
    backend.fail(1)
    await enqueue(user)
    await app().jobs.drain()
    await remove(user)
    await settle()
    // the failed attempt may have been partially executed
    expect(names()).toEqual(['createUser', 'deleteUser'])
    expect(await record(user)).toMatchObject({ state: 'done', names: [], is_told: false })
    expect(await status(user)).toBe(userStatus.new | userStatus.deleted)
  })

  test('receives changes made during a sync afterwards', async () => {
    const user = await newUser()
    const create = backend.createUser.bind(backend)
    backend.createUser = async (told) => {
      await create(told)
      await moveTo(user, `during${user.id}@example.test`)
    }
    await enqueue(user)
    await settle()
    backend.createUser = create
    expect(names()).toEqual(['createUser', 'updateUser'])
    expect(backend.users.get(user.id)?.email).toBe(`during${user.id}@example.test`)
    expect(await record(user)).toMatchObject({ state: 'done' })
  })

  test.each([0, 1])('processes a deletion made during a sync, even one that fails: %i', async (failures) => {
    const user = await newUser()
    const create = backend.createUser.bind(backend)
    backend.createUser = async (told) => {
      await remove(user)
      backend.fail(failures)
      await create(told)
    }
    await enqueue(user)
    await settle()
    backend.createUser = create
    expect(names()).toEqual(['createUser', 'deleteUser'])
    expect(await app().jobs.failed()).toEqual([])
    expect(await record(user)).toMatchObject({ state: 'done', names: [] })
  })

  test('recreates a user who is restored during the removal', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    const forget = backend.deleteUser.bind(backend)
    backend.deleteUser = async (told) => {
      await forget(told)
      await restore(user)
    }
    await remove(user)
    await settle()
    backend.deleteUser = forget
    expect(names()).toEqual(['createUser', 'deleteUser', 'createUser'])
    expect(await status(user)).toBe(51)
    expect(await app().jobs.failed()).toEqual([])
  })
})

describe('an address that another user had', () => {
  test('is assigned to the new user only after the old mailbox is removed', async () => {
    const old = await newUser()
    await enqueue(old)
    await settle()
    backend.fail(2)
    await remove(old)
    await app().jobs.drain()
    await db()
      .updateTable('users')
      .set({ email: `${old.id}#gone` })
      .where('id', '=', old.id)
      .execute()
    await db().deleteFrom('addresses').where('objectId', '=', old.id).execute()
    const next = await newUser({ email: old.email })
    await enqueue(next)
    await app().jobs.drain()
    expect(names(next)).toEqual([])
    expect(await record(next)).toMatchObject({ state: 'waiting', waits_for: `user:${old.id}`, attempts: 0 })
    await settle()
    expect(names().slice(-2)).toEqual(['deleteUser', 'createUser'])
    expect(backend.users.has(old.id)).toBe(false)
    expect(backend.users.get(next.id)?.email).toBe(old.email)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('is not taken from its new user when a user older than the record is removed', async () => {
    const old = await makeUser(app())
    await remove(old)
    await app().database.pool.query('delete from graphile_worker._private_jobs')
    await db().deleteFrom('addresses').where('objectId', '=', old.id).execute()
    await db()
      .updateTable('users')
      .set({ email: `${old.id}#gone` })
      .where('id', '=', old.id)
      .execute()
    const next = await newUser({ email: old.email })
    await db().updateTable('users').set({ email: 'parked@example.test' }).where('id', '=', next.id).execute()
    await db().updateTable('users').set({ email: old.email }).where('id', '=', next.id).execute()
    await enqueue(next)
    await settle()
    await enqueue(old)
    await settle()
    expect(backend.users.get(next.id)?.email).toBe(old.email)
    expect(await status(old)).toBe(userStatus.new | userStatus.deleted)
  })

  test('cannot be swapped between two users, which is an error for staff', async () => {
    const [one, other] = [await newUser(), await newUser()]
    await provisionAll(db(), 'user', [one.id, other.id])
    await settle()
    await db().updateTable('users').set({ email: 'between@example.test' }).where('id', '=', one.id).execute()
    await moveTo(other, one.email)
    await moveTo(one, other.email)
    await app().jobs.drain()
    expect((await app().jobs.failed())[0]?.error).toContain('still holds the name of')
    expect(names()).toEqual(['createUser', 'createUser'])
    await db().deleteFrom('provisioning').where('objectId', 'in', [one.id, other.id]).execute()
  })
})

test('a name that another object keeps is an error for staff, with no more attempts than usual', async () => {
  const holder = await newUser()
  await enqueue(holder)
  await settle()
  const late = await newUser()
  await app().database.pool.query(
    `insert into provisioning_names (name, kind, object_id) values ($1, 'user', $2)`,
    [late.email, holder.id],
  )
  await enqueue(late)
  await app().jobs.drain()
  expect(await app().jobs.failed()).toMatchObject([{ attempts: 1, dead: false }])
  expect(await record(late)).toMatchObject({ state: 'failed', waits_for: `user:${holder.id}` })
  // the job that releases the name wakes the waiting ones
  await enqueue(holder)
  await settle()
  expect(names(late)).toEqual(['createUser'])
  expect(await app().jobs.failed()).toEqual([])
})

describe('with a directory, a user', () => {
  /** Creates a user in a domain of the account that the directory doesn't have yet. */
  async function inNewDomain() {
    const namespace = `waits${++number}.test`
    const domainId = await makeDomain(app(), namespace, { type: 4, status: domainStatus.new })
    const user = await newUser({ email: `somebody@${namespace}` })
    return { user, domain: { kind: 'domain', id: domainId } as const }
  }

  test('waits for the domain without using up attempts', async () => {
    const { user, domain } = await inNewDomain()
    backend.fail(30)
    await enqueue(user)
    for (let turn = 0; turn < 30; turn++) {
      await app().jobs.drain()
      await jobsDue(app())
    }
    expect(names(user)).toEqual([])
    expect(await record(user)).toMatchObject({
      state: 'waiting',
      attempts: 0,
      waits_for: `domain:${domain.id}`,
    })
    // the user's job kept the domain's running until that became a dead letter
    expect(names()).toEqual(Array(24).fill('createDomain'))
    backend.fail(0)
    await provision(db(), domain)
    await settle()
    expect(names().slice(-2)).toEqual(['createDomain', 'createUser'])
    expect(await status(user)).toBe(51)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('is refreshed together with the domain', async () => {
    const { user, domain } = await inNewDomain()
    const { access_token: token } = await signInAs(app(), user)
    const state = async (query = '') =>
      (await app().call(`GET /api/v4/users/${user.id}/status${query}`, { token })).body.processState
    backend.fail(24)
    await enqueue(user)
    expect(await state()).toBe('running')
    await app().jobs.drain()
    expect(await state()).toBe('failed')
    await settle()
    expect(await app().jobs.failed()).toMatchObject([{ dead: true }])
    expect(await state('?refresh=1')).toBe('waiting')
    await settle()
    expect(await record(domain)).toMatchObject({ state: 'done' })
    expect(await status(user)).toBe(51)
    // the domain's DNS lookup and the owner's confirmation remain
    expect((await app().call(`GET /api/v4/users/${user.id}`, { token })).body).toMatchObject({
      isReady: true,
      isLdapReady: true,
    })
  })
})

test('concurrent workers sync an object one after another and end with the latest state', async () => {
  const users = [await newUser(), await newUser(), await newUser()]
  const busy = new Set<number>()
  let overlaps = 0
  const createUser = backend.createUser.bind(backend)
  const updateUser = backend.updateUser.bind(backend)
  const alone =
    (call: typeof createUser): typeof createUser =>
    async (told) => {
      if (busy.has(told.id)) overlaps++
      busy.add(told.id)
      // lets other workers run in between
      await app().database.pool.query('select')
      await call(told)
      busy.delete(told.id)
    }
  backend.createUser = alone(createUser)
  backend.updateUser = alone(updateUser)
  await app().jobs.start(4)
  for (let turn = 1; turn <= 15; turn++) {
    await Promise.all(users.map((user) => moveTo(user, `turn${turn}of${user.id}@example.test`)))
  }
  await vi.waitFor(async () => {
    const records = await Promise.all(users.map(record))
    expect(records).toMatchObject(users.map(() => ({ state: 'done' })))
  }, 20_000)
  await app().jobs.stop()
  Object.assign(backend, { createUser, updateUser })
  for (const user of users) expect(backend.users.get(user.id)?.email).toBe(`turn15of${user.id}@example.test`)
  expect(overlaps).toBe(0)
})

test('enqueues five thousand users in well under a second', async () => {
  const ids = Array.from({ length: 5000 }, (_, index) => 3_000_000_000 + index)
  const began = performance.now()
  await db()
    .transaction()
    .execute((trx) => provisionAll(trx, 'user', ids))
  expect(performance.now() - began).toBeLessThan(2000)
  const { rows } = await app().database.pool.query('select count(*) from graphile_worker._private_jobs')
  expect(rows).toEqual([{ count: 5000 }])
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  await app().database.pool.query('delete from provisioning where object_id >= 3000000000')
})

test('a step processed elsewhere has its own record', async () => {
  const namespace = 'looked-for.test'
  const id = await makeDomain(app(), namespace, {
    type: 4,
    status: domainStatus.new | domainStatus.ldapReady,
  })
  const user = await makeUser(app(), { email: `x@${namespace}`, status: 51 })
  const { access_token: token } = await signInAs(app(), user)
  const state = async () => (await app().call('GET /api/auth/info', { token })).body.statusInfo.processState
  const note = (work: Parameters<typeof noteStep>[4]) =>
    noteStep(db(), app().clock, { kind: 'domain', id }, 'verified', work)
  await note({ state: 'waiting' })
  expect(await state()).toBe('running')
  await note({ state: 'failed', error: 'no such domain' })
  expect(await state()).toBe('failed')
  await note({ state: 'running' })
  expect(await state()).toBe('running')
})
