import { closeCodes, meetRole } from '@gatehouse/contract/meetings/meet-rules'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import {
  enter,
  knock,
  listen,
  makeRoom,
  newAddress,
  newRequestId,
  signallingUrl,
  skuIds,
  Visitor,
} from '../../testing/meetings.ts'
import { SilentEngine } from '../../testing/servers/silent-engine.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { PurgeMeetings } from '../compose-meetings.ts'
import { mostUnproven } from './signalling-server.ts'

const app = useTestApp({
  MEET_TURN_URLS: 'turn:turn.example.test',
  MEET_TURN_SECRET: 'shared with the relay',
})
const { subscriber, publisher, moderator, owner: ownerBit } = meetRole
let engine: SilentEngine
let account: TestAccount
let token: string
let room: { id: number; name: string }
let chair: Visitor

beforeAll(async () => {
  await listen(app())
  engine = new SilentEngine()
  app().meetings.engines.pool.add(engine)
})

beforeEach(async () => {
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
  room = await makeRoom(account)
  chair = await enter(app(), room.name, { canPublish: 1, nickname: 'Chair' }, { token })
})

const guest = (body: Record<string, unknown> = {}, options: { token?: string; ip?: string } = {}) =>
  enter(app(), room.name, { nickname: 'Guest', ...body }, options)
const configure = (config: Record<string, unknown>) =>
  account.as('owner', `POST /api/v4/rooms/${room.id}/config`, config)
const ok = { ok: true, data: {} }
const refused = (error: string) => ({ ok: false, error })

/** Advances the injected clock, which is polled by heartbeats. */
const later = (seconds: number) => app().clock.advance(seconds)

describe('a socket', () => {
  test.each<[string, Record<string, string>, string | null | undefined, number]>([
    ['of a page of another site', { origin: 'https://evil.test' }, undefined, 403],
    ['of a page with no site', { origin: 'null' }, undefined, 403],
    ['on the host of staff', { host: 'admin.localhost' }, undefined, 404],
    ['without the protocol', {}, null, 400],
  ])('%s is rejected', async (_, headers, protocol, status) => {
    const visitor = new Visitor(signallingUrl(app()), {
      headers,
      ...(protocol !== undefined && { protocol }),
    })
    await visitor.ended()
    expect(visitor.failure?.message).toContain(String(status))
  })

  test('at another path is rejected', async () => {
    const visitor = new Visitor(signallingUrl(app()).replace('signalling', 'elsewhere'))
    await visitor.ended()
    expect(visitor.failure?.message).toContain('404')
  })

  test('from our own origin is opened', async () => {
    const url = signallingUrl(app())
    const visitor = await new Visitor(url, {
      headers: { origin: new URL(url.replace('ws', 'http')).origin },
    }).open()
    await visitor.drop()
  })

  test('498 silent sockets from one network do not lock out real guests from it', async () => {
    const from = (ip: string) => new Visitor(signallingUrl(app()), { headers: { 'x-forwarded-for': ip } })
    const neighbour = await from('2001:db8:0:8::1').open()
    // an IPv6 /64 prefix counts as one network
    const crowd = Array.from({ length: 498 }, (_, index) => from(`2001:db8:0:7::${index.toString(16)}`))
    await Promise.all(crowd.map((silent) => silent.open().catch(() => undefined)))
    const ip = '2001:db8:0:7:1:2:3:4'
    const { body } = await knock(app(), room.name, { init: 1, nickname: 'Guest' }, { ip })
    const real = await (await from(ip).open()).hello({ token: body.token })
    const isOpen = ({ socket }: Visitor) => socket.readyState === socket.OPEN
    await vi.waitFor(() => expect(crowd.filter(isOpen).length).toBeLessThan(mostUnproven), {
      timeout: 5000,
      interval: 20,
    })
    // the newest remain, and evict none that has shown a token
    expect(crowd.slice(0, 300).filter(isOpen)).toEqual([])
    await Promise.all(Array.from({ length: mostUnproven }, () => from(ip).open()))
    await real.settle()
    expect([neighbour, real].map(isOpen)).toEqual([true, true])
    for (const visitor of [...crowd, neighbour, real]) visitor.socket.terminate()
  })

  test('is closed if it sends nothing', async () => {
    const visitor = await new Visitor(signallingUrl(app())).open()
    later(11)
    expect(await visitor.ended()).toEqual({ code: closeCodes.timeout, reason: 'timeout' })
    expect(visitor.all('closed')).toEqual([{ reason: 'timeout' }])
  })

  test.each<[string, unknown, 'malformed' | 'expired' | 'gone']>([
    ['no JSON', 'hello', 'malformed'],
    ['another request first', { id: 1, method: 'ping' }, 'malformed'],
    ['media first', { media: { type: 'start', epoch: 1 } }, 'malformed'],
    ['no token', { id: 1, method: 'hello', data: {} }, 'malformed'],
    ['two tokens', { id: 1, method: 'hello', data: { token: 'x', resume: 'y' } }, 'malformed'],
    ['a made-up token', { id: 1, method: 'hello', data: { token: 'x.y' } }, 'expired'],
  ])('that begins with %s is closed', async (_, message, reason) => {
    const visitor = await new Visitor(signallingUrl(app())).open()
    visitor.raw(typeof message === 'string' ? message : JSON.stringify(message))
    expect((await visitor.ended()).reason).toBe(reason)
  })

  test('rejects a token of another purpose, with a wrong signature, or expired', async () => {
    const { body } = await knock(app(), room.name, { init: 1 })
    const altered = `${Buffer.from(
      Buffer.from(body.token.split('.')[0], 'base64url').toString().replace('"role":1', '"role":31'),
    ).toString('base64url')}.${body.token.split('.')[1]}`
    const reasonOf = async (data: Record<string, string>) => {
      const visitor = await new Visitor(signallingUrl(app())).open()
      visitor.raw(JSON.stringify({ id: 1, method: 'hello', data }))
      return (await visitor.ended()).reason
    }
    expect(await reasonOf({ token: altered })).toBe('expired')
    expect(await reasonOf({ resume: body.token })).toBe('expired')
    expect(await reasonOf({ token: chair.state.resume })).toBe('expired')
    later(121)
    expect(await reasonOf({ token: body.token })).toBe('expired')
  })
})

describe('a joining participant', () => {
  test('gets the whole state, and the others are notified', async () => {
    await chair.request('chatMessage', { message: 'Welcome' })
    const visitor = await guest({ nickname: 'Fox' })
    expect(visitor.state).toMatchObject({
      isBack: false,
      room: { name: room.name, description: null },
      options: { locked: false, nomedia: false, requires_password: false },
      peers: [
        { id: chair.peerId, nickname: 'Chair', role: publisher + moderator + ownerBit, isConnected: true },
        { id: visitor.peerId, nickname: 'Fox', role: subscriber, raisedHand: false, language: null },
      ],
      chat: [{ id: 1, peerId: chair.peerId, nickname: 'Chair', message: 'Welcome' }],
      knocks: [],
      iceServers: [{ urls: ['turn:turn.example.test'], username: expect.stringContaining(visitor.peerId) }],
      now: app().clock.now().toISOString(),
    })
    expect(await chair.notified('newPeer')).toEqual(visitor.state.peers[1])
    expect(engine.peers.get(visitor.peerId)?.may).toEqual([])
    expect(engine.peers.get(chair.peerId)?.may).toEqual(['mic', 'cam', 'screen', 'screenaudio'])
  })

  test("is verified only under the account's own name", async () => {
    const user = await makeUser(app(), {
      email: `ada${room.id}@example.test`,
      settings: { first_name: 'Ada', last_name: 'Byron' },
    })
    const { access_token } = await signInAs(app(), user)
    const named = (nickname: string, isSignedIn: boolean) =>
      guest({ nickname }, isSignedIn ? { token: access_token } : {})
    const verified = async (visitor: Promise<Visitor>) => {
      const { state, peerId } = await visitor
      return state.peers.find((peer: { id: string }) => peer.id === peerId)
    }
    expect(await verified(named('', true))).toMatchObject({ nickname: 'Ada Byron', isVerified: true })
    expect(await verified(named('Queen', true))).toMatchObject({ nickname: 'Queen', isVerified: false })
    expect(await verified(named('Ada Byron', false))).toMatchObject({ isVerified: false })
  })

  test('is one participant when connecting twice with one token, on the newer socket', async () => {
    const { body } = await knock(app(), room.name, { init: 1, nickname: 'Twice' })
    const hello = async () => (await new Visitor(signallingUrl(app())).open()).hello({ token: body.token })
    const first = await hello()
    const second = await hello()
    expect(second.peerId).toBe(first.peerId)
    expect(second.state.isBack).toBe(true)
    expect(await first.ended()).toEqual({ code: closeCodes.replaced, reason: 'replaced' })
    await chair.settle()
    expect(chair.all('newPeer')).toHaveLength(1)
    expect(chair.all('peerClosed')).toHaveLength(0)
    // messages on the older socket are ignored
    expect((await second.request('ping')).ok).toBe(true)
  })

  test('is one participant when connecting twice concurrently with one token', async () => {
    const { body } = await knock(app(), room.name, { init: 1, nickname: 'Twice' })
    const sockets = await Promise.all([1, 2, 3].map(() => new Visitor(signallingUrl(app())).open()))
    for (const socket of sockets)
      socket.raw(JSON.stringify({ id: 1, method: 'hello', data: { token: body.token } }))
    await chair.notified('newPeer')
    const last = await (await new Visitor(signallingUrl(app())).open()).hello({ token: body.token })
    expect(last.state.peers).toHaveLength(2)
    expect(chair.all('newPeer')).toHaveLength(1)
  })

  test("can't publish if the room has stopped allowing it since admission", async () => {
    const { body } = await knock(app(), room.name, { init: 1, canPublish: 1 })
    expect(body.role).toBe(publisher)
    await configure({ nomedia: true })
    await chair.notified('changeOptions')
    const visitor = await (await new Visitor(signallingUrl(app())).open()).hello({ token: body.token })
    expect(visitor.state.peers[1].role).toBe(subscriber)
    expect(engine.peers.get(visitor.peerId)?.may).toEqual([])
  })
})

describe('a disconnected participant', () => {
  test('can reconnect and gets everything that happened in the meantime', async () => {
    const visitor = await guest({ canPublish: 1 })
    await visitor.request('raisedHand', { raisedHand: true })
    await visitor.drop()
    expect(await chair.notified('changeConnection')).toEqual({ peerId: visitor.peerId, isConnected: false })
    const other = await guest({ nickname: 'Newcomer' })
    expect(other.state.peers[1]).toMatchObject({ isConnected: false })
    await chair.request('chatMessage', { message: 'Where is he?' })
    await chair.request('moderator:removeRole', { peerId: visitor.peerId, role: publisher })
    later(9)
    const back = await new Visitor(signallingUrl(app())).open()
    await back.hello({ resume: visitor.state.resume, mediaSeen: 0 })
    expect(back.state).toMatchObject({
      peerId: visitor.peerId,
      isBack: true,
      chat: [{ message: 'Where is he?' }],
      peers: [
        { nickname: 'Chair' },
        { id: visitor.peerId, raisedHand: true, role: subscriber },
        { nickname: 'Newcomer' },
      ],
    })
    await chair.notified('changeConnection', (data) => data.isConnected)
    // each message is delivered once, regardless of the number of sockets
    await chair.request('chatMessage', { message: 'There he is' })
    await back.notified('chatMessage')
    await back.settle()
    expect(back.all('chatMessage')).toHaveLength(1)
    expect(back.all('newPeer')).toHaveLength(0)
    expect(back.frames.filter((frame) => frame.media !== undefined)).toEqual([])
  })

  test('restarts media if media messages were lost', async () => {
    const visitor = await guest()
    engine.say('toPeer', { peer: visitor.peerId, message: { type: 'candidates', epoch: 1, candidates: [] } })
    await visitor.until('media', () => visitor.frames.find((frame) => frame.media !== undefined))
    visitor.media({ type: 'start', epoch: 1 })
    await visitor.settle()
    const comeBack = async (resume: string, mediaSeen: number) => {
      const back = await new Visitor(signallingUrl(app())).open()
      await back.hello({ resume, mediaSeen })
      await back.settle()
      return back
    }
    const whole = await comeBack(visitor.state.resume, 1)
    expect(whole.state.mediaSeen).toBe(1)
    expect(whole.frames.filter((frame) => frame.media !== undefined)).toEqual([])
    const lacking = await comeBack(whole.state.resume, 0)
    expect(lacking.frames.filter((frame) => frame.media !== undefined)).toEqual([
      { media: { type: 'restart', reason: 'failed' } },
    ])
  })

  test('is removed if they stay away', async () => {
    const visitor = await guest()
    await visitor.drop()
    await chair.notified('changeConnection')
    later(10)
    expect(await chair.notified('peerClosed')).toEqual({ peerId: visitor.peerId, reason: 'lost' })
    const back = await new Visitor(signallingUrl(app())).open()
    back.raw(JSON.stringify({ id: 1, method: 'hello', data: { resume: visitor.state.resume } }))
    expect((await back.ended()).reason).toBe('gone')
    expect(engine.peers.has(visitor.peerId)).toBe(false)
  })

  test('is detected without a close frame', async () => {
    const visitor = await guest()
    // the connection is open but nobody responds
    visitor.socket.pause()
    // an inactive socket is pinged first, so the clock advances in steps
    await expect
      .poll(
        () => {
          later(1)
          return chair.all('changeConnection')
        },
        { timeout: 15_000 },
      )
      .toEqual([{ peerId: visitor.peerId, isConnected: false }])
    visitor.socket.terminate()
  })
})

describe('leaving', () => {
  test('is announced to the others and ends nothing for them, even if an owner leaves', async () => {
    const visitor = await guest()
    expect(await chair.request('leave')).toMatchObject(ok)
    expect(await chair.ended()).toEqual({ code: closeCodes.left, reason: 'left' })
    expect(await visitor.notified('peerClosed')).toEqual({ peerId: chair.peerId, reason: 'left' })
    expect((await visitor.request('ping')).ok).toBe(true)
    expect((await knock(app(), room.name)).body.code).toBe(322)
  })

  test('ends the meeting after a while if it was the last participant', async () => {
    await chair.request('leave')
    await chair.ended()
    later(29)
    expect((await knock(app(), room.name)).body.code).toBe(322)
    later(1)
    await expect.poll(async () => (await knock(app(), room.name)).body.code).toBe(323)
  })

  test('a meeting that nobody joined ends after a while', async () => {
    const other = await makeRoom(account)
    expect((await knock(app(), other.name, { init: 1 }, { token })).status).toBe(200)
    expect((await knock(app(), other.name)).body.code).toBe(322)
    later(30)
    await expect.poll(async () => (await knock(app(), other.name)).body.code).toBe(323)
    // this one continues because it has a participant
    expect((await knock(app(), room.name)).body.code).toBe(322)
  })

  test('chat is deleted when a meeting ends, and participants a day later', async () => {
    const { database, clock } = app()
    await chair.request('chatMessage', { message: 'Between us' })
    const count = async (table: string, column: string) =>
      (await database.pool.query(`select 1 from ${table} where ${column} = $1`, [chair.peerId])).rowCount
    expect(await count('meeting_messages', 'peer_id')).toBe(1)
    chair.raw(JSON.stringify({ id: 99, method: 'moderator:closeRoom' }))
    await chair.ended()
    await expect.poll(() => count('meeting_messages', 'peer_id')).toBe(0)
    const purge = new PurgeMeetings(database.db, clock)
    later(24 * 3600 - 1)
    await purge.purge()
    expect(await count('meeting_peers', 'id')).toBe(1)
    later(1)
    await purge.purge()
    expect(await count('meeting_peers', 'id')).toBe(0)
  })
})

describe('ending a meeting', () => {
  test('is reserved for owners and announced to everyone', async () => {
    const visitor = await guest()
    expect(await visitor.request('moderator:closeRoom')).toMatchObject(refused('forbidden'))
    await chair.request('moderator:addRole', { peerId: visitor.peerId, role: moderator })
    expect(await visitor.request('moderator:closeRoom')).toMatchObject(refused('forbidden'))
    chair.raw(JSON.stringify({ id: 99, method: 'moderator:closeRoom' }))
    for (const one of [chair, visitor]) {
      expect(await one.ended()).toEqual({ code: closeCodes.ended, reason: 'ended' })
      expect(one.all('closed')).toEqual([{ reason: 'ended' }])
      expect(one.all('peerClosed')).toEqual([])
      expect(one.all('changeConnection')).toEqual([])
    }
    await expect.poll(async () => (await knock(app(), room.name)).body.code).toBe(323)
    const back = await new Visitor(signallingUrl(app())).open()
    back.raw(JSON.stringify({ id: 1, method: 'hello', data: { resume: visitor.state.resume } }))
    expect((await back.ended()).reason).toBe('ended')
    const { body } = await account.as('owner', `GET /api/v4/events?object=${room.id}&event=room.closed`)
    expect(body.list).toMatchObject([{ title: 'Meeting ended', actor: account.owner.email }])
  })

  test('happens when the room is deleted', async () => {
    const visitor = await guest()
    await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)
    for (const one of [chair, visitor]) {
      expect(await one.ended()).toEqual({ code: closeCodes.deleted, reason: 'deleted' })
    }
    expect((await knock(app(), room.name)).status).toBe(404)
    // a restored room is closed
    await account.as('owner', `POST /api/v4/rooms/${room.id}/restore`, {})
    expect((await knock(app(), room.name)).body.code).toBe(323)
  })
})

describe('a display name', () => {
  test('is changed for everyone, including in the chat', async () => {
    const visitor = await guest({ nickname: 'Fox' })
    await visitor.request('chatMessage', { message: 'Hi' })
    expect(await visitor.request('changeNickname', { nickname: '  Red Fox ' })).toMatchObject(ok)
    expect(await chair.notified('changeNickname')).toEqual({
      peerId: visitor.peerId,
      nickname: 'Red Fox',
      isVerified: false,
    })
    const other = await guest()
    expect(other.state.chat).toMatchObject([{ nickname: 'Red Fox', message: 'Hi' }])
    expect(other.state.peers[1].nickname).toBe('Red Fox')
  })

  test.each([['', ' ', 'x'.repeat(65), 7, null, undefined, ['a'], { a: 1 }]].flat())(
    'is not %j',
    async (nickname) => {
      expect(await chair.request('changeNickname', { nickname })).toMatchObject(refused('invalid'))
    },
  )

  test("can't be changed too often", async () => {
    for (let turn = 0; turn < 5; turn++) {
      expect(await chair.request('changeNickname', { nickname: `Name ${turn}` })).toMatchObject(ok)
    }
    const answer = await chair.request('changeNickname', { nickname: 'Name 6' })
    expect(answer).toMatchObject({ ...refused('too-many'), retryAfter: 10 })
    later(10)
    expect(await chair.request('changeNickname', { nickname: 'Name 6' })).toMatchObject(ok)
  })
})

describe('chat', () => {
  test('is delivered to everyone, including the sender and later participants', async () => {
    const visitor = await guest({ nickname: 'Fox' })
    const message = 'Look: https://example.test/?a=1&b=<2>\nand "this"'
    expect(await visitor.request('chatMessage', { message })).toMatchObject(ok)
    const said = {
      id: 1,
      peerId: visitor.peerId,
      nickname: 'Fox',
      isVerified: false,
      message,
      sentAt: app().clock.now().toISOString(),
    }
    for (const one of [chair, visitor]) expect(await one.notified('chatMessage')).toEqual(said)
    await visitor.request('leave')
    expect((await guest()).state.chat).toEqual([said])
  })

  test.each([['', '  ', 'x'.repeat(2001), 7, null, ['a']]].flat())('rejects %j', async (message) => {
    expect(await chair.request('chatMessage', { message })).toMatchObject(refused('invalid'))
  })

  test('is throttled and keeps the last two hundred messages', async () => {
    let said = 0
    while (said < 205) {
      const answer = await chair.request('chatMessage', { message: `Message ${++said}` })
      if (answer.ok === true) continue
      expect(answer).toMatchObject({ error: 'too-many', retryAfter: 1 })
      expect(said).toBeGreaterThan(10)
      said--
      later(10)
    }
    const { chat } = (await guest()).state
    expect(chat).toHaveLength(200)
    expect(chat[0].message).toBe('Message 6')
    expect(chat.at(-1).message).toBe('Message 205')
  }, 60_000)
})

describe('raised hands', () => {
  test('can be raised and lowered, with the time, and moderators can lower them', async () => {
    const visitor = await guest()
    expect(await visitor.request('raisedHand', { raisedHand: true })).toMatchObject(ok)
    const up = { peerId: visitor.peerId, raisedHand: true, raisedAt: app().clock.now().toISOString() }
    expect(await chair.notified('changeRaisedHand')).toEqual(up)
    await visitor.request('raisedHand', { raisedHand: true })
    expect(await visitor.request('moderator:lowerHand', { peerId: visitor.peerId })).toMatchObject(
      refused('forbidden'),
    )
    expect(await chair.request('moderator:lowerHand', { peerId: visitor.peerId })).toMatchObject(ok)
    expect(await visitor.notified('changeRaisedHand', (data) => !data.raisedHand)).toMatchObject({
      raisedAt: null,
    })
    await chair.settle()
    expect(chair.all('changeRaisedHand')).toHaveLength(2)
  })

  test.each([1, 'true', null, undefined])('reject %j', async (raisedHand) => {
    expect(await chair.request('raisedHand', { raisedHand })).toMatchObject(refused('invalid'))
  })
})

describe('roles', () => {
  test('publishing is granted and revoked, in the engine immediately, and lowers the hand', async () => {
    const visitor = await guest()
    await visitor.request('raisedHand', { raisedHand: true })
    const target = { peerId: visitor.peerId, role: publisher }
    expect(await chair.request('moderator:addRole', target)).toMatchObject(ok)
    expect(await visitor.notified('changeRole')).toEqual({ peerId: visitor.peerId, role: publisher })
    expect(await visitor.notified('changeRaisedHand', (data) => !data.raisedHand)).toBeTruthy()
    expect(engine.peers.get(visitor.peerId)?.may).toContain('cam')
    expect(await chair.request('moderator:removeRole', target)).toMatchObject(ok)
    expect(await visitor.notified('changeRole', (data) => data.role !== publisher)).toEqual({
      peerId: visitor.peerId,
      role: subscriber,
    })
    expect(engine.peers.get(visitor.peerId)?.may).toEqual([])
  })

  test('removing an absent bit adds nothing, and only single bits are accepted', async () => {
    const visitor = await guest()
    const target = { peerId: visitor.peerId }
    const roleNow = async () => {
      const state = (await guest()).state.peers as { id: string; role: number }[]
      return state.find((peer) => peer.id === visitor.peerId)?.role
    }
    for (const role of [moderator, publisher]) {
      expect(await chair.request('moderator:removeRole', { ...target, role })).toMatchObject(ok)
      expect(await roleNow()).toBe(subscriber)
    }
    for (const role of [0, 1, 3, 6, 8, 16, 20, 31, -2, 2.5, '2', null]) {
      for (const method of ['moderator:addRole', 'moderator:removeRole']) {
        expect(await chair.request(method, { ...target, role }), `${method} ${role}`).toMatchObject(
          refused('invalid'),
        )
      }
    }
    expect(await roleNow()).toBe(subscriber)
  })

  test('moderators are appointed by moderators and can moderate everyone but owners', async () => {
    const [helper, visitor] = [await guest({ nickname: 'Helper' }), await guest()]
    const add = (by: Visitor, to: Visitor, role: number) =>
      by.request('moderator:addRole', { peerId: to.peerId, role })
    const remove = (by: Visitor, to: Visitor, role: number) =>
      by.request('moderator:removeRole', { peerId: to.peerId, role })
    expect(await add(helper, visitor, publisher)).toMatchObject(refused('forbidden'))
    expect(await add(helper, helper, moderator)).toMatchObject(refused('forbidden'))
    expect(await add(chair, helper, moderator)).toMatchObject(ok)
    expect(await add(helper, visitor, publisher)).toMatchObject(ok)
    expect(await add(helper, helper, publisher)).toMatchObject(ok)
    expect(await remove(helper, chair, publisher)).toMatchObject(refused('forbidden'))
    expect(await remove(helper, chair, moderator)).toMatchObject(refused('forbidden'))
    expect(await remove(chair, chair, moderator)).toMatchObject(refused('forbidden'))
    expect(await remove(chair, chair, publisher)).toMatchObject(ok)
    expect(await helper.request('moderator:kickPeer', { peerId: chair.peerId })).toMatchObject(
      refused('forbidden'),
    )
    expect(await helper.request('moderator:kickPeer', { peerId: helper.peerId })).toMatchObject(
      refused('forbidden'),
    )
    expect(
      await helper.request('moderator:mute', { peerId: chair.peerId, source: 'mic', mode: 'force' }),
    ).toMatchObject(refused('forbidden'))
    expect(await remove(chair, helper, moderator)).toMatchObject(ok)
    expect(await add(helper, visitor, moderator)).toMatchObject(refused('forbidden'))
    expect(await add(chair, { peerId: 'nobody' } as Visitor, moderator)).toMatchObject(refused('not-found'))
  })

  test('interpreters publish, and lose the role when they stop', async () => {
    const visitor = await guest()
    const change = (language: unknown) =>
      chair.request('moderator:changeLanguage', { peerId: visitor.peerId, language })
    expect(await change('fr')).toMatchObject(refused('forbidden'))
    await chair.request('moderator:addRole', { peerId: visitor.peerId, role: publisher })
    for (const wrong of ['FR', 'fra', 'f', 7, undefined])
      expect(await change(wrong)).toMatchObject(refused('invalid'))
    expect(
      await visitor.request('moderator:changeLanguage', { peerId: visitor.peerId, language: 'fr' }),
    ).toMatchObject(refused('forbidden'))
    expect(await change('fr')).toMatchObject(ok)
    expect(await visitor.notified('changeLanguage')).toEqual({ peerId: visitor.peerId, language: 'fr' })
    expect(await change('')).toMatchObject(ok)
    await change('it')
    await chair.request('moderator:removeRole', { peerId: visitor.peerId, role: publisher })
    await visitor.settle()
    expect(visitor.all('changeLanguage').map((data) => data.language)).toEqual(['fr', null, 'it', null])
  })

  test('users a room is shared with and all controllers own the meeting like its owner', async () => {
    const skus = await skuIds(app())
    room = await makeRoom(
      account,
      { acl: [`${account.member.email}, full`] },
      { skus: { [skus['group-room'] ?? '']: 1 } },
    )
    for (const user of [account.member, account.controller]) {
      const { access_token } = await signInAs(app(), user)
      const visitor = await enter(app(), room.name, {}, { token: access_token })
      const me = visitor.state.peers.find((peer: { id: string }) => peer.id === visitor.peerId)
      expect(me.role).toBe(subscriber + moderator + ownerBit)
    }
  })
})

describe('muting others', () => {
  test('is requested from them, or enforced', async () => {
    const visitor = await guest({ canPublish: 1 })
    const mute = (by: Visitor, mode: string) =>
      by.request('moderator:mute', { peerId: visitor.peerId, source: 'mic', mode })
    expect(await mute(visitor, 'ask')).toMatchObject(refused('forbidden'))
    expect(await mute(chair, 'ask')).toMatchObject(ok)
    expect(await visitor.notified('muteRequest')).toEqual({
      by: chair.peerId,
      source: 'mic',
      isForced: false,
    })
    expect(engine.peers.get(visitor.peerId)?.muted.size).toBe(0)
    expect(await mute(chair, 'force')).toMatchObject(ok)
    expect(await visitor.notified('muteRequest', (data) => data.isForced)).toBeTruthy()
    expect([...(engine.peers.get(visitor.peerId)?.muted ?? [])]).toEqual(['mic'])
    expect(await visitor.request('unmute', { source: 'mic' })).toMatchObject(ok)
    expect(engine.peers.get(visitor.peerId)?.muted.size).toBe(0)
    expect(
      await chair.request('moderator:mute', { peerId: visitor.peerId, source: 'nose', mode: 'ask' }),
    ).toMatchObject(refused('invalid'))
  })
})

describe('a removed participant', () => {
  const body = () => ({ nickname: 'Troll', requestId: newRequestId() })

  test("can't return with the token, the resume token, the same browser or the same account", async () => {
    const named = body()
    const ip = newAddress()
    const { access_token } = await signInAs(app(), account.member)
    const door = await knock(app(), room.name, { ...named, init: 1 }, { ip, token: access_token })
    const troll = await (await new Visitor(signallingUrl(app())).open()).hello({ token: door.body.token })
    expect(await chair.request('moderator:kickPeer', { peerId: troll.peerId })).toMatchObject(ok)
    expect(await troll.ended()).toEqual({ code: closeCodes.kicked, reason: 'kicked' })
    expect(await chair.notified('peerClosed')).toEqual({ peerId: troll.peerId, reason: 'kicked' })
    expect(engine.peers.has(troll.peerId)).toBe(false)
    for (const data of [{ token: door.body.token }, { resume: troll.state.resume }]) {
      const again = await new Visitor(signallingUrl(app())).open()
      again.raw(JSON.stringify({ id: 1, method: 'hello', data }))
      expect((await again.ended()).reason).toBe('kicked')
    }
    for (const options of [{ token: access_token }, {}]) {
      const again = await knock(app(), room.name, { ...named, init: 1 }, options)
      expect(again.status).toBe(403)
      expect(again.body).toMatchObject({ reason: 'dismissed' })
    }
    expect((await knock(app(), room.name, { init: 1 }, { token: access_token })).status).toBe(403)
    // other rooms are not affected
    expect((await knock(app(), room.name, { init: 1 })).status).toBe(200)
    const { list } = (await account.as('owner', `GET /api/v4/events?object=${room.id}&event=room.dismissed`))
      .body
    expect(list).toMatchObject([{ data: { nickname: 'Troll' }, actor: account.owner.email }])
  })

  test("needs a moderator's approval from the same network under another name", async () => {
    const ip = newAddress()
    const troll = await guest(body(), { ip })
    await chair.request('moderator:kickPeer', { peerId: troll.peerId })
    await troll.ended()
    expect((await knock(app(), room.name, { init: 1 }, { ip })).body.code).toBe(326)
    const other = body()
    expect((await knock(app(), room.name, { ...other, init: 1 }, { ip })).body.code).toBe(327)
    expect(await chair.notified('signal:joinRequest')).toMatchObject({ requestId: other.requestId })
    await chair.request('moderator:joinRequestAccept', { requestId: other.requestId })
    expect((await knock(app(), room.name, { ...other, init: 1 }, { ip })).status).toBe(200)
    // signed-in users are identified by their account
    const { access_token } = await signInAs(app(), account.member)
    expect((await knock(app(), room.name, { init: 1 }, { ip, token: access_token })).status).toBe(200)
  })

  test('may join the next meeting', async () => {
    const named = body()
    const troll = await guest(named)
    await chair.request('moderator:kickPeer', { peerId: troll.peerId })
    chair.raw(JSON.stringify({ id: 99, method: 'moderator:closeRoom' }))
    await chair.ended()
    await expect.poll(async () => (await knock(app(), room.name)).body.code).toBe(323)
    await enter(app(), room.name, {}, { token })
    expect((await knock(app(), room.name, { ...named, init: 1 })).status).toBe(200)
  })

  test('loses the ticket from their admission', async () => {
    await configure({ locked: true })
    await chair.notified('changeOptions')
    const named = body()
    await knock(app(), room.name, { ...named, init: 1 })
    await chair.notified('signal:joinRequest')
    await chair.request('moderator:joinRequestAccept', { requestId: named.requestId })
    const troll = await guest(named)
    await chair.request('moderator:kickPeer', { peerId: troll.peerId })
    expect((await knock(app(), room.name, { ...named, init: 1 })).status).toBe(403)
  })
})

describe('knocks at a locked room', () => {
  beforeEach(async () => {
    await configure({ locked: true })
    await chair.notified('changeOptions')
  })

  const named = () => ({ nickname: 'Fox', requestId: newRequestId() })

  test('are shown only to moderators, including those who join or are appointed later', async () => {
    const fox = named()
    expect((await knock(app(), room.name, { ...fox, init: 1 })).body.code).toBe(327)
    const shown = await chair.notified('signal:joinRequest')
    expect(shown).toMatchObject({ ...fox, picture: expect.stringMatching(/^data:image\/svg/) })
    const { access_token } = await signInAs(app(), account.controller)
    expect((await enter(app(), room.name, {}, { token: access_token })).state.knocks).toEqual([shown])
    await configure({ locked: false })
    await chair.notified('changeOptions', (options) => !options.locked)
    const visitor = await guest()
    expect(visitor.state.knocks).toEqual([])
    await visitor.settle()
    expect(visitor.all('signal:joinRequest')).toEqual([])
    await chair.request('moderator:addRole', { peerId: visitor.peerId, role: moderator })
    expect(await visitor.notified('signal:joinRequest')).toEqual(shown)
  })

  test('are answered once, by moderators only, all of whom are notified', async () => {
    const [fox, wolf] = [named(), named()]
    for (const one of [fox, wolf]) {
      await knock(app(), room.name, { ...one, init: 1 })
      await chair.notified('signal:joinRequest', (data) => data.requestId === one.requestId)
    }
    expect(await chair.request('moderator:joinRequestAccept', { requestId: fox.requestId })).toMatchObject(ok)
    expect(await chair.notified('knockEnded')).toEqual({ requestId: fox.requestId, outcome: 'accepted' })
    const visitor = await guest(fox)
    for (const method of ['moderator:joinRequestAccept', 'moderator:joinRequestDeny']) {
      expect(await visitor.request(method, { requestId: wolf.requestId })).toMatchObject(refused('forbidden'))
    }
    expect(await chair.request('moderator:joinRequestDeny', { requestId: wolf.requestId })).toMatchObject(ok)
    expect(await chair.notified('knockEnded', (data) => data.outcome === 'denied')).toBeTruthy()
    expect((await knock(app(), room.name, { ...wolf, init: 1 })).body).toMatchObject({
      code: 327,
      knock: 'denied',
    })
    expect(await chair.request('moderator:joinRequestAccept', { requestId: wolf.requestId })).toMatchObject(
      refused('not-found'),
    )
    expect(await chair.request('moderator:joinRequestAccept', { requestId: 'x' })).toMatchObject(
      refused('invalid'),
    )
  })

  test('are withdrawn if the guest stops polling', async () => {
    const fox = named()
    await knock(app(), room.name, { ...fox, init: 1 })
    await chair.notified('signal:joinRequest')
    later(46)
    expect(await chair.notified('knockEnded')).toEqual({ requestId: fox.requestId, outcome: 'gone' })
  })
})

describe('room settings', () => {
  test('reach the meeting wherever they are changed', async () => {
    const visitor = await guest({ canPublish: 1 })
    await configure({ password: 'x', locked: true })
    expect(await visitor.notified('changeOptions')).toEqual({
      locked: true,
      nomedia: false,
      requires_password: true,
    })
    await configure({ nomedia: true })
    expect(await visitor.notified('changeOptions', (options) => options.nomedia)).toBeTruthy()
    expect(await visitor.notified('changeRole')).toEqual({ peerId: visitor.peerId, role: subscriber })
    expect(engine.peers.get(visitor.peerId)?.may).toEqual([])
    expect(engine.peers.get(chair.peerId)?.may).toContain('mic')
  })

  test('are not announced if unchanged', async () => {
    await configure({ locked: false, nomedia: false })
    await account.as('owner', `PUT /api/v4/rooms/${room.id}`, { description: 'Other' })
    await configure({ locked: true })
    await chair.notified('changeOptions')
    expect(chair.all('changeOptions')).toHaveLength(1)
  })
})

describe('media', () => {
  test('messages are exchanged with the engine, separately for each participant', async () => {
    const visitor = await guest({ canPublish: 1 })
    visitor.media({ type: 'start', epoch: 1, relay: true })
    visitor.media({ type: 'mute', epoch: 1, source: 'mic', muted: true })
    await visitor.settle()
    expect(engine.peers.get(visitor.peerId)?.heard).toEqual([
      { type: 'start', epoch: 1, relay: true },
      { type: 'mute', epoch: 1, source: 'mic', muted: true },
    ])
    expect(engine.peers.get(chair.peerId)?.heard).toEqual([])
    const message = { type: 'withdrawn', epoch: 1, source: 'cam' } as const
    engine.say('toPeer', { peer: visitor.peerId, message })
    await visitor.until('media', () => visitor.frames.find((frame) => frame.media !== undefined))
    await chair.settle()
    expect(chair.frames.filter((frame) => frame.media !== undefined)).toEqual([])
  })

  test('the active speaker is announced to everyone', async () => {
    const room = engine.peers.get(chair.peerId)?.room ?? ''
    engine.say('speakers', { room, speakers: [{ peer: chair.peerId, level: 20 }] })
    expect(await chair.notified('speakers')).toEqual({ speakers: [{ peer: chair.peerId, level: 20 }] })
  })

  test('TURN credentials are renewed before they expire', async () => {
    later(8 * 3600 * 0.8)
    const { iceServers } = await chair.notified('iceServers')
    expect(iceServers[0].username).not.toBe(chair.state.iceServers[0].username)
  })
})

describe('counts', () => {
  test('of meetings and participants are exported as metrics', async () => {
    await guest()
    const { body } = await app().call('GET /api/webhooks/metrics', { ip: '127.0.0.1' })
    expect(body).toMatch(/^gatehouse_meetings [1-9]/m)
    expect(body).toMatch(/^gatehouse_meeting_participants [2-9]|^gatehouse_meeting_participants \d\d/m)
    expect(body).toMatch(/^gatehouse_media_engines 1$/m)
  })

  test('are shown with the room', async () => {
    await guest()
    const { body } = await account.as('owner', `GET /api/v4/rooms/${room.id}`)
    expect(body).toMatchObject({ isOpen: true, participants: 2 })
    expect((await account.as('owner', 'GET /api/v4/rooms')).body.list).toMatchObject([
      { isOpen: true, participants: 2 },
    ])
  })
})
