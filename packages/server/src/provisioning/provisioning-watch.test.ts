import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import { deleteUser, jobsDue, type MadeUser, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { NullBackend } from './null-backend.ts'
import { lostWorkJob } from './provisioning.ts'

const backend = new NullBackend()
const app = useTestApp({ APP_LDAP: '1' }, backend)
const db = () => app().database.db
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

/** Runs jobs as time passes, until no retries are left. */
async function settle() {
  for (let turn = 0; turn < 40; turn++) {
    await app().jobs.drain()
    if ((await app().jobs.failed()).every((job) => job.dead)) return
    await jobsDue(app())
  }
}

describe('the state that users see', () => {
  test("is failed if the last attempt failed, however new the user, and doesn't reveal the cause", async () => {
    const user = await newUser()
    const { access_token: token } = await signInAs(app(), user)
    const info = async () => (await app().call('GET /api/auth/info', { token })).body
    const state = async () => (await info()).statusInfo.processState
    await enqueue(user)
    app().clock.advance(600)
    expect(await state()).toBe('running')
    backend.fail(2)
    await app().jobs.drain()
    expect(await state()).toBe('failed')
    expect(JSON.stringify(await info())).not.toContain('does not answer')
    expect(await record(user)).toMatchObject({ attempts: 1, error: 'mail store does not respond' })
    await enqueue(user)
    expect(await state()).toBe('running')
    await app().jobs.drain()
    expect(await state()).toBe('failed')
    await settle()
    expect(await info()).toMatchObject({ isReady: true, statusInfo: { processState: 'done', isDone: true } })
  })

  test('stays done while updates of a ready user fail', async () => {
    const user = await newUser()
    await enqueue(user)
    await settle()
    const { access_token: token } = await signInAs(app(), user)
    backend.fail(1)
    await enqueue(user)
    await app().jobs.drain()
    expect(await record(user)).toMatchObject({ state: 'failed' })
    expect((await app().call('GET /api/auth/info', { token })).body.statusInfo).toMatchObject({
      processState: 'done',
      isDone: true,
    })
  })
})

describe('the scan for lost work', () => {
  const look = async () => {
    await app().jobs.enqueue(db(), lostWorkJob, {})
    await app().jobs.drain()
  }
  const forgetJobs = () => app().database.pool.query('delete from graphile_worker._private_jobs')

  test('finds users who were never synced, deleted users, and changes', async () => {
    const never = await newUser()
    const gone = await newUser()
    const changed = await newUser()
    await provisionAll(db(), 'user', [gone.id, changed.id])
    await settle()
    await deleteUser(app(), gone)
    await enqueue(changed)
    await forgetJobs()
    backend.calls.length = 0
    await look()
    expect([never, gone, changed].map(names)).toEqual([['createUser'], ['deleteUser'], ['updateUser']])
    backend.calls.length = 0
    await look()
    expect(names()).toEqual([])
  })

  test('finds each domain missing in the back end once', async () => {
    const id = await makeDomain(app(), 'never-told.test', { type: 4, status: domainStatus.new })
    await look()
    await look()
    expect(names({ id })).toEqual(['createDomain'])
  })

  test('skips users that no job can help and those with a job, including dead letters', async () => {
    await newUser({ plan: null })
    await newUser({ role: 'service' })
    const dead = await newUser()
    await look()
    await app().database.pool.query(`update users set status = 1 where id = $1`, [dead.id])
    backend.fail(24)
    await enqueue(dead)
    await settle()
    expect(await app().jobs.failed()).toMatchObject([{ dead: true, attempts: 24 }])
    backend.calls.length = 0
    await look()
    expect(names()).toEqual([])
    await enqueue(dead)
    await settle()
    expect(await app().jobs.failed()).toEqual([])
  })

  test('cleans up jobs that failed while a newer one was being enqueued', async () => {
    await app().database.pool.query(
      `select graphile_worker.add_job('provision', '{"kind":"user","id":1}', max_attempts => 1)`,
    )
    await app().database.pool.query(
      `update graphile_worker._private_jobs set attempts = 1, last_error = 'late'`,
    )
    await look()
    expect(await app().jobs.failed()).toEqual([])
  })
})
