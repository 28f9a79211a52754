import { randomUUID } from 'node:crypto'
import type { AuditEvent } from '@gatehouse/contract/events'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../platform/audit.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { deleteUser, makeController, makeUser, signInAs } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let other: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
  const { id } = account.member
  await account.as('owner', `PUT /api/v4/users/${id}`, { first_name: 'One' })
  app().clock.advance(1800)
  await account.as('controller', `PUT /api/v4/users/${id}`, { first_name: 'Two' })
  await account.as('controller', `PUT /api/v4/users/${account.controller.id}`, { phone: '1' })
  app().clock.advance(24 * 3600)
  await audit(app().database.db, app().clock, {
    tenantId: 0,
    objectType: 'domain',
    objectId: account.domainId,
    event: 'domain.confirmed',
    actor: {},
  })
  other = await makeAccount(app())
  await other.as('owner', `PUT /api/v4/users/${other.member.id}`, { first_name: 'Not yours' })
})

const forgetSignIns = () => app().database.pool.query(`delete from event_log where event like 'sign-in.%'`)

/** Returns the events except the readers' own sign-ins. */
const events = async (query = '', path = '/api/v4/events') => {
  const { access_token: token } = await signInAs(app(), account.owner)
  await forgetSignIns()
  return (await app().call(`GET ${path}${query}`, { token })).body
}

const summary = (body: { list: { event: string; object: string; actor: string | null }[] }) =>
  body.list.map(
    (entry) => `${entry.event} ${entry.object.split('@')[0]} ${entry.actor?.split('@')[0] ?? '-'}`,
  )

describe("an account's activity", () => {
  test('shows actor, action and object, newest first', async () => {
    const body = await events()
    expect(summary(body)).toEqual([
      `domain.confirmed ${account.domain} -`,
      'user.updated controller controller',
      'user.updated member controller',
      `user.updated member ${account.owner.email.split('@')[0]}`,
    ])
    expect(body.list[3]).toEqual({
      id: body.list[3].id,
      createdAt: '2026-03-10 12:00:00',
      event: 'user.updated',
      title: 'User changed',
      objectType: 'user',
      objectId: account.member.id,
      object: account.member.email,
      objectDeleted: false,
      actorId: account.owner.id,
      actor: account.owner.email,
      ip: '127.0.0.1',
      comment: null,
      data: { before: { first_name: null }, after: { first_name: 'One' } },
    })
    expect(body).toMatchObject({ count: 4, hasMore: false })
  })

  test.each([
    ['size=1', 1],
    ['size=3&page=2', 1],
    ['size=3&page=3', 0],
    ['actor=OWNER', 1],
    ['actor=OWNERID', 1],
    ['actor=nobody@x.test', 0],
    ['event=user.updated', 3],
    ['event=user.', 3],
    ['event=user', 0],
    ['event=%25', 0],
    ['objectType=domain', 1],
    ['object=MEMBERID', 2],
    ['objectType=domain&object=MEMBERID', 0],
    ['from=2026-03-11', 1],
    ['from=2026-03-10&to=2026-03-10', 3],
    ['to=2026-03-10', 3],
    ['to=2026-03-10T12:29:59Z', 1],
    ['from=2026-03-10 12:30:00&to=2026-03-10 12:30:00', 2],
    ['from=2026-03-09&to=2026-03-09', 0],
  ])('with %s', async (query, expected) => {
    const filled = query
      .replace('OWNERID', String(account.owner.id))
      .replace('MEMBERID', String(account.member.id))
      .replace('OWNER', encodeURIComponent(account.owner.email.toUpperCase()))
    const body = await events(`?${filled}`)
    expect(body.count).toBe(expected)
    expect(body.hasMore).toBe(query === 'size=1')
  })

  test.each([
    'from=yesterday',
    'to=2026-13-01',
    'from=2026-02-30T99:99:99Z',
    'object=x',
    'page=0',
    'size=1000',
  ])('with %s is rejected at its field', async (query) => {
    const body = await events(`?${query}`)
    expect(Object.keys(body.errors)).toEqual([query.split('=')[0]])
  })

  test('is shown to controllers, across all accounts they control, and to no one else', async () => {
    const both = await makeUser(app())
    await makeController(app(), both, account.owner.walletId)
    await makeController(app(), both, other.owner.walletId)
    const { access_token: token } = await signInAs(app(), both)
    await forgetSignIns()
    const { body } = await app().call('GET /api/v4/events', { token })
    expect(body.count).toBe(5)
    const { access_token: plain } = await signInAs(app(), account.member)
    await forgetSignIns()
    expect((await app().call('GET /api/v4/events', { token: plain })).body).toEqual({
      list: [],
      count: 0,
      hasMore: false,
    })
  })

  test('keeps events of deleted users', async () => {
    const user = await makeUser(app(), { walletId: other.owner.walletId })
    await other.as('owner', `PUT /api/v4/users/${user.id}`, { first_name: 'Soon gone' })
    await deleteUser(app(), user)
    const { access_token: token } = await signInAs(app(), other.owner)
    const { body } = await app().call(`GET /api/v4/events?object=${user.id}`, { token })
    expect(body.list).toMatchObject([{ event: 'user.updated', object: user.email, objectDeleted: true }])
  })
})

test("an entry has the actor's name, whether it was staff, and whether its file exists", async () => {
  const { db } = app().database
  const admin = await makeStaff(app(), 'admin')
  const { id: objectId, email } = account.owner
  const at = { tenantId: 0, objectType: 'user', objectId }
  const [kept, gone] = [await makeFile(objectId), await makeFile(objectId, new Date())]
  await audit(db, app().clock, {
    ...at,
    event: 'user.resync',
    actor: { userId: admin.id, email: admin.email },
  })
  for (const file of [kept, gone]) {
    const data = { file, name: 'plan.txt' }
    await audit(db, app().clock, { ...at, event: 'file.created', actor: { userId: objectId, email }, data })
  }
  const { list } = await events('?event=user.resync')
  expect(list).toMatchObject([{ actor: admin.email, byStaff: true }])
  expect(list[0]).not.toHaveProperty('actorName')
  const files = (await events('?event=file.')).list
  expect(new Map(files.map((entry: AuditEvent) => [entry.data?.file, entry.file]))).toEqual(
    new Map([
      [kept, 'collection'],
      [gone, undefined],
    ]),
  )
  expect((await events(`?actor=${account.controller.id}&objectType=user`)).list[0]).not.toHaveProperty(
    'byStaff',
  )
  // the clock has advanced by a day, so the first session has expired
  const { access_token: token } = await signInAs(app(), account.controller)
  const body = { first_name: 'Con', last_name: 'Troller' }
  const changed = await app().call(`PUT /api/v4/users/${account.controller.id}`, { token, body })
  expect(changed.status).toBe(200)
  const named = await events(`?actor=${account.controller.id}&objectType=user`)
  expect(named.list[0].actorName).toBe('Con Troller')
})

/** A user's folder; the activity doesn't depend on its contents. */
async function makeFile(ownerId: number, deletedAt: Date | null = null): Promise<string> {
  const id = randomUUID()
  const now = app().clock.now()
  await app()
    .database.db.insertInto('fsItems')
    .values({
      id,
      tenantId: 0,
      ownerId,
      type: 'collection',
      name: 'plan.txt',
      changedAt: now,
      createdAt: now,
      updatedAt: now,
      deletedAt,
      deletionId: deletedAt && id,
    })
    .execute()
  return id
}

test("a user's activity contains only that user", async () => {
  const body = await events('', `/api/v4/users/${account.member.id}/events`)
  expect(summary(body)).toEqual([
    'user.updated member controller',
    `user.updated member ${account.owner.email.split('@')[0]}`,
  ])
  expect((await events('?actor=nobody', `/api/v4/users/${account.member.id}/events`)).count).toBe(0)
})

test("event titles are in the reader's language", async () => {
  const { access_token: token } = await signInAs(app(), account.owner)
  const titles = new Set<string>()
  for (const language of ['en', 'de', 'fr', 'it']) {
    const headers = { 'accept-language': language }
    const { body } = await app().call('GET /api/v4/events?event=user.updated', { token, headers })
    titles.add(body.list[0].title)
  }
  expect(titles.size).toBe(4)
})
