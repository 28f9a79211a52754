import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { knock, listen, makeRoom, newAddress, newRequestId, skuIds } from '../../testing/meetings.ts'
import { SilentEngine } from '../../testing/servers/silent-engine.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ MEET_MAX_PARTICIPANTS: '2' })
let account: TestAccount
let owner: string
let room: { id: number; name: string }
let groupRoom: Record<string, unknown>

/** The smallest possible PNG: one transparent pixel. */
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  await listen(app())
  app().meetings.engines.pool.add(new SilentEngine())
  groupRoom = { skus: { [(await skuIds(app()))['group-room'] ?? '']: 1 } }
})

beforeEach(async () => {
  account = await makeAccount(app())
  owner = (await signInAs(app(), account.owner)).access_token
  room = await makeRoom(account)
})

const open = (name = room.name, token = owner) => knock(app(), name, { init: 1 }, { token })
const ask = (body: Record<string, unknown> = {}, options: { token?: string; ip?: string } = {}) =>
  knock(app(), room.name, body, options)
const configure = (config: Record<string, unknown>) =>
  account.as('owner', `POST /api/v4/rooms/${room.id}/config`, config)

describe('404: no such room', () => {
  test.each(['nowhere', '%00', 'x'.repeat(300), '../rooms', "a'b"])('%s', async (name) => {
    const answer = await app().call(`POST /api/v4/meet/rooms/${encodeURIComponent(name)}`, {
      body: { init: 1 },
    })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ status: 'error', message: 'This room doesn’t exist.' })
  })

  test('the room is deleted', async () => {
    await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)
    expect((await open()).status).toBe(404)
  })

  test.each([
    ['has to pay first', 67],
    ['is suspended', 7],
  ])('its account %s', async (_, status) => {
    const { db } = app().database
    await db.updateTable('users').set({ status }).where('id', '=', account.owner.id).execute()
    expect((await ask()).status).toBe(404)
  })

  test('its owner is deleted', async () => {
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    expect((await ask()).status).toBe(404)
  })

  test('on the staff hosts', async () => {
    const route = `POST /api/v4/meet/rooms/${room.name}`
    expect((await app().call(route, { host: 'admin.localhost:8000', body: {} })).status).toBe(404)
  })
})

describe('a closed room', () => {
  test('323: makes guests wait for an owner', async () => {
    for (const init of [0, 1]) {
      const answer = await ask({ init })
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({ status: 'error', message: expect.stringContaining('closed'), code: 323 })
    }
    const { access_token: token } = await signInAs(app(), account.member)
    expect((await ask({ init: 1 }, { token })).body.code).toBe(323)
  })

  test('324: tells owners that joining opens it, and opens when they join', async () => {
    const answer = await ask({}, { token: owner })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      status: 'error',
      message: expect.stringContaining('when you join'),
      code: 324,
    })
    expect((await ask()).body.code).toBe(323)
    expect((await open()).body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
      role: 1 + 4 + 16,
      config: { locked: false, nomedia: false, password: '', requires_password: false },
    })
    expect((await ask()).body.code).toBe(322)
  })

  test('500: cannot be opened until a media engine is available', async () => {
    const { pool } = app().meetings.engines
    const spare = pool.engines.filter((engine): engine is SilentEngine => engine instanceof SilentEngine)
    for (const engine of spare) engine.die()
    try {
      const answer = await open()
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({
        status: 'error',
        message: expect.stringContaining('couldn’t be opened'),
      })
      expect((await ask()).body.code).toBe(323)
    } finally {
      pool.add(new SilentEngine())
    }
    expect((await open()).status).toBe(200)
  })

  test('opens once for two owners who join concurrently', async () => {
    const { access_token: controller } = await signInAs(app(), account.controller)
    const answers = await Promise.all([open(), open(room.name, controller), open()])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    const rows = await app()
      .database.db.selectFrom('meetings')
      .select('id')
      .where('roomId', '=', room.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(new Set(answers.map((answer) => claimsOf(answer.body.token).meeting)).size).toBe(1)
  })

  test('logs its opening for the account', async () => {
    await open()
    const { body } = await account.as('owner', `GET /api/v4/events?object=${room.id}&event=room.opened`)
    expect(body.list).toMatchObject([{ title: 'Meeting started', actor: account.owner.email }])
  })
})

/** Returns the claims of a token without verifying its signature. */
function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>
}

describe('an open room', () => {
  beforeEach(async () => {
    await open()
  })

  test('322: tells guests that they can join, with neither status nor message', async () => {
    const answer = await ask({ init: '0' })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      code: 322,
      config: { locked: false, nomedia: false, password: '', requires_password: false },
    })
  })

  test.each([
    [{}, 1],
    [{ canPublish: 1 }, 2],
    [{ canPublish: 'false' }, 1],
  ])('admits guests with %j as role %i', async (body, role) => {
    expect((await ask({ init: true, ...body })).body).toMatchObject({ role })
  })

  test('identifies participants in the token, not in the URL', async () => {
    const { body } = await ask({ init: 1, nickname: 'Fox', requestId: newRequestId() })
    expect(claimsOf(body.token)).toMatchObject({
      use: 'join',
      room: room.name,
      user: null,
      name: 'Fox',
      role: 1,
    })
    // another meeting: the first one is full
    room = await makeRoom(account)
    await open()
    const { access_token: token } = await signInAs(app(), account.member)
    const signedIn = await ask({ init: 1 }, { token })
    expect(claimsOf(signedIn.body.token)).toMatchObject({
      user: account.member.id,
      name: account.member.email,
    })
  })

  test('403: rejects staff impersonating a user', async () => {
    const admin = await makeStaff(app(), 'admin')
    const asked = await admin.call(`POST /api/v4/users/${account.owner.id}/login-as`, {
      body: { reason: 'help' },
    })
    const code = new URL(asked.body.redirectUrl).hash.slice(1)
    const begun = await app().call('POST /api/auth/login-as', { body: { code } })
    expect((await ask({ init: 1 }, { token: begun.body.access_token })).status).toBe(403)
  })

  test('422: limits names to 64 characters', async () => {
    const answer = await ask({ init: 1, nickname: 'x'.repeat(65) })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['nickname'])
  })

  test('429: has a limit, which owners may exceed', async () => {
    expect((await ask({ init: 1 })).status).toBe(200)
    const answer = await ask({ init: 1 })
    expect(answer.status).toBe(429)
    expect(answer.headers['retry-after']).toBe('10')
    expect(answer.body).toMatchObject({
      reason: 'full',
      message: 'The meeting is full. Try again later.',
    })
    expect((await open()).status).toBe(200)
    // a place expires if the admitted participant doesn't join; so does a meeting that nobody joined
    app().clock.advance(121)
    await open()
    expect((await ask({ init: 1 })).status).toBe(200)
  })
})

describe('owners of a room', () => {
  test('are all controllers of the account and users the room is shared with', async () => {
    room = await makeRoom(account, {}, groupRoom)
    const stranger = await makeUser(app(), { email: `stranger${room.id}@example.test` })
    await configure({ acl: [`${account.member.email}, full`] })
    const codes: Record<string, number> = {}
    for (const [who, user] of Object.entries({
      owner: account.owner,
      controller: account.controller,
      sharee: account.member,
      stranger,
    })) {
      const { access_token: token } = await signInAs(app(), user)
      codes[who] = (await ask({}, { token })).body.code
    }
    expect(codes).toEqual({ owner: 324, controller: 324, sharee: 324, stranger: 323 })
    const { access_token: token } = await signInAs(app(), account.member)
    expect((await ask({ init: 1, canPublish: 1 }, { token })).body.role).toBe(2 + 4 + 16)
  })
})

describe('a room with listeners', () => {
  test('lets only owners publish', async () => {
    await configure({ nomedia: true })
    expect((await ask({ init: 1, canPublish: 1 }, { token: owner })).body.role).toBe(2 + 4 + 16)
    expect((await ask({ init: 1, canPublish: 1 })).body).toMatchObject({ role: 1, config: { nomedia: true } })
  })
})

describe('a room with a password', () => {
  beforeEach(async () => {
    await configure({ password: 'open sesame' })
    await open()
  })

  test('325: asks guests for it, and shows it only to owners', async () => {
    for (const password of [undefined, '', 'Open Sesame', 'open sesam', 'x'.repeat(1000)]) {
      const answer = await ask({ init: 1, ...(password !== undefined && { password }) })
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({
        status: 'error',
        message: 'The password is missing or incorrect.',
        code: 325,
        config: { locked: false, nomedia: false, password: '', requires_password: true },
      })
    }
    expect((await ask({ password: 'open sesame' })).body.code).toBe(322)
    expect((await ask({ password: 'open sesame', init: 1 })).status).toBe(200)
    expect((await ask({}, { token: owner })).body).toMatchObject({
      code: 322,
      config: { password: 'open sesame', requires_password: false },
    })
  })

  test('429: throttles guessing with increasing delays, without affecting others', async () => {
    const ip = newAddress()
    const guess = (password: string) => ask({ init: 1, password }, { ip })
    for (let turn = 0; turn <= 5; turn++) expect((await guess(`guess ${turn}`)).body.code).toBe(325)
    for (const wait of [2, 4, 8]) {
      const answer = await guess('open sesame')
      expect(answer.status).toBe(429)
      expect(answer.headers['retry-after']).toBe(String(wait))
      expect((await ask({ init: 0, password: 'open sesame' })).body.code).toBe(322)
      // asking for the state is not a guess
      expect((await ask({}, { ip })).body.code).toBe(325)
      app().clock.advance(wait)
      expect((await guess('wrong again')).body.code).toBe(325)
    }
  })

  test('asks for it before it reports that it is locked', async () => {
    await configure({ locked: true })
    const named = { init: 1, nickname: 'Fox', requestId: newRequestId() }
    expect((await ask(named)).body.code).toBe(325)
    expect((await ask({ ...named, password: 'open sesame' })).body.code).toBe(327)
  })
})

describe('a locked room', () => {
  beforeEach(async () => {
    await configure({ locked: true })
    await open()
  })

  const good = () => ({ nickname: 'Fox', requestId: newRequestId() })

  test.each<[string, Record<string, unknown>]>([
    ['without a name', { nickname: ' ' }],
    ['without the name of the browser', { requestId: null }],
    ['with too short a name of the browser', { requestId: 'abc1234' }],
    ['with too long a name of the browser', { requestId: 'a'.repeat(33) }],
    ['with other characters in it', { requestId: 'abcd-1234' }],
    ['with a picture that is none', { picture: 'data:image/png;base64,AAAA' }],
    ['with another kind of picture', { picture: 'data:image/svg+xml;base64,PHN2Zy8+' }],
    ['with a picture of elsewhere', { picture: 'https://evil.test/x.png' }],
    ['with a picture that is too big', { picture: `${png}${'A'.repeat(70_000)}` }],
  ])('326: rejects knocks %s', async (_, wrong) => {
    const answer = await ask({ ...good(), ...wrong, init: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      status: 'error',
      message: expect.any(String),
      code: 326,
      config: { locked: true, nomedia: false, password: '', requires_password: false },
    })
  })

  test('327: stores a knock once and keeps the guest waiting', async () => {
    const named = { ...good(), picture: png, init: 1 }
    for (const body of [named, named, { ...named, init: 0 }]) {
      const answer = await ask(body)
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({
        status: 'error',
        message: expect.stringContaining('Wait'),
        code: 327,
        knock: 'pending',
        config: { locked: true, nomedia: false, password: '', requires_password: false },
      })
    }
    const knocks = await app()
      .database.db.selectFrom('meetingKnocks')
      .select(['nickname', 'picture'])
      .where('requestId', '=', named.requestId)
      .execute()
    expect(knocks).toEqual([{ nickname: 'Fox', picture: png }])
  })

  test('admits accepted guests and informs denied ones', async () => {
    const [accepted, denied] = [good(), good()]
    for (const named of [accepted, denied]) await ask({ ...named, init: 1 })
    const decide = (requestId: string, status: 'accepted' | 'denied') =>
      app()
        .database.db.updateTable('meetingKnocks')
        .set({ status, decidedAt: app().clock.now() })
        .where('requestId', '=', requestId)
        .execute()
    await decide(accepted.requestId, 'accepted')
    await decide(denied.requestId, 'denied')
    expect((await ask({ ...accepted })).body.code).toBe(322)
    expect((await ask({ ...accepted, init: 1 })).status).toBe(200)
    const answer = await ask({ ...denied, init: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 327, knock: 'denied', message: 'You weren’t let in.' })
    // after an hour the ticket expires, and a denied guest may knock again
    app().clock.advance(3601)
    expect((await ask({ ...accepted, init: 1 })).body).toMatchObject({ code: 327, knock: 'pending' })
    expect((await ask({ ...denied, init: 1 })).body).toMatchObject({ code: 327, knock: 'pending' })
  })

  test('admits owners', async () => {
    expect((await open()).status).toBe(200)
  })

  test('429: limits knocks per address and in total', async () => {
    const ip = newAddress()
    const codes = []
    for (let turn = 0; turn < 22; turn++) {
      const answer = await ask({ ...good(), init: 1 }, { ip })
      codes.push(answer.status === 422 ? answer.body.code : answer.status)
    }
    expect(codes.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 327))
    expect(codes[21]).toBe(429)
    for (let turn = 0; turn < 29; turn++) expect((await ask({ ...good(), init: 1 })).body.code).toBe(327)
    const answer = await ask({ ...good(), init: 1 })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})
