// @vitest-environment happy-dom

import type { MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { MeetingState } from '@gatehouse/contract/meetings/meet-signalling'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalMedia } from '../devices/local-media.ts'
import type { Socket } from '../signalling/signalling-client.ts'
import type { MediaPort, MediaPortOptions } from './media-port.ts'
import { Meeting } from './meeting.ts'
import { peer, meeting as stateOf } from './room.test-data.ts'

/** The meeting's calls to the media, in order. */
let done: string[]
let refuses: boolean
let mediaOptions: MediaPortOptions
let opened: number
let sent: { id: number; method: string; data: Record<string, unknown> }[]
let socket: Socket
let local: LocalMedia
let meeting: Meeting
const onEnd = vi.fn()
const onError = vi.fn()

class FakeMedia implements MediaPort {
  readonly connections = {}
  readonly usesRelay = false
  start() {
    done.push('start')
  }
  async publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>) {
    if (refuses) throw new Error('not allowed')
    done.push(`publish ${[...tracks.keys()].join()}`)
  }
  async unpublish(source: MediaSource) {
    done.push(`unpublish ${source}`)
  }
  mute(source: MediaSource, muted: boolean) {
    done.push(`${muted ? 'mute' : 'unmute'} ${source}`)
  }
  setView() {}
  close() {
    done.push('close')
  }
}

function fakeTrack(kind: string, name: string) {
  return Object.assign(new EventTarget(), {
    kind,
    label: name,
    enabled: true,
    stop: () => {},
    getSettings: () => ({ deviceId: name }),
    getCapabilities: () => ({}),
  })
}

beforeEach(async () => {
  done = []
  sent = []
  opened = 0
  refuses = false
  vi.clearAllMocks()
  const stream = (tracks: ReturnType<typeof fakeTrack>[]) => ({
    getTracks: () => tracks,
    getAudioTracks: () => tracks.filter(({ kind }) => kind === 'audio'),
    getVideoTracks: () => tracks.filter(({ kind }) => kind === 'video'),
  })
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: async ({ audio, video }: { audio: unknown; video: unknown }) =>
        stream([
          ...(audio ? [fakeTrack('audio', 'mic')] : []),
          ...(video ? [fakeTrack('video', 'cam')] : []),
        ]),
      getDisplayMedia: async () => stream([fakeTrack('video', 'screen')]),
      enumerateDevices: async () => [],
    },
  })
  local = new LocalMedia({ recall: () => undefined, keep: () => {} })
  await local.open()
  socket = {
    readyState: 1,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (text) => {
      if (typeof text === 'string') sent.push(JSON.parse(text))
    },
    close: () => {},
  }
  meeting = new Meeting({
    url: 'ws://x',
    token: 't',
    local,
    onEnd,
    onError,
    openSocket: () => {
      opened += 1
      return socket
    },
    makeMedia: (options) => {
      mediaOptions = options
      return new FakeMedia()
    },
  })
  meeting.start()
})
afterEach(() => {
  meeting.stop()
  vi.unstubAllGlobals()
})

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const say = (frame: object) =>
  // happy-dom's event has more than a test needs
  socket.onmessage?.call(socket as WebSocket, { data: JSON.stringify(frame) } as MessageEvent)
const notify = (method: string, data: object) => say({ method, data })

async function enter(more: Partial<MeetingState> = {}) {
  socket.onopen?.call(socket as WebSocket, new Event('open')) // as above
  const hello = sent.findLast(({ method }) => method === 'hello')
  say({ id: hello?.id, ok: true, data: stateOf(more) })
  await settle()
  await settle()
}

test('publishers send their devices as soon as the meeting state arrives', async () => {
  await enter()
  expect(done).toEqual(['start', 'publish mic,cam'])
})

test('a listener sends nothing until given the floor and done choosing devices', async () => {
  await enter({ peers: [peer('me', { role: meetRole.subscriber })] })
  expect(done).toEqual(['start'])
  notify('changeRole', { peerId: 'me', role: meetRole.publisher })
  await settle()
  expect(meeting.isChoosing.get()).toBe(true)
  expect(done).toEqual(['start'])
  meeting.choose(false)
  await settle()
  expect(done).toEqual(['start', 'publish mic,cam'])
})

test('losing the floor stops the devices at once', async () => {
  await enter()
  notify('changeRole', { peerId: 'me', role: 0 })
  await settle()
  await settle()
  expect(done.slice(2)).toEqual(['unpublish mic', 'unpublish cam'])
  expect(local.canPublish).toBe(false)
})

test('switching devices replaces the track, choosing none unpublishes it', async () => {
  await enter()
  await local.choose('camera', 'other')
  await settle()
  await local.choose('camera', 'none')
  await settle()
  expect(done.slice(2).filter((act) => act.endsWith('cam'))).toContain('unpublish cam')
  expect(done.at(-1)).toBe('unpublish cam')
  expect(done.slice(2).some((act) => act.includes('mic'))).toBe(false)
})

test('muting takes effect at once', async () => {
  await enter()
  meeting.toggle('microphone')
  expect(done.at(-1)).toBe('mute mic')
  meeting.toggle('microphone')
  expect(done.at(-1)).toBe('unmute mic')
  expect(sent.some(({ method }) => method === 'unmute')).toBe(false)
})

test('shows when a moderator mutes a source, and informs the engine on unmute', async () => {
  await enter()
  notify('muteRequest', { by: 'jane', source: 'mic', isForced: true })
  expect(local.state.get().microphone.muted).toBe(true)
  meeting.toggle('microphone')
  expect(sent.at(-1)).toMatchObject({ method: 'unmute', data: { source: 'mic' } })
  meeting.toggle('microphone')
  meeting.toggle('microphone')
  expect(sent.filter(({ method }) => method === 'unmute')).toHaveLength(1)
})

test("a request to mute doesn't mute", async () => {
  await enter()
  notify('muteRequest', { by: 'jane', source: 'mic', isForced: false })
  expect(local.state.get().microphone.muted).toBe(false)
  expect(meeting.room.get().happened).toMatchObject({ kind: 'muted', by: 'JANE', isForced: false })
})

test('publishes and unpublishes a shared screen', async () => {
  await enter()
  await meeting.toggleScreen()
  await settle()
  expect(done.at(-1)).toBe('publish screen')
  await meeting.toggleScreen()
  await settle()
  expect(done.at(-1)).toBe('unpublish screen')
})

test('reports what the engine rejects and retries only after a change', async () => {
  refuses = true
  await enter()
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('not allowed'))
  refuses = false
  await local.choose('microphone', 'other')
  await settle()
  await settle()
  expect(done.at(-1)).toContain('publish mic')
})

test('reconnecting restarts the connections only if messages were lost', async () => {
  await enter()
  socket.onclose?.call(socket as WebSocket, { code: 1006 } as CloseEvent) // as above
  expect(meeting.room.get().isConnected).toBe(false)
  await vi.waitFor(() => expect(opened).toBe(2))
  await enter({ isBack: true })
  expect(done.filter((act) => act === 'start')).toHaveLength(1)
  socket.onclose?.call(socket as WebSocket, { code: 1006 } as CloseEvent) // as above
  mediaOptions.transport.send({ type: 'mute', epoch: 1, source: 'mic', muted: true })
  await vi.waitFor(() => expect(opened).toBe(3))
  await enter({ isBack: true })
  expect(done.filter((act) => act === 'start')).toHaveLength(2)
  expect(meeting.room.get().isConnected).toBe(true)
})

test('reports a rejected request and returns false', async () => {
  await enter()
  const asked = meeting.ask('moderator:kickPeer', { peerId: 'jane' })
  say({ id: sent.at(-1)?.id, ok: false, error: 'forbidden' })
  expect(await asked).toBe(false)
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'forbidden' }))
})

test('reports a newly shared screen once', async () => {
  await enter()
  const source = { peer: 'jane', source: 'screen', muted: false, layer: 0, limit: 'none' } as const
  const track = {} as MediaStreamTrack // never rendered here
  mediaOptions.onSources([{ ...source, track }])
  const told = meeting.room.get().happened
  expect(told).toMatchObject({ kind: 'shares', nickname: 'JANE' })
  mediaOptions.onSources([{ ...source, track, muted: true }])
  expect(meeting.room.get().happened).toBe(told)
})

test('passes engine messages to the media, and relays to the next connection', async () => {
  await enter({ iceServers: [{ urls: ['turn:a'], username: 'u', credential: 'c' }] })
  const heard: MediaServerMessage[] = []
  const off = mediaOptions.transport.on((message) => heard.push(message))
  say({ media: { type: 'restart', reason: 'engine' } })
  off()
  say({ media: { type: 'restart', reason: 'engine' } })
  expect(heard).toHaveLength(1)
  expect(mediaOptions.relays()).toHaveLength(1)
  notify('iceServers', { iceServers: [] })
  expect(mediaOptions.relays()).toHaveLength(0)
})

test('ending the meeting for all reports the end and no failed request', async () => {
  await enter()
  const asked = meeting.ask('moderator:closeRoom', {})
  notify('closed', { reason: 'ended' })
  expect(await asked).toBe(false)
  expect(onError).not.toHaveBeenCalled()
  expect(onEnd).toHaveBeenCalledExactlyOnceWith('ended')
})

test('the end closes everything', async () => {
  await enter()
  notify('closed', { reason: 'kicked' })
  expect(onEnd).toHaveBeenCalledExactlyOnceWith('kicked')
  expect(done.at(-1)).toBe('close')
})
