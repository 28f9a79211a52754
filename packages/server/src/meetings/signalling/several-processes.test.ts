import { closeCodes, meetRole } from '@gatehouse/contract/meetings/meet-rules'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { App } from '../../main/app.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import {
  knock,
  listen,
  makeRoom,
  newRequestId,
  signallingUrl,
  startNeighbour,
  Visitor,
} from '../../testing/meetings.ts'
import { SilentEngine } from '../../testing/servers/silent-engine.ts'
import { useTestApp } from '../../testing/test-app.ts'

const settings = { SECRET_KEY: 'the same secret in both of the processes' }
const app = useTestApp(settings)
let account: TestAccount
let token: string
let room: { id: number; name: string }
let first: App
let second: App

beforeAll(() => listen(app()))

beforeEach(async () => {
  first = await startNeighbour(app(), settings)
  second = await startNeighbour(app(), settings)
  for (const process of [first, second]) process.meetings.engines.pool.add(new SilentEngine())
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
  room = await makeRoom(account)
})

afterEach(async () => {
  await first.close()
  await second.close()
})

/** Calls a process to join a room and returns its response. */
async function door(at: App, body: Record<string, unknown>, withToken = false) {
  const response = await at.fastify.inject({
    method: 'POST',
    url: `/api/v4/meet/rooms/${room.name}`,
    headers: { host: 'localhost:8000', ...(withToken && { authorization: `Bearer ${token}` }) },
    payload: body,
  })
  return response.json() as Record<string, unknown> & { token: string }
}

const socket = (at: App) => new Visitor(signallingUrl(at)).open()

async function come(at: App, body: Record<string, unknown> = {}, withToken = false): Promise<Visitor> {
  const answer = await door(at, { init: 1, ...body }, withToken)
  return (await socket(at)).hello({ token: answer.token })
}

/** Reconnects to a process like a browser, retrying until accepted. */
async function comeBack(at: App, visitor: Visitor): Promise<Visitor> {
  for (;;) {
    const back = await socket(at)
    const answer = await back
      .request('hello', { resume: visitor.state.resume, mediaSeen: 0 })
      .catch(() => undefined)
    if (answer === undefined) continue
    back.state = answer.data
    return back
  }
}

test('a meeting is held by one process, and other processes forward to it', async () => {
  const chair = await come(first, { nickname: 'Chair' }, true)
  const guest = await come(second, { nickname: 'Guest' })
  expect(first.meetings.hub.meetings).toHaveLength(1)
  expect(second.meetings.hub.meetings).toHaveLength(0)
  expect(guest.state.peers).toMatchObject([{ nickname: 'Chair' }, { nickname: 'Guest' }])
  await guest.request('chatMessage', { message: 'Hello from afar' })
  expect(await chair.notified('chatMessage')).toMatchObject({ message: 'Hello from afar' })
  guest.media({ type: 'start', epoch: 1 })
  await guest.settle()
  await chair.request('moderator:kickPeer', { peerId: guest.peerId })
  expect(await guest.ended()).toEqual({ code: closeCodes.kicked, reason: 'kicked' })
  expect(guest.all('closed')).toEqual([{ reason: 'kicked' }])
})

test('two owners who open a room concurrently in two processes join the same meeting', async () => {
  const [one, other] = await Promise.all([come(first, {}, true), come(second, {}, true)])
  const held = [...first.meetings.hub.meetings, ...second.meetings.hub.meetings]
  expect(held).toHaveLength(1)
  expect(held[0]?.people.size).toBe(2)
  await one?.request('chatMessage', { message: 'We are one' })
  expect(await other?.notified('chatMessage')).toMatchObject({ message: 'We are one' })
})

test('settings and knocks reach the meeting through any process', async () => {
  const chair = await come(first, {}, true)
  // the process of the test holds no meeting
  await account.as('owner', `POST /api/v4/rooms/${room.id}/config`, { locked: true })
  expect(await chair.notified('changeOptions')).toMatchObject({ locked: true })
  const requestId = newRequestId()
  expect(await door(second, { init: 1, nickname: 'Fox', requestId })).toMatchObject({ code: 327 })
  expect(await chair.notified('signal:joinRequest')).toMatchObject({ nickname: 'Fox' })
  await chair.request('moderator:joinRequestAccept', { requestId })
  expect((await door(second, { init: 1, requestId })).token).toBeTruthy()
  await account.as('owner', `DELETE /api/v4/rooms/${room.id}`)
  expect((await chair.ended()).reason).toBe('deleted')
})

test('a restarted portal preserves the state of meetings', async () => {
  await account.as('owner', `POST /api/v4/rooms/${room.id}/config`, { locked: true })
  const chair = await come(first, { nickname: 'Chair', canPublish: 1 }, true)
  const accepted = async () => {
    const requestId = newRequestId()
    await door(first, { init: 1, nickname: 'Guest', requestId })
    await chair.notified('signal:joinRequest', (data) => data.requestId === requestId)
    await chair.request('moderator:joinRequestAccept', { requestId })
    return { visitor: await come(first, { nickname: 'Guest', requestId, canPublish: 1 }), requestId }
  }
  const [guest, troll] = [await accepted(), await accepted()]
  await guest.visitor.request('chatMessage', { message: 'Before' })
  await guest.visitor.request('raisedHand', { raisedHand: true })
  await chair.request('moderator:removeRole', { peerId: guest.visitor.peerId, role: meetRole.publisher })
  await chair.request('moderator:kickPeer', { peerId: troll.visitor.peerId })
  const waiting = newRequestId()
  await door(first, { init: 1, nickname: 'Patient', requestId: waiting })
  await chair.notified('signal:joinRequest', (data) => data.requestId === waiting)

  await first.close()
  for (const visitor of [chair, guest.visitor]) {
    expect(await visitor.ended()).toEqual({ code: closeCodes.restart, reason: 'restart' })
  }
  const [chairBack, guestBack] = await Promise.all([comeBack(second, chair), comeBack(second, guest.visitor)])
  expect(guestBack?.state).toMatchObject({
    isBack: true,
    peerId: guest.visitor.peerId,
    options: { locked: true },
    chat: [{ message: 'Before' }],
    peers: [{ nickname: 'Chair' }, { nickname: 'Guest', role: meetRole.subscriber, raisedHand: true }],
  })
  expect(chairBack?.state.knocks).toMatchObject([{ requestId: waiting, nickname: 'Patient' }])
  // media restarts on the engine of the other process
  const restart = { media: { type: 'restart', reason: 'engine' } }
  await guestBack?.until('restart', () => guestBack.frames.find((frame) => frame.media !== undefined))
  expect(guestBack?.frames.filter((frame) => frame.media !== undefined)).toEqual([restart])
  // removed participants stay out, admitted ones keep the ticket, waiting ones keep waiting
  expect(await door(second, { init: 1, requestId: troll.requestId })).toMatchObject({ reason: 'dismissed' })
  expect((await door(second, { init: 1, requestId: guest.requestId })).token).toBeTruthy()
  expect(await door(second, { init: 1, requestId: waiting })).toMatchObject({ code: 327, knock: 'pending' })
  await chairBack?.request('moderator:joinRequestAccept', { requestId: waiting })
  expect((await door(second, { init: 1, requestId: waiting })).token).toBeTruthy()
}, 30_000)

test('a process that loses the database gives up its meetings to others', async () => {
  const chair = await come(first, { nickname: 'Chair' }, true)
  const { pool } = app().database
  await pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 20390
      and database = (select oid from pg_database where datname = current_database())`,
  )
  expect((await chair.ended()).reason).toBe('restart')
  const back = await comeBack(second, chair)
  expect(back.state).toMatchObject({ isBack: true, peerId: chair.peerId })
  expect((await back.request('chatMessage', { message: 'Still here' })).ok).toBe(true)
}, 30_000)

test('a meeting to which nobody returns still ends', async () => {
  await come(first, {}, true)
  // taken over by a process that holds a meeting, or is asked for it
  await first.close()
  second.meetings.hub.start()
  const held = () => second.meetings.hub.meetings.find((meeting) => meeting.roomId === room.id)
  await expect.poll(() => held()?.people.size, { timeout: 10_000 }).toBe(1)
  app().clock.advance(10)
  await expect.poll(() => held()?.people.size).toBe(0)
  app().clock.advance(30)
  await expect.poll(async () => (await knock(app(), room.name)).body.code).toBe(323)
}, 30_000)

test('a socket that falsely claims to be of the installation is rejected', async () => {
  const visitor = new Visitor(signallingUrl(first), {
    headers: { origin: 'https://evil.test', 'x-gatehouse-relay': `${Math.floor(Date.now() / 1000)}.AAAA` },
  })
  await visitor.ended()
  expect(visitor.failure?.message).toContain('403')
})
