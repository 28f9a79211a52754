// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalMedia, noDevice } from './local-media.ts'

/** A track as the browser would give it. */
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
  /** The device is pulled out: unlike `stop`, that is an event. */
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
/** Every track that a test was given. */
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
// the fakes are what these tests put in
const camera = () => state().camera.track as unknown as FakeTrack
const microphone = () => state().microphone.track as unknown as FakeTrack

test('asks once for both', async () => {
  await local.open()
  expect(asked).toHaveLength(1)
  expect(local.canPublish).toBe(true)
  expect(state().microphone).toMatchObject({ chosen: 'built-in mic', isOpening: false, problem: undefined })
})

test('who comes before the devices are open comes as somebody who sends', async () => {
  const opening = local.open()
  expect(local.canPublish).toBe(true)
  await opening
  refused = { both: 'NotAllowedError', audio: 'NotAllowedError', video: 'NotAllowedError' }
  local.release()
  expect(local.canPublish).toBe(false)
  await local.open()
  expect(local.canPublish).toBe(false)
})

test('without a camera the microphone alone is opened, and the camera is said to be missing', async () => {
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

test('a page that has no media at all says so', async () => {
  vi.stubGlobal('navigator', {})
  await local.open()
  expect(state().camera.problem).toBe('unsupported')
})

test('what was chosen before is opened again, and "none" asks for nothing', async () => {
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

test('another device takes the place of the first one, which goes dark', async () => {
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

test('who is muted stays muted on another device', async () => {
  await local.open()
  local.setMuted('microphone', true)
  expect(microphone().enabled).toBe(false)
  await local.choose('microphone', 'headset')
  expect(microphone().enabled).toBe(false)
  local.setMuted('microphone', false)
  expect(microphone().enabled).toBe(true)
})

test('a device that is pulled out is replaced by what the system has, and it is told', async () => {
  await local.open()
  await local.choose('microphone', 'headset')
  microphone().pull()
  await vi.waitFor(() => expect(microphone()?.label).toBe('built-in mic'))
  expect(state().unplugged).toEqual({ label: 'headset', count: 1 })
})

test('the last one that is pulled out is missing', async () => {
  await local.open()
  refused = { audio: 'NotFoundError' }
  microphone().pull()
  await vi.waitFor(() => expect(state().microphone.problem).toBe('missing'))
  expect(state().microphone.isOpening).toBe(false)
})

test('a shared screen ends by the button of the browser as well', async () => {
  expect(await local.shareScreen()).toBe(true)
  expect(local.trackOf('screen')).toBeDefined()
  expect(local.trackOf('screenaudio')).toBeDefined()
  const [picture] = state().screen as unknown as FakeTrack[] // as above
  picture?.pull()
  expect(state().screen).toEqual([])
})

test('what is behind a person is blurred where the platform can, also on the next camera', async () => {
  await local.open()
  await local.setBlur(true)
  expect(camera().constraints).toContainEqual({ backgroundBlur: true })
  await local.choose('camera', 'usb cam')
  expect(camera().constraints).toContainEqual({ backgroundBlur: true })
})

test('in the end every device is given back', async () => {
  await local.open()
  await local.shareScreen()
  const tracks = [camera(), microphone(), ...(state().screen as unknown as FakeTrack[])] // as above
  local.release()
  expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended', 'ended', 'ended', 'ended'])
  expect(local.canPublish).toBe(false)
})

test('a device that arrives after the end is given back at once', async () => {
  const opening = local.open()
  local.release()
  await opening
  expect(local.canPublish).toBe(false)
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'ended'])
})

test('of two choices in a row the later one counts', async () => {
  await Promise.all([local.choose('camera', 'first'), local.choose('camera', 'second')])
  expect(camera().label).toBe('second')
  expect(given.map(({ label, readyState }) => `${label} ${readyState}`)).toEqual([
    'first ended',
    'second live',
  ])
})
