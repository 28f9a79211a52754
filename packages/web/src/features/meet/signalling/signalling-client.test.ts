// @vitest-environment happy-dom
import type { MeetingState } from '@gatehouse/contract/meetings/meet-signalling'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SignallingClient, type SignallingEvents, type Socket } from './signalling-client.ts'
import { SignallingError } from './signalling-error.ts'

/** Server side of a socket, controlled by a test. */
class FakeSocket implements Socket {
  readyState: Socket['readyState'] = 0
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  onerror: Socket['onerror'] = null
  readonly sent: { id?: number; method?: string; data?: object; media?: object }[] = []
  isClosed = false

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(code = 1005): void {
    if (this.isClosed) return
    this.isClosed = true
    // happy-dom has no CloseEvent with a code
    this.onclose?.call(this as never, { code } as CloseEvent)
  }
  open(): void {
    this.onopen?.call(this as never, new Event('open'))
  }
  say(frame: object): void {
    this.onmessage?.call(this as never, { data: JSON.stringify(frame) } as MessageEvent)
  }
  answer(method: string, data: object): void {
    const { id } = this.sent.findLast((frame) => frame.method === method) ?? {}
    this.say({ id, ok: true, data })
  }
}

const state: MeetingState = {
  peerId: 'p1',
  resume: 'resume-1',
  isBack: false,
  room: { name: 'abc', description: null },
  peers: [],
  options: { locked: false, nomedia: false, requires_password: false },
  chat: [],
  knocks: [],
  mediaSeen: 0,
  iceServers: [],
  now: '2026-11-22T09:00:00.000Z',
}

let client: SignallingClient

function setup() {
  const sockets: FakeSocket[] = []
  const events = {
    onState: vi.fn<SignallingEvents['onState']>(),
    onNotification: vi.fn<SignallingEvents['onNotification']>(),
    onMedia: vi.fn<SignallingEvents['onMedia']>(),
    onConnected: vi.fn<SignallingEvents['onConnected']>(),
    onEnd: vi.fn<SignallingEvents['onEnd']>(),
  }
  client = new SignallingClient({
    url: 'ws://portal/x',
    token: 'door-token',
    events,
    random: () => 0.5,
    openSocket: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
  })
  client.start()
  const at = (index: number): FakeSocket => {
    const socket = sockets.at(index)
    if (!socket) throw new Error('no such socket')
    return socket
  }
  const last = () => at(-1)
  const greet = async (more: Partial<MeetingState> = {}) => {
    last().open()
    last().answer('hello', { ...state, ...more })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { sockets, at, last, greet, events }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  client.stop()
  vi.useRealTimers()
})

test("sends the door's token in the first message and receives the state", async () => {
  const { last, greet, events } = setup()
  await greet()
  expect(last().sent[0]).toMatchObject({ method: 'hello', data: { token: 'door-token' } })
  expect(events.onState).toHaveBeenCalledWith(expect.objectContaining({ peerId: 'p1' }), expect.anything())
  expect(events.onConnected).toHaveBeenLastCalledWith(true)
})

test('matches responses to requests in any order', async () => {
  const { last, greet } = setup()
  await greet()
  const first = client.request('raisedHand', { raisedHand: true })
  const second = client.request('chatMessage', { message: 'Hello' })
  const [hand, chat] = last().sent.slice(1)
  last().say({ id: chat?.id, ok: false, error: 'too-many', retryAfter: 3 })
  last().say({ id: hand?.id, ok: true, data: {} })
  await expect(first).resolves.toEqual({})
  await expect(second).rejects.toMatchObject({ code: 'too-many', retryAfter: 3 })
})

test('requests time out after twenty seconds', async () => {
  const { last, greet } = setup()
  await greet()
  const asked = client.request('raisedHand', { raisedHand: true })
  const outcome = expect(asked).rejects.toEqual(new SignallingError('timeout'))
  for (let second = 0; second < 21; second += 1) {
    last().say({ method: 'speakers', data: { speakers: [] } })
    await vi.advanceTimersByTimeAsync(1000)
  }
  await outcome
})

test('sends nothing before the response to hello', async () => {
  const { last } = setup()
  last().open()
  await expect(client.request('raisedHand', { raisedHand: true })).rejects.toMatchObject({
    code: 'disconnected',
  })
  expect(client.sendMedia({ type: 'start', epoch: 1, relay: false })).toBe(false)
  expect(last().sent).toHaveLength(1)
})

test('reopens a broken socket with backoff and identifies the returning participant', async () => {
  const { sockets, at, last, greet, events } = setup()
  await greet()
  at(0).close(1006)
  expect(events.onConnected).toHaveBeenLastCalledWith(false)
  const asked = client.request('raisedHand', { raisedHand: true })
  await expect(asked).rejects.toMatchObject({ code: 'disconnected' })
  for (const delay of [250, 500, 1000, 2000, 4000, 4000]) {
    const before = sockets.length
    await vi.advanceTimersByTimeAsync(delay - 1)
    expect(sockets).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(before + 1)
    last().close(1006)
  }
  await vi.advanceTimersByTimeAsync(4000)
  await greet({ resume: 'resume-2', isBack: true })
  expect(last().sent[0]).toMatchObject({ method: 'hello', data: { resume: 'resume-1' } })
  expect(events.onState).toHaveBeenLastCalledWith(
    expect.objectContaining({ isBack: true }),
    expect.anything(),
  )
  expect(events.onConnected).toHaveBeenLastCalledWith(true)
  expect(events.onEnd).not.toHaveBeenCalled()
})

test('rejects pending requests when the socket breaks', async () => {
  const { last, greet } = setup()
  await greet()
  const asked = client.request('chatMessage', { message: 'Hello' })
  last().close(1006)
  await expect(asked).rejects.toMatchObject({ code: 'disconnected' })
})

test('retries at once when the network returns', async () => {
  const { sockets, last, greet } = setup()
  await greet()
  for (const delay of [0, 250, 500, 1000, 2000]) {
    await vi.advanceTimersByTimeAsync(delay)
    last().close(1006)
  }
  const before = sockets.length
  window.dispatchEvent(new Event('online'))
  expect(sockets).toHaveLength(before + 1)
})

test.each(['kicked', 'ended', 'replaced', 'deleted', 'expired', 'gone', 'engine-lost'] as const)(
  'the last word %s ends the participation, and no other socket is opened',
  async (reason) => {
    const { sockets, last, greet, events } = setup()
    await greet()
    last().say({ method: 'closed', data: { reason } })
    last().close(4000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(events.onEnd).toHaveBeenCalledExactlyOnceWith(reason)
    expect(sockets).toHaveLength(1)
  },
)

test('uses the close code if the last message did not arrive', async () => {
  const { last, greet, events } = setup()
  await greet()
  last().close(4002)
  expect(events.onEnd).toHaveBeenCalledExactlyOnceWith('kicked')
})

test('reconnects after a portal restart', async () => {
  const { sockets, last, greet, events } = setup()
  await greet()
  last().say({ method: 'closed', data: { reason: 'restart' } })
  last().close(4008)
  await vi.advanceTimersByTimeAsync(250)
  expect(sockets).toHaveLength(2)
  expect(events.onEnd).not.toHaveBeenCalled()
})

test('gives up after two minutes without a response', async () => {
  const { last, greet, events } = setup()
  await greet()
  last().close(1006)
  for (let second = 0; second < 130 && events.onEnd.mock.calls.length === 0; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    last().close(1006)
  }
  expect(events.onEnd).toHaveBeenCalledExactlyOnceWith('lost')
})

test('keeps an idle socket alive and drops a dead one', async () => {
  const { sockets, at, last, greet } = setup()
  await greet()
  await vi.advanceTimersByTimeAsync(7000)
  expect(last().sent.some(({ method }) => method === 'ping')).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(at(0).isClosed).toBe(true)
  expect(sockets.length).toBeGreaterThan(1)
})

test('delivers notifications and media messages in order', async () => {
  const { last, greet, events } = setup()
  await greet()
  last().say({ method: 'changeRole', data: { peerId: 'p1', role: 2 } })
  last().say({ media: { type: 'restart', reason: 'engine' } })
  expect(events.onNotification).toHaveBeenCalledWith({
    method: 'changeRole',
    data: { peerId: 'p1', role: 2 },
  })
  expect(events.onMedia).toHaveBeenCalledWith({ type: 'restart', reason: 'engine' })
})

test('detects lost media messages on both sides', async () => {
  const { last, greet, events } = setup()
  const mute = { type: 'mute', epoch: 1, source: 'mic', muted: true } as const
  await greet()
  expect(events.onState).toHaveBeenLastCalledWith(expect.anything(), { isMediaWhole: true })
  client.sendMedia(mute)
  last().say({ media: { type: 'restart', reason: 'engine' } })
  last().close(1006)
  await vi.advanceTimersByTimeAsync(250)
  await greet({ isBack: true, mediaSeen: 1 })
  expect(last().sent[0]).toMatchObject({ data: { resume: 'resume-1', mediaSeen: 1 } })
  expect(events.onState).toHaveBeenLastCalledWith(expect.anything(), { isMediaWhole: true })
  last().close(1006)
  client.sendMedia(mute)
  await vi.advanceTimersByTimeAsync(250)
  await greet({ isBack: true, mediaSeen: 1 })
  expect(events.onState).toHaveBeenLastCalledWith(expect.anything(), { isMediaWhole: false })
  last().close(1006)
  await vi.advanceTimersByTimeAsync(250)
  await greet({ isBack: true, mediaSeen: 1 })
  expect(events.onState).toHaveBeenLastCalledWith(expect.anything(), { isMediaWhole: true })
})

test('leaving ends the participation even without a response', async () => {
  const { last, greet, events } = setup()
  await greet()
  const left = client.leave()
  expect(last().sent.at(-1)).toMatchObject({ method: 'leave' })
  await vi.advanceTimersByTimeAsync(1000)
  await left
  expect(events.onEnd).toHaveBeenCalledExactlyOnceWith('left')
})

test('leaving the page notifies the portal and stops all events', async () => {
  const { at, sockets, greet, events } = setup()
  await greet()
  client.stop()
  expect(at(0).sent.at(-1)).toMatchObject({ method: 'leave' })
  expect(at(0).isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sockets).toHaveLength(1)
  expect(events.onEnd).not.toHaveBeenCalled()
})
