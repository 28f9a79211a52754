import { closeCodes, maxMessageBytes } from '@gatehouse/contract/meetings/meet-rules'
import { type RequestMethod, requests } from '@gatehouse/contract/meetings/meet-signalling'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import { enter, knock, listen, makeRoom, signallingUrl, Visitor } from '../../testing/meetings.ts'
import { SilentEngine } from '../../testing/servers/silent-engine.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let room: { id: number; name: string }
let token: string
let chair: Visitor
let guest: Visitor

beforeAll(async () => {
  await listen(app())
  app().meetings.engines.pool.add(new SilentEngine())
  const account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
  room = await makeRoom(account)
  chair = await enter(app(), room.name, { nickname: 'Chair' }, { token })
})

beforeEach(async () => {
  guest = await enter(app(), room.name, { nickname: 'Guest', canPublish: 1 })
})

/** Asserts that no other participant was affected. */
async function expectNothingHappened(): Promise<void> {
  expect((await chair.request('ping')).ok).toBe(true)
  expect((await knock(app(), room.name)).body.code).toBe(322)
}

/** Arbitrary JSON, including values that methods expect. */
const hostile = () =>
  fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        peerId: fc.oneof(fc.constantFrom(chair.peerId, guest.peerId), fc.string(), fc.jsonValue()),
        role: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
        source: fc.oneof(fc.constantFrom('mic', 'cam'), fc.jsonValue()),
        mode: fc.oneof(fc.constantFrom('ask', 'force'), fc.jsonValue()),
        message: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('x'.repeat(5000)), fc.jsonValue()),
        nickname: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        language: fc.oneof(fc.string(), fc.jsonValue()),
        raisedHand: fc.oneof(fc.boolean(), fc.jsonValue()),
        requestId: fc.oneof(fc.string(), fc.jsonValue()),
        token: fc.oneof(fc.string(), fc.jsonValue()),
        resume: fc.oneof(fc.string(), fc.jsonValue()),
        mediaSeen: fc.oneof(fc.integer(), fc.jsonValue()),
        ['__proto__']: fc.jsonValue(),
        constructor: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )

const known = ['invalid', 'unknown-method', 'forbidden', 'not-found', 'too-many']

describe('arbitrary data', () => {
  // leaving and ending a meeting are tested elsewhere
  const methods = (Object.keys(requests) as RequestMethod[]).filter(
    (method) => method !== 'leave' && method !== 'moderator:closeRoom',
  )
  test.each(methods)(
    'of %s is done or refused',
    async (method) => {
      await fc.assert(
        fc.asyncProperty(hostile(), async (data) => {
          app().clock.advance(1)
          const answer = await guest.request(method, data)
          if (answer.ok !== true) expect(known).toContain(answer.error)
        }),
        { numRuns: 40 },
      )
      await expectNothingHappened()
    },
    60_000,
  )

  test('of unknown methods is rejected', async () => {
    for (const method of ['', 'constructor', '__proto__', 'toString', 'hello ', 'x'.repeat(64)]) {
      expect(await guest.request(method, {})).toMatchObject({ ok: false, error: 'unknown-method' })
    }
  })

  test('from a moderator never affects an owner', async () => {
    await chair.request('moderator:addRole', { peerId: guest.peerId, role: 4 })
    const roleOf = async () => {
      const other = await enter(app(), room.name)
      const peers = other.state.peers as { id: string; role: number }[]
      await other.request('leave')
      return peers.find((peer) => peer.id === chair.peerId)?.role
    }
    const before = await roleOf()
    for (const role of [1, 2, 4, 8, 16, 31]) {
      await guest.request('moderator:removeRole', { peerId: chair.peerId, role })
      await guest.request('moderator:addRole', { peerId: chair.peerId, role })
    }
    expect(await roleOf()).toBe(before)
  })
})

describe('arbitrary messages', () => {
  const ends = async (text: string | Buffer, reason = 'malformed') => {
    const visitor = await enter(app(), room.name, { nickname: 'Hostile' })
    visitor.raw(text)
    const end = await visitor.ended()
    expect(end.reason === '' ? end.code : end.reason).toBe(reason)
    await expectNothingHappened()
  }

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['bytes', Buffer.from([0, 159, 146, 150])],
    ['very deep JSON', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['a request without a number', JSON.stringify({ method: 'ping' })],
    ['a number that is none', JSON.stringify({ id: 'x', method: 'ping' })],
    ['a huge number', JSON.stringify({ id: 1e300, method: 'ping' })],
    ['a method that is none', JSON.stringify({ id: 1, method: 7 })],
    ['media of no kind', JSON.stringify({ media: { type: 'explode' } })],
    ['media with holes', JSON.stringify({ media: { type: 'publish', epoch: 1 } })],
    ['an answer', JSON.stringify({ id: 1, ok: true, data: {} })],
  ])('%s closes the socket and has no other effect', async (_, text) => {
    await ends(text)
  })

  test('any text closes the socket or does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async (text) => {
        app().clock.advance(1)
        const visitor = await new Visitor(signallingUrl(app())).open()
        visitor.raw(text)
        expect((await visitor.ended()).reason).toBe('malformed')
      }),
      { numRuns: 40 },
    )
    await expectNothingHappened()
  }, 60_000)

  test('an oversized message closes the socket', async () => {
    const message = 'x'.repeat(maxMessageBytes)
    const visitor = await enter(app(), room.name)
    visitor.raw(JSON.stringify({ id: 1, method: 'chatMessage', data: { message } }))
    expect((await visitor.ended()).code).toBe(1009)
    await expectNothingHappened()
  })

  test('a flood closes the socket, and the participant can reconnect as after any disconnection', async () => {
    const visitor = await enter(app(), room.name, { nickname: 'Flood' })
    for (let turn = 0; turn < 1000; turn++) visitor.raw(JSON.stringify({ id: turn + 1, method: 'ping' }))
    expect(await visitor.ended()).toEqual({ code: closeCodes.flood, reason: 'flood' })
    expect(await chair.notified('changeConnection', (data) => data.peerId === visitor.peerId)).toMatchObject({
      isConnected: false,
    })
    await expectNothingHappened()
  })

  test("repeatedly restarting media closes the socket and the participant's next one", async () => {
    const visitor = await enter(app(), room.name, { nickname: 'Restless' })
    for (let epoch = 1; epoch <= 100; epoch++) visitor.media({ type: 'start', epoch })
    expect((await visitor.ended()).reason).toBe('flood')
    const next = await new Visitor(signallingUrl(app())).open()
    await next.hello({ resume: visitor.state.resume as string }) // guaranteed by the contract
    next.media({ type: 'start', epoch: 101 })
    expect((await next.ended()).reason).toBe('flood')
    app().clock.advance(1)
    const last = await new Visitor(signallingUrl(app())).open()
    await last.hello({ resume: next.state.resume as string }) // as above
    last.media({ type: 'start', epoch: 102 })
    await last.settle()
    await expectNothingHappened()
  })
})
