// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalMedia, noDevice } from './local-media.ts'

/** A track as returned by the browser. */
class FakeTrack extends EventTarget {
  readonly kind: 'audio' | 'video'
  readonly label: string
  enabled = true
  readyState = 'live'
  readonly constraints: object[] = []
  constructor(kind: 'audio' | 'video', label: string) {
    super()
    this.kind = kind
    this.label = label
    given.push(this)
  }
  stop(): void {
    this.readyState = 'ended'
  }
  getSettings() {
    return { deviceId: this.label }
  }
  getCapabilities() {
    return this.kind === 'video' ? { backgroundBlur: [true, false] } : {}
  }
  async applyConstraints(constraints: object) {
    this.constraints.push(constraints)
  }
  /** Unplugs the device; unlike `stop`, this fires an event. */
  pull(): void {
    this.readyState = 'ended'
    this.dispatchEvent(new Event('ended'))
  }
}

type Wish = { audio: object | false; video: object | false }

let refused: Partial<Record<'audio' | 'video' | 'both', string>>
let asked: Wish[]
let kept: Record<string, string>
let local: LocalMedia
/** All tracks handed out in a test. */
let given: FakeTrack[]

const stream = (tracks: FakeTrack[]) => ({
  getTracks: () => tracks,
  getAudioTracks: () => tracks.filter(({ kind }) => kind === 'audio'),
  getVideoTracks: () => tracks.filter(({ kind }) => kind === 'video'),
})

beforeEach(() => {
  refused = {}
  asked = []
  given = []
  kept = {}
  const devices = {
    async getUserMedia({ audio, video }: Wish) {
      asked.push({ audio, video })
      const name = (audio && video && refused.both) || (audio && refused.audio) || (video && refused.video)
      if (name) throw new DOMException('', name)
      const idOf = (wish: object) => ('deviceId' in wish ? (wish.deviceId as { ideal: string }).ideal : '')
      return stream([
        ...(audio ? [new FakeTrack('audio', idOf(audio) || 'built-in mic')] : []),
        ...(video ? [new FakeTrack('video', idOf(video) || 'built-in cam')] : []),
      ])
    },
    getDisplayMedia: async () => stream([new FakeTrack('video', 'screen'), new FakeTrack('audio', 'tab')]),
    enumerateDevices: async () => [],
  }
  vi.stubGlobal('navigator', { mediaDevices: devices })
  local = make()
})
afterEach(() => vi.unstubAllGlobals())

function make() {
  return new LocalMedia({
    recall: (kind) => kept[kind],
    keep: (kind, value) => {
      kept[kind] = value
    },
  })
}
const state = () => local.state.get()
// the tracks are these tests' fakes
const camera = () => state().camera.track as unknown as FakeTrack
const microphone = () => state().microphone.track as unknown as FakeTrack

test('requests both devices at once', async () => {
  await local.open()
  expect(asked).toHaveLength(1)
  expect(local.canPublish).toBe(true)
  expect(state().microphone).toMatchObject({ chosen: 'built-in mic', isOpening: false, problem: undefined })
})

test('counts as a publisher while devices are still opening', async () => {
  const opening = local.open()
  expect(local.canPublish).toBe(true)
  await opening
  refused = { both: 'NotAllowedError', audio: 'NotAllowedError', video: 'NotAllowedError' }
  local.release()
  expect(local.canPublish).toBe(false)
  await local.open()
  expect(local.canPublish).toBe(false)
})

test('opens only the microphone and reports the camera as missing if there is none', async () => {
  refused = { both: 'NotFoundError', video: 'NotFoundError' }
  await local.open()
  expect(state().camera).toMatchObject({ track: undefined, problem: 'missing' })
  expect(state().microphone.track).toBeDefined()
  expect(local.canPublish).toBe(true)
})

test.each([
  ['NotAllowedError', 'denied'],
  ['NotReadableError', 'busy'],
  ['OverconstrainedError', 'missing'],
  ['NotSupportedError', 'unsupported'],
])('%s of both is told as %s', async (name, problem) => {
  refused = { both: name, audio: name, video: name }
  await local.open()
  expect([state().microphone.problem, state().camera.problem]).toEqual([problem, problem])
  expect(local.canPublish).toBe(false)
})

test('reports missing media support', async () => {
  vi.stubGlobal('navigator', {})
  await local.open()
  expect(state().camera.problem).toBe('unsupported')
})

test('reopens the remembered devices and requests nothing for "none"', async () => {
  kept = { microphone: 'headset', camera: noDevice }
  local = make()
  await local.open()
  expect(asked).toMatchObject([{ audio: { deviceId: { ideal: 'headset' } }, video: false }])
  kept = { microphone: noDevice, camera: noDevice }
  local = make()
  await local.open()
  expect(asked).toHaveLength(1)
  expect(local.canPublish).toBe(false)
})

test('switching devices stops the previous one', async () => {
  await local.open()
  const first = camera()
  await local.choose('camera', 'usb cam')
  expect(first.readyState).toBe('ended')
  expect(camera().label).toBe('usb cam')
  expect(kept.camera).toBe('usb cam')
  const second = camera()
  await local.choose('camera', noDevice)
  expect(second.readyState).toBe('ended')
  expect(state().camera.track).toBeUndefined()
})

test('stays muted after switching devices', async () => {
  await local.open()
  local.setMuted('microphone', true)
  expect(microphone().enabled).toBe(false)
  await local.choose('microphone', 'headset')
  expect(microphone().enabled).toBe(false)
  local.setMuted('microphone', false)
  expect(microphone().enabled).toBe(true)
})

test('replaces an unplugged device with the system default and reports it', async () => {
  await local.open()
  await local.choose('microphone', 'headset')
  microphone().pull()
  await vi.waitFor(() => expect(microphone()?.label).toBe('built-in mic'))
  expect(state().unplugged).toEqual({ label: 'headset', count: 1 })
})

test('reports the device as missing when the last one is unplugged', async () => {
  await local.open()
  refused = { audio: 'NotFoundError' }
  microphone().pull()
  await vi.waitFor(() => expect(state().microphone.problem).toBe('missing'))
  expect(state().microphone.isOpening).toBe(false)
})

test("stops sharing the screen with the browser's button too", async () => {
  expect(await local.shareScreen()).toBe(true)
  expect(local.trackOf('screen')).toBeDefined()
  expect(local.trackOf('screenaudio')).toBeDefined()
  const [picture] = state().screen as unknown as FakeTrack[] // as above
  picture?.pull()
  expect(state().screen).toEqual([])
})

test('blurs the background if supported, also after switching cameras', async () => {
  await local.open()
  await local.setBlur(true)
  expect(camera().constraints).toContainEqual({ backgroundBlur: true })
  await local.choose('camera', 'usb cam')
  expect(camera().constraints).toContainEqual({ backgroundBlur: true })
})

test('releases every device at the end', async () => {
  await local.open()
  await local.shareScreen()
  const tracks = [camera(), microphone(), ...(state().screen as unknown as FakeTrack[])] // as above
  local.release()
  expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended', 'ended', 'ended', 'ended'])
  expect(local.canPublish).toBe(false)
})

test('releases a device at once if it opens after the end', async () => {
  const opening = local.open()
  local.release()
  await opening
  expect(local.canPublish).toBe(false)
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'ended'])
})

test('the last of two quick choices wins', async () => {
  await Promise.all([local.choose('camera', 'first'), local.choose('camera', 'second')])
  expect(camera().label).toBe('second')
  expect(given.map(({ label, readyState }) => `${label} ${readyState}`)).toEqual([
    'first ended',
    'second live',
  ])
})
