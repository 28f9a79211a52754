import buildEngines from '@gatehouse/media/testing/global-setup'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '../testing/account-fixture.ts'
import { signInAs } from '../testing/factories.ts'
import { enter, listen, makeRoom, type Visitor } from '../testing/meetings.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp({ MEET_UDP_PORT: '0', MEET_BIND_ADDRESS: '127.0.0.1' })
let name = ''
let token = ''
let chair: Visitor

beforeAll(async () => {
  await buildEngines()
  await listen(app())
  app().meetings.start()
  const { pool } = app().meetings.engines
  await new Promise<void>((ready) => pool.onEngine(() => ready()))
}, 120_000)

beforeEach(async () => {
  const account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
  name = (await makeRoom(account)).name
  chair = await enter(app(), name, { canPublish: 1 }, { token })
})

const media = (visitor: Visitor, type: string) =>
  visitor.until(`media of type ${type}`, () =>
    visitor.frames
      .map((frame) => frame.media as { type: string; reason?: string } | undefined)
      .find((message) => message?.type === type),
  )

test("the engine's response to an offer is returned over the socket, including a rejection for non-publishers", async () => {
  const guest = await enter(app(), name)
  const offer = { type: 'publish', epoch: 1, n: 1, sdp: 'v=0', tracks: [{ mid: '0', source: 'mic' }] }
  for (const visitor of [chair, guest]) {
    visitor.media({ type: 'start', epoch: 1 })
    visitor.media(offer)
  }
  expect(await media(guest, 'publishFailed')).toMatchObject({ reason: 'not-allowed' })
  expect(await media(chair, 'publishFailed')).toMatchObject({ reason: 'malformed' })
})

test('when the engine crashes, all participants restart media automatically within three seconds', async () => {
  const guest = await enter(app(), name)
  const { engines } = app().meetings
  const [engine] = engines.processes
  expect(engine).toBeDefined()
  const died = performance.now()
  process.kill(engine ?? 0, 'SIGKILL')
  for (const visitor of [chair, guest]) {
    expect(await media(visitor, 'restart')).toEqual({ type: 'restart', reason: 'engine' })
  }
  const seconds = (performance.now() - died) / 1000
  // starting a process takes longer on a machine that runs other tests
  expect(seconds).toBeLessThan(process.env.CI === undefined ? 15 : 3)
  expect(engines.processes).not.toContain(engine)
  // the same participants on another engine
  chair.media({ type: 'start', epoch: 2 })
  chair.media({ type: 'publish', epoch: 2, n: 1, sdp: 'v=0', tracks: [{ mid: '0', source: 'mic' }] })
  expect(await media(chair, 'publishFailed')).toMatchObject({ epoch: 2, reason: 'malformed' })
  expect((await guest.request('ping')).ok).toBe(true)
  expect(chair.all('peerClosed')).toEqual([])
  expect(chair.all('closed')).toEqual([])
})
