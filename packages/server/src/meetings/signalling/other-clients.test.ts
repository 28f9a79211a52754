import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import { enter, knock, listen, makeRoom, newRequestId, signallingUrl } from '../../testing/meetings.ts'
import { SilentEngine } from '../../testing/servers/silent-engine.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { socketIoRefusal } from './refuse-socket-io.ts'

const app = useTestApp()
let account: TestAccount
let owner: string
let room: { id: number; name: string }

beforeAll(async () => {
  await listen(app())
  app().meetings.engines.pool.add(new SilentEngine())
})

beforeEach(async () => {
  account = await makeAccount(app())
  owner = (await signInAs(app(), account.owner)).access_token
  room = await makeRoom(account)
})

/** Request of a client with Socket.IO signalling. */
const otherClient = (init: 0 | 1) => ({
  password: '',
  nickname: 'Guest',
  screenShare: 0,
  init,
  picture: '',
  requestId: newRequestId(),
  canPublish: true,
})

const ask = (body: Record<string, unknown>, token?: string) =>
  knock(app(), room.name, body, token === undefined ? {} : { token })

const openMeetings = async () =>
  (await app().database.db.selectFrom('meetings').select('id').where('roomId', '=', room.id).execute()).length

const refusal = {
  status: 'error',
  code: 500,
  message: 'This client can’t join meetings here. Open the room in Gatehouse in your browser.',
}

describe('a client with Socket.IO signalling', () => {
  test('gets the state of a room like everyone else', async () => {
    expect((await ask(otherClient(0))).body.code).toBe(323)
    expect((await ask(otherClient(0), owner)).body.code).toBe(324)
    await enter(app(), room.name, {}, { token: owner })
    expect((await ask(otherClient(0))).body).toEqual({ code: 322, config: expect.anything() })
  })

  test('gets the code that it shows as a server error, and opens no meeting', async () => {
    const answer = await ask(otherClient(1), owner)
    expect(answer).toMatchObject({ status: 422, body: refusal })
    expect(await openMeetings()).toBe(0)
  })

  test("can't join an open meeting or knock at a locked room", async () => {
    const chair = await enter(app(), room.name, {}, { token: owner })
    expect(await ask(otherClient(1))).toMatchObject({ status: 422, body: refusal })
    await account.as('owner', `POST /api/v4/rooms/${room.id}/config`, { locked: true })
    expect(await ask(otherClient(1))).toMatchObject({ status: 422, body: refusal })
    await chair.settle()
    expect(chair.all('signal:joinRequest')).toEqual([])
  })

  test('gets no information about a missing room', async () => {
    expect((await knock(app(), 'nowhere', otherClient(1))).status).toBe(404)
  })
})

test.each<[string, Record<string, unknown>, number]>([
  ['that names our signalling is admitted', { signalling: signallingProtocol }, 200],
  [
    'that names our signalling and shares screens is admitted',
    { signalling: signallingProtocol, screenShare: 1 },
    200,
  ],
  ['of an older build, which names none, is admitted', { requestId: newRequestId(), canPublish: 1 }, 200],
  ['that names another signalling is refused', { signalling: 'gatehouse.meet.v0' }, 422],
  ['that names none and sends a null for the screen is refused', { screenShare: null }, 422],
])('a client %s', async (_, body, status) => {
  expect((await ask({ init: 1, ...body }, owner)).status).toBe(status)
})

describe('a Socket.IO handshake', () => {
  const query = '?EIO=4&transport=websocket'

  test.each(['/meetmedia/signaling/', '/meetmedia/signaling'])(
    'at %s gets an answer in place of a socket',
    async (path) => {
      const socket = new WebSocket(new URL(`${path}${query}`, signallingUrl(app())))
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage] // event arguments of `ws`
      expect(response.statusCode).toBe(404)
      expect(await text(response)).toBe(socketIoRefusal)
    },
  )

  test.each(['GET', 'POST'])('by polling (%s) is not answered with a page', async (method) => {
    const answer = await app().call(`${method} /meetmedia/signaling/?EIO=4&transport=polling`)
    expect(answer).toMatchObject({ status: 404, body: socketIoRefusal })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})
