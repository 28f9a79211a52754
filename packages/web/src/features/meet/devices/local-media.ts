import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { createStore, type Store } from '../../../state/store.ts'
import {
  type CaptureProblem,
  canBlur,
  type DeviceKind,
  openDevices,
  openScreen,
  problemOf,
  setBlur,
} from './capture.ts'
import { readDevices } from './device-list.ts'

/** Means no device in the lists and in what is remembered. */
export const noDevice = 'none'

/** Current state of one of the two devices. */
export interface DeviceState {
  /** Id of the device, `none`, or '' for the system default. */
  chosen: string
  track: MediaStreamTrack | undefined
  problem: CaptureProblem | undefined
  isOpening: boolean
  /** Muted by the user. */
  muted: boolean
}

export interface LocalState {
  microphone: DeviceState
  camera: DeviceState
  /** The shared screen and its audio. */
  screen: readonly MediaStreamTrack[]
  /** Whether the platform blurs the background. */
  blur: boolean
  /** Name of the last unplugged device, and a counter that grows with each. */
  unplugged: { label: string; count: number } | undefined
}

export interface Memory {
  recall: (kind: DeviceKind | 'blur') => string | undefined
  keep: (kind: DeviceKind | 'blur', value: string) => void
}

const fresh: DeviceState = {
  chosen: '',
  track: undefined,
  problem: undefined,
  isOpening: false,
  muted: false,
}

/** Microphone, camera and shared screen of this browser, from the setup screen to the end of the meeting. */
export class LocalMedia {
  readonly state: Store<LocalState>
  readonly #memory: Memory
  /** Counters of requests by device, so that a device that opens too late is released at once. */
  readonly #turns = { microphone: 0, camera: 0, screen: 0 }

  constructor(memory: Memory) {
    this.#memory = memory
    this.state = createStore<LocalState>({
      microphone: { ...fresh, chosen: memory.recall('microphone') ?? '' },
      camera: { ...fresh, chosen: memory.recall('camera') ?? '' },
      screen: [],
      blur: memory.recall('blur') === 'on',
      unplugged: undefined,
    })
  }

  /** Whether anything can be sent, or soon could be. Sent to the door on joining. */
  get canPublish(): boolean {
    const { microphone, camera } = this.state.get()
    // joining before the camera is ready must not make someone a listener for the whole meeting
    return [microphone, camera].some(({ track, isOpening }) => track !== undefined || isOpening)
  }

  /** Opens the remembered devices with a single permission prompt; without a camera, only the microphone. */
  async open(): Promise<void> {
    const wanted = kinds.filter((kind) => this.#device(kind).chosen !== noDevice)
    for (const kind of wanted) this.#change(kind, { isOpening: true, problem: undefined })
    if (wanted.length === 2) await this.#openBoth()
    else for (const kind of wanted) await this.#openOne(kind)
    await readDevices()
  }

  /** Switches to another device, or to none. */
  async choose(kind: DeviceKind, id: string): Promise<void> {
    this.#memory.keep(kind, id)
    this.#release(kind)
    this.#change(kind, { chosen: id, problem: undefined })
    if (id === noDevice) return
    await this.#openOne(kind)
    await readDevices()
  }

  setMuted(kind: DeviceKind, muted: boolean): void {
    const { track } = this.#device(kind)
    if (track) track.enabled = !muted
    this.#change(kind, { muted })
  }

  /** Blurs the background, if supported. */
  async setBlur(on: boolean): Promise<void> {
    this.#memory.keep('blur', on ? 'on' : 'off')
    this.state.update((state) => ({ ...state, blur: on }))
    await this.#applyBlur()
  }

  /** Prompts for a screen and shares it. Returns false if the user cancelled. */
  async shareScreen(): Promise<boolean> {
    const turn = this.#next('screen')
    const stream = await openScreen()
    const tracks = stream?.getTracks() ?? []
    if (!stream || this.#turns.screen !== turn) {
      for (const track of tracks) track.stop()
      return false
    }
    // The browser has its own button to stop sharing.
    for (const track of stream.getVideoTracks()) track.addEventListener('ended', () => this.stopScreen())
    this.state.update((state) => ({ ...state, screen: tracks }))
    return true
  }

  stopScreen(): void {
    this.#next('screen')
    for (const track of this.state.get().screen) track.stop()
    this.state.update((state) => ({ ...state, screen: [] }))
  }

  /** Returns the track to send for a source, if any. */
  trackOf(source: MediaSource): MediaStreamTrack | undefined {
    const { microphone, camera, screen } = this.state.get()
    if (source === 'mic') return microphone.track
    if (source === 'cam') return camera.track
    return screen.find(({ kind }) => kind === (source === 'screen' ? 'video' : 'audio'))
  }

  /** Releases the devices, including those still opening, so that their lights go off. The choice is kept. */
  release(): void {
    for (const kind of kinds) this.#release(kind)
    this.stopScreen()
  }

  async #openBoth(): Promise<void> {
    const { microphone, camera } = this.state.get()
    const turns = kinds.map((kind) => this.#next(kind))
    try {
      const stream = await openDevices({ microphone: microphone.chosen, camera: camera.chosen })
      for (const [at, kind] of kinds.entries()) this.#take(kind, stream, turns[at])
    } catch {
      // One of the two is missing or denied; the other may still work.
      for (const [at, kind] of kinds.entries()) if (this.#turns[kind] === turns[at]) await this.#openOne(kind)
    }
  }

  async #openOne(kind: DeviceKind): Promise<void> {
    const turn = this.#next(kind)
    this.#change(kind, { isOpening: true, problem: undefined })
    try {
      this.#take(kind, await openDevices({ [kind]: this.#device(kind).chosen }), turn)
    } catch (failure) {
      if (this.#turns[kind] === turn) this.#change(kind, { isOpening: false, problem: problemOf(failure) })
    }
  }

  #take(kind: DeviceKind, stream: MediaStream, turn: number | undefined): void {
    const [track] = kind === 'microphone' ? stream.getAudioTracks() : stream.getVideoTracks()
    if (!track) return
    if (this.#turns[kind] !== turn) {
      track.stop()
      return
    }
    const before = this.#device(kind)
    before.track?.stop()
    track.enabled = !before.muted
    track.addEventListener('ended', () => void this.#lost(kind, track))
    // A missing device was replaced by another one, which the list must show.
    const { deviceId } = track.getSettings()
    this.#change(kind, { track, isOpening: false, problem: undefined, chosen: deviceId || before.chosen })
    if (kind === 'camera') void this.#applyBlur()
  }

  /** A device was unplugged; falls back to the system default. */
  async #lost(kind: DeviceKind, track: MediaStreamTrack): Promise<void> {
    if (this.#device(kind).track !== track) return
    const count = (this.state.get().unplugged?.count ?? 0) + 1
    this.#change(kind, { track: undefined, chosen: '' })
    this.state.update((state) => ({ ...state, unplugged: { label: track.label, count } }))
    await this.#openOne(kind)
    await readDevices()
  }

  async #applyBlur(): Promise<void> {
    const { camera, blur } = this.state.get()
    if (!camera.track || !canBlur(camera.track)) return
    await setBlur(camera.track, blur).catch(() => undefined)
  }

  #release(kind: DeviceKind): void {
    this.#next(kind)
    const { track } = this.#device(kind)
    this.#change(kind, { track: undefined, isOpening: false })
    track?.stop()
  }

  #next(what: DeviceKind | 'screen'): number {
    this.#turns[what] += 1
    return this.#turns[what]
  }

  #device(kind: DeviceKind): DeviceState {
    return this.state.get()[kind]
  }

  #change(kind: DeviceKind, change: Partial<DeviceState>): void {
    this.state.update((state) => ({ ...state, [kind]: { ...state[kind], ...change } }))
  }
}

const kinds = ['microphone', 'camera'] as const
