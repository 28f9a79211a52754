import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { restoreAccount } from '../../account-lifecycle/restore-account.ts'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { deleteUser, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { makeRoom, skuIds } from '../../testing/meetings.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { Retention } from '../../users/retention.ts'
import { PurgeRooms } from './end-room.ts'
import { readRoom } from './room-store.ts'

const app = useTestApp()
let account: TestAccount
let skus: Record<string, string>

beforeAll(async () => {
  skus = await skuIds(app())
})

beforeEach(async () => {
  account = await makeAccount(app())
})

const groupRoom = () => ({ skus: { [skus['group-room'] ?? '']: 1 } })

describe('the list of rooms', () => {
  test('creates a free first room once for a controller of an account that never had one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => account.as('owner', 'GET /api/v4/rooms')))
    for (const answer of answers) expect(answer.status).toBe(200)
    const { body } = await account.as('controller', 'GET /api/v4/rooms')
    expect(body).toMatchObject({ count: 1, total: 1, hasMore: false, message: '1 room found.' })
    expect(body.list[0]).toMatchObject({ isReady: true, isDeleted: false, isOwner: true, isOpen: false })
    expect(body.list[0].name).toMatch(/^[2-9a-hj-np-z]{3}(-[2-9a-hj-np-z]{3}){2}$/)
    expect(await skusOf(app(), body.list[0].id)).toEqual({ room: 1 })
  })

  test('stays empty after the last room was deleted', async () => {
    const { body } = await account.as('owner', 'GET /api/v4/rooms')
    await account.as('owner', `DELETE /api/v4/rooms/${body.list[0].id}`)
    expect((await account.as('owner', 'GET /api/v4/rooms')).body).toMatchObject({ list: [], count: 0 })
  })

  test('never creates a billed room', async () => {
    const { db } = app().database
    const price = (cost: number) => db.updateTable('skus').set({ cost }).where('title', '=', 'room').execute()
    await price(100)
    try {
      expect((await account.as('owner', 'GET /api/v4/rooms')).body).toMatchObject({ list: [], count: 0 })
    } finally {
      await price(0)
    }
  })

  test('creates nothing for users who control no account', async () => {
    expect((await account.as('member', 'GET /api/v4/rooms')).body).toMatchObject({ list: [], count: 0 })
  })

  test('is complete without a page, as other clients expect, and otherwise paged, searched and sorted', async () => {
    const made = []
    for (const description of ['Alpha', 'beta', 'Gamma 100%']) {
      made.push(await makeRoom(account, {}, { description }))
    }
    const list = async (query: string) =>
      (await account.as('owner', `GET /api/v4/rooms?${query}`)).body.list.map(
        (room: { description: string }) => room.description,
      )
    expect((await list('')).sort()).toEqual(['Alpha', 'Gamma 100%', 'beta'])
    const names = (await account.as('owner', 'GET /api/v4/rooms')).body.list.map(
      (one: { name: string }) => one.name,
    )
    expect(names).toEqual(made.map((room) => room.name).sort())
    expect(await list('sort=description&order=desc')).toEqual(['Gamma 100%', 'beta', 'Alpha'])
    expect(await list('search=0%25')).toEqual(['Gamma 100%'])
    expect(await list(`search=${made[1]?.name.toUpperCase()}`)).toEqual(['beta'])
    expect(await list('sort=description&size=2&page=2')).toEqual(['Gamma 100%'])
    expect((await account.as('owner', 'GET /api/v4/rooms?size=2')).body).toMatchObject({
      count: 2,
      total: 3,
      hasMore: true,
    })
  })

  test('shows deleted rooms to users who can restore them', async () => {
    const room = await makeRoom(account)
    await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)
    const { body } = await account.as('owner', 'GET /api/v4/rooms?status=deleted')
    expect(body.list).toMatchObject([
      { id: room.id, isDeleted: true, restorable_until: '2026-04-09 12:00:00' },
    ])
  })
})

describe('a new room', () => {
  test('gets a generated name, is returned with its id, and is free', async () => {
    const answer = await account.as('owner', 'POST /api/v4/rooms', { description: 'Stand-up' })
    expect(answer.body).toMatchObject({ status: 'success', message: 'The room has been created.' })
    const { body } = await account.as('owner', `GET /api/v4/rooms/${answer.body.id}`)
    expect(body).toMatchObject({
      name: answer.body.name,
      description: 'Stand-up',
      config: { acl: [], locked: false, nomedia: false, password: null },
      ...{ canUpdate: true, canDelete: true, canShare: false, isOwner: true, isReady: true },
      skus: { [skus.room ?? '']: { count: 1, costs: [0] } },
      wallet: { id: account.owner.walletId },
    })
    expect((await account.as('owner', `GET /api/v4/rooms/${body.name.toUpperCase()}`)).body.id).toBe(body.id)
  })

  test('can only be created by controllers of the account', async () => {
    expect((await account.as('member', 'POST /api/v4/rooms', {})).status).toBe(403)
    expect((await account.as('controller', 'POST /api/v4/rooms', {})).status).toBe(200)
  })

  test('is rejected without a subscription or with both', async () => {
    const both = { [skus.room ?? '']: 1, [skus['group-room'] ?? '']: 1 }
    for (const wanted of [{}, { [skus.room ?? '']: 0 }, both, { [skus.mailbox ?? '']: 1 }]) {
      const answer = await account.as('owner', 'POST /api/v4/rooms', { skus: wanted })
      expect(answer.status, JSON.stringify(wanted)).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual(['skus'])
    }
    expect((await account.as('owner', 'GET /api/v4/rooms?status=active')).body.count).toBe(1)
  })

  test('is rejected without a subscription even if none is on sale', async () => {
    const { db } = app().database
    const sell = (active: boolean) =>
      db.updateTable('skus').set({ active }).where('title', 'in', ['group-room']).execute()
    const rename = (handler: string) =>
      db.updateTable('skus').set({ handler }).where('title', '=', 'room').execute()
    await sell(false)
    await rename('GroupRoom')
    try {
      const answer = await account.as('owner', 'POST /api/v4/rooms', { skus: {} })
      expect(answer.status).toBe(422)
    } finally {
      await sell(true)
      await rename('Room')
    }
  })

  test('has a description of at most 191 characters', async () => {
    const answer = await account.as('owner', 'POST /api/v4/rooms', { description: 'x'.repeat(192) })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['description'])
  })

  test('is refused to an account that has to pay first', async () => {
    const owner = await makeUser(app(), {
      email: `poor${account.domain}@example.test`,
      plan: 'group',
      status: 67,
    })
    const { access_token: token } = await signInAs(app(), owner)
    expect((await app().call('POST /api/v4/rooms', { token, body: {} })).status).toBe(403)
    expect((await app().call('GET /api/v4/rooms', { token })).body.list).toEqual([])
  })

  test('is logged for the account', async () => {
    const room = await makeRoom(account, { locked: true, password: 'x' }, { description: 'Plan' })
    const { body } = await account.as('owner', `GET /api/v4/events?objectType=room&object=${room.id}`)
    expect(body.list).toMatchObject([
      {
        event: 'room.configured',
        title: 'Room settings changed',
        object: room.name,
        objectDeleted: false,
        data: { before: { locked: false, password: false }, after: { locked: true, password: true } },
      },
      { event: 'room.created', data: { after: { name: room.name, description: 'Plan' } } },
    ])
  })
})

describe('updating a room', () => {
  test('keeps absent keys, including the description', async () => {
    const room = await makeRoom(account, {}, { description: 'Plan' })
    const put = (body: unknown) => account.as('owner', `PUT /api/v4/rooms/${room.id}`, body)
    const description = async () =>
      (await account.as('owner', `GET /api/v4/rooms/${room.id}`)).body.description as string | null
    expect((await put({})).status).toBe(200)
    expect(await description()).toBe('Plan')
    expect((await put({ description: 'Other' })).status).toBe(200)
    expect(await description()).toBe('Other')
    expect((await put({ description: null })).status).toBe(200)
    expect(await description()).toBeNull()
  })

  test('is rejected with a stale revision', async () => {
    const room = await makeRoom(account)
    const { revision } = (await account.as('owner', `GET /api/v4/rooms/${room.id}`)).body
    const put = (body: unknown) => account.as('owner', `PUT /api/v4/rooms/${room.id}`, body)
    expect((await put({ description: 'A', revision })).status).toBe(200)
    expect((await put({ description: 'B', revision })).status).toBe(409)
  })

  test('exchanges one subscription for the other but never allows both or none', async () => {
    const room = await makeRoom(account)
    const put = (wanted: unknown) => account.as('owner', `PUT /api/v4/rooms/${room.id}`, { skus: wanted })
    expect((await put(groupRoom().skus)).status).toBe(200)
    expect(await skusOf(app(), room.id)).toEqual({ 'group-room': 1 })
    expect((await put({})).status).toBe(422)
    expect((await put({ ...groupRoom().skus, [skus.room ?? '']: 1 })).status).toBe(422)
    expect(await skusOf(app(), room.id)).toEqual({ 'group-room': 1 })
  })

  test('ends the shares if the room is no longer shareable', async () => {
    const room = await makeRoom(account, { acl: [`${account.member.email}, full`] }, groupRoom())
    expect((await account.as('member', `GET /api/v4/rooms/${room.id}`)).status).toBe(200)
    await account.as('owner', `PUT /api/v4/rooms/${room.id}`, { skus: { [skus.room ?? '']: 1 } })
    expect((await account.as('member', `GET /api/v4/rooms/${room.id}`)).status).toBe(403)
    await account.as('owner', `PUT /api/v4/rooms/${room.id}`, groupRoom())
    expect((await account.as('member', `GET /api/v4/rooms/${room.id}`)).status).toBe(403)
  })
})

describe('settings of a room', () => {
  const config = (room: { id: number }, body: unknown, who: 'owner' | 'member' = 'owner') =>
    account.as(who, `POST /api/v4/rooms/${room.id}/config`, body)
  const read = async (room: { id: number }) =>
    (await account.as('owner', `GET /api/v4/rooms/${room.id}`)).body.config

  test('can be set and cleared individually', async () => {
    const room = await makeRoom(account)
    await config(room, { password: 'open sesame', locked: 1, nomedia: 'true' })
    expect(await read(room)).toEqual({ acl: [], locked: true, nomedia: true, password: 'open sesame' })
    await config(room, { locked: 0 })
    await config(room, { nomedia: false })
    await config(room, { password: '' })
    expect(await read(room)).toEqual({ acl: [], locked: false, nomedia: false, password: null })
  })

  test('are set all or nothing', async () => {
    const room = await makeRoom(account)
    const answer = await config(room, { locked: true, password: 'x'.repeat(192), colour: 'red' })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors).sort()).toEqual(['colour', 'password'])
    expect(await read(room)).toMatchObject({ locked: false, password: null })
  })

  test('store the password encrypted', async () => {
    const room = await makeRoom(account, { password: 'open sesame' })
    const { rows } = await app().database.pool.query<{ dump: string }>(
      `select r::text || coalesce((select string_agg(e.data::text, '') from event_log e where e.object_id = r.id), '')
        as dump from rooms r where r.id = $1`,
      [room.id],
    )
    expect(rows[0]?.dump).not.toContain('sesame')
    expect(rows[0]?.dump).not.toContain(Buffer.from('open sesame').toString('hex'))
  })

  test('accept moderators for shareable rooms only', async () => {
    const room = await makeRoom(account)
    const refused = await config(room, { acl: [`${account.member.email}, full`], locked: true })
    expect(refused.status).toBe(422)
    expect(typeof refused.body.errors.acl).toBe('string')
    expect(await read(room)).toMatchObject({ locked: false })
    expect((await config(room, { acl: [] })).status).toBe(200)
  })

  test('accept moderators of other accounts whether or not the address exists', async () => {
    const room = await makeRoom(account, {}, groupRoom())
    const known = await makeUser(app())
    const answers: unknown[] = []
    for (const address of [known.email, `nobody${room.id}@example.test`, 'nobody@nowhere.test']) {
      const { status, body } = await config(room, { acl: [`${address}, full`] })
      const { acl } = await read(room)
      answers.push({ status, body, acl: acl.map((entry: string) => entry.replace(address, '')) })
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, acl: [', full'] })
  })

  test('keep a deleted moderator of another account listed without giving anyone else access', async () => {
    const room = await makeRoom(account, {}, groupRoom())
    const known = await makeUser(app())
    const { access_token: token } = await signInAs(app(), known)
    const entry = `${known.email}, full`
    await config(room, { acl: [entry] })
    expect((await app().call(`GET /api/v4/rooms/${room.id}`, { token })).status).toBe(200)
    await deleteUser(app(), known)
    expect((await read(room)).acl).toEqual([entry])
    expect((await config(room, { acl: [entry], locked: true })).status).toBe(200)
    expect((await read(room)).acl).toEqual([entry])
  })

  test("don't give access to a later holder of an address", async () => {
    const room = await makeRoom(account, {}, groupRoom())
    const address = `later${room.id}@example.test`
    await config(room, { acl: [`${address}, full`] })
    const later = await makeUser(app(), { email: address })
    const { access_token: token } = await signInAs(app(), later)
    const status = async () => (await app().call(`GET /api/v4/rooms/${room.id}`, { token })).status
    expect(await status()).toBe(403)
    // naming it again gives access
    await config(room, { acl: [`${address}, full`] })
    expect(await status()).toBe(200)
  })

  test('report an error for each invalid moderator', async () => {
    const room = await makeRoom(account, {}, groupRoom())
    const stranger = await makeUser(app(), {
      tenantId: await makeTenant(app(), (room.id % 30_000) + 100),
      email: `s${room.id}@far.test`,
    })
    const acl = [
      `${account.member.email.toUpperCase()}, full`,
      account.member.email,
      `${account.controller.email}, read-only`,
      'nonsense, full',
      `nobody@${account.domain}, full`,
      `${account.member.email}, full`,
      `${stranger.email}, full`,
    ]
    const answer = await config(room, { acl })
    expect(answer.status).toBe(422)
    const twice = 'This permission isn’t valid or lists the same address twice.'
    const nobody = 'No user has this address.'
    expect(answer.body.errors.acl).toEqual({
      1: twice,
      2: 'This permission isn’t valid.',
      3: expect.any(String),
      4: nobody,
      5: twice,
    })
    expect((await config(room, { acl: `${account.member.email}, full` })).status).toBe(200)
    expect((await read(room)).acl).toEqual([`${account.member.email}, full`])
    await config(room, { acl: [] })
    expect((await read(room)).acl).toEqual([])
  })
})

describe('a moderator', () => {
  let room: { id: number; name: string }
  beforeEach(async () => {
    room = await makeRoom(
      account,
      { acl: [`${account.member.email}, full`], password: 'secret' },
      { ...groupRoom(), description: 'Shared' },
    )
  })

  test('can see the room, but not its moderators or price', async () => {
    const { list } = (await account.as('member', 'GET /api/v4/rooms')).body
    expect(list).toMatchObject([{ id: room.id, isOwner: false }])
    const { body } = await account.as('member', `GET /api/v4/rooms/${room.name}`)
    expect(body).toMatchObject({ canUpdate: true, canDelete: false, canShare: false, isOwner: false })
    expect(body.config).toEqual({ locked: false, nomedia: false, password: 'secret' })
    expect(body).toMatchObject({ wallet: null, skus: {} })
  })

  test('can change settings and description, but not subscriptions, moderators or the room itself', async () => {
    const as = (route: string, body?: unknown) => account.as('member', route, body)
    expect((await as(`PUT /api/v4/rooms/${room.id}`, { description: 'Ours' })).status).toBe(200)
    expect((await as(`POST /api/v4/rooms/${room.id}/config`, { locked: true, acl: [] })).status).toBe(200)
    const { body } = await account.as('owner', `GET /api/v4/rooms/${room.id}`)
    expect(body).toMatchObject({
      description: 'Ours',
      config: { locked: true, acl: [`${account.member.email}, full`] },
    })
    const skuChange = { skus: { [skus.room ?? '']: 1 } }
    expect((await as(`PUT /api/v4/rooms/${room.id}`, skuChange)).status).toBe(403)
    expect((await as(`GET /api/v4/rooms/${room.id}/skus`)).status).toBe(403)
    expect((await as(`DELETE /api/v4/rooms/${room.id}`)).status).toBe(403)
    expect(await skusOf(app(), room.id)).toEqual({ 'group-room': 1 })
  })

  test('loses access when deleted', async () => {
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    const { body } = await account.as('owner', `GET /api/v4/rooms/${room.id}`)
    expect(body.config.acl).toEqual([])
  })
})

describe('a deleted room', () => {
  test('loses its subscription, and is restored with everything', async () => {
    const room = await makeRoom(
      account,
      { acl: [`${account.member.email}, full`], locked: true, password: 'x' },
      groupRoom(),
    )
    expect((await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)).status).toBe(200)
    expect((await account.as('owner', `GET /api/v4/rooms/${room.id}`)).status).toBe(404)
    expect((await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)).status).toBe(404)
    expect(await skusOf(app(), room.id)).toEqual({})
    expect((await account.as('member', `POST /api/v4/rooms/${room.id}/restore`, {})).status).toBe(403)
    expect((await account.as('owner', `POST /api/v4/rooms/${room.id}/restore`, {})).status).toBe(200)
    const { body } = await account.as('owner', `GET /api/v4/rooms/${room.id}`)
    expect(body).toMatchObject({
      name: room.name,
      config: { acl: [`${account.member.email}, full`], locked: true, password: 'x' },
    })
    expect(await skusOf(app(), room.id)).toEqual({ 'group-room': 1 })
    expect((await account.as('owner', `POST /api/v4/rooms/${room.id}/restore`, {})).status).toBe(404)
  })

  test("is deleted and restored with its owner's account", async () => {
    const { database, clock, jobs } = app()
    const room = await makeRoom(account)
    const read = () => readRoom(database.db, room.id)
    expect((await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)).status).toBe(200)
    await jobs.drain()
    expect((await read())?.deletedAt).toEqual(clock.now())
    const retention = new Retention(clock, 30)
    const restored = await restoreAccount({ db: database.db, clock, retention }, account.owner.id)
    expect(restored).toMatchObject({ failed: [], objects: 1 })
    expect((await read())?.deletedAt).toBeNull()
    expect(await skusOf(app(), room.id)).toEqual({ room: 1 })
  })

  test('is removed permanently after the retention period', async () => {
    const { database, clock } = app()
    const room = await makeRoom(account)
    await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)
    const purge = new PurgeRooms(database.db, clock, 30)
    clock.advance(30 * 24 * 3600 - 1)
    await purge.purge()
    expect(await readRoom(database.db, room.id)).toBeDefined()
    clock.advance(1)
    const { access_token: token } = await signInAs(app(), account.owner)
    const restore = await app().call(`POST /api/v4/rooms/${room.id}/restore`, { token, body: {} })
    expect(restore.status).toBe(404)
    await purge.purge()
    expect(await readRoom(database.db, room.id)).toBeUndefined()
  })
})
