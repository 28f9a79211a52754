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

/** What the meeting asked of the media, in order. */
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

test('who may send sends what is there, as soon as the meeting is known', async () => {
  await enter()
  expect(done).toEqual(['start', 'publish mic,cam'])
})

test('a listener sends nothing until the floor is given, and then only when the devices are chosen', async () => {
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

test('who loses the floor goes dark at once', async () => {
  await enter()
  notify('changeRole', { peerId: 'me', role: 0 })
  await settle()
  await settle()
  expect(done.slice(2)).toEqual(['unpublish mic', 'unpublish cam'])
  expect(local.canPublish).toBe(false)
})

test('another device takes the place of the first one, none takes it back', async () => {
  await enter()
  await local.choose('camera', 'other')
  await settle()
  await local.choose('camera', 'none')
  await settle()
  expect(done.slice(2).filter((act) => act.endsWith('cam'))).toContain('unpublish cam')
  expect(done.at(-1)).toBe('unpublish cam')
  expect(done.slice(2).some((act) => act.includes('mic'))).toBe(false)
})

test('muting does not wait', async () => {
  await enter()
  meeting.toggle('microphone')
  expect(done.at(-1)).toBe('mute mic')
  meeting.toggle('microphone')
  expect(done.at(-1)).toBe('unmute mic')
  expect(sent.some(({ method }) => method === 'unmute')).toBe(false)
})

test('what a moderator has muted is shown muted, and switching it on tells the engine', async () => {
  await enter()
  notify('muteRequest', { by: 'jane', source: 'mic', isForced: true })
  expect(local.state.get().microphone.muted).toBe(true)
  meeting.toggle('microphone')
  expect(sent.at(-1)).toMatchObject({ method: 'unmute', data: { source: 'mic' } })
  meeting.toggle('microphone')
  meeting.toggle('microphone')
  expect(sent.filter(({ method }) => method === 'unmute')).toHaveLength(1)
})

test('being asked to mute changes nothing by itself', async () => {
  await enter()
  notify('muteRequest', { by: 'jane', source: 'mic', isForced: false })
  expect(local.state.get().microphone.muted).toBe(false)
  expect(meeting.room.get().happened).toMatchObject({ kind: 'muted', by: 'JANE', isForced: false })
})

test('a shared screen is sent and taken back', async () => {
  await enter()
  await meeting.toggleScreen()
  await settle()
  expect(done.at(-1)).toBe('publish screen')
  await meeting.toggleScreen()
  await settle()
  expect(done.at(-1)).toBe('unpublish screen')
})

test('what the engine does not take is told, and tried again only after a change', async () => {
  refuses = true
  await enter()
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('not allowed'))
  refuses = false
  await local.choose('microphone', 'other')
  await settle()
  await settle()
  expect(done.at(-1)).toContain('publish mic')
})

test('coming back begins the connections anew only where something went astray', async () => {
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

test('a request that is refused is told and answers false', async () => {
  await enter()
  const asked = meeting.ask('moderator:kickPeer', { peerId: 'jane' })
  say({ id: sent.at(-1)?.id, ok: false, error: 'forbidden' })
  expect(await asked).toBe(false)
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'forbidden' }))
})

test('a screen that somebody begins to share is told once', async () => {
  await enter()
  const source = { peer: 'jane', source: 'screen', muted: false, layer: 0, limit: 'none' } as const
  const track = {} as MediaStreamTrack // never drawn here
  mediaOptions.onSources([{ ...source, track }])
  const told = meeting.room.get().happened
  expect(told).toMatchObject({ kind: 'shares', nickname: 'JANE' })
  mediaOptions.onSources([{ ...source, track, muted: true }])
  expect(meeting.room.get().happened).toBe(told)
})

test('messages of the engine reach the media, and relays the next connection', async () => {
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

test('who ends the meeting for all gets its end in the place of an answer', async () => {
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
