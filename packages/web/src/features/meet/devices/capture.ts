/** What a browser opens: the sound of a microphone, or the picture of a camera. */
export type DeviceKind = 'microphone' | 'camera'

/** Why a device could not be opened, as far as advice differs. */
export type CaptureProblem =
  /** The person or the browser's settings do not allow it. */
  | 'denied'
  /** There is none. */
  | 'missing'
  /** Another program has it, or the system failed. */
  | 'busy'
  /** The page is not served safely, or the browser has no media at all. */
  | 'unsupported'

const sound: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  channelCount: 1,
}

const picture: MediaTrackConstraints = {
  width: { ideal: 1280, max: 1920 },
  height: { ideal: 720, max: 1080 },
  frameRate: { ideal: 25, max: 30 },
}

/** Opens devices; the ids may be empty for whatever the system takes. Rejects as `getUserMedia` does. */
export async function openDevices(ids: { microphone?: string; camera?: string }): Promise<MediaStream> {
  const media = devicesOf()
  if (!media) throw new DOMException('no media', 'NotSupportedError')
  return media.getUserMedia({
    audio: ids.microphone !== undefined && { ...sound, ...preferring(ids.microphone) },
    video: ids.camera !== undefined && { ...picture, ...preferring(ids.camera) },
  })
}

function preferring(id: string): MediaTrackConstraints {
  return id ? { deviceId: { ideal: id } } : {}
}

/** The screen, a window or a tab, with its sound where the browser can. Undefined: the person has chosen none. */
export async function openScreen(): Promise<MediaStream | undefined> {
  try {
    return await navigator.mediaDevices.getDisplayMedia({
      video: { width: { max: 1920 }, height: { max: 1080 }, frameRate: { ideal: 10, max: 30 } },
      audio: true,
    })
  } catch (failure) {
    if (problemOf(failure) === 'denied') return undefined
    throw failure
  }
}

export function canShareScreen(): boolean {
  return typeof devicesOf()?.getDisplayMedia === 'function'
}

/** Absent where a page is not served safely, whatever the types say. */
export function devicesOf(): MediaDevices | undefined {
  return navigator.mediaDevices as MediaDevices | undefined
}

/** Names of errors: Media Capture and Streams §10. */
export function problemOf(failure: unknown): CaptureProblem {
  const name = failure instanceof Error || failure instanceof DOMException ? failure.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotSupportedError' || name === 'TypeError' ? 'unsupported' : 'busy'
}

/** The platform's own blur of what is behind a person; not every camera and system has it, and the types have it not yet. */
interface BlurCapabilities {
  backgroundBlur?: readonly boolean[]
}

export function canBlur(track: MediaStreamTrack | undefined): boolean {
  const { backgroundBlur = [] } = (track?.getCapabilities?.() ?? {}) as BlurCapabilities
  return backgroundBlur.includes(true) && backgroundBlur.includes(false)
}

export async function setBlur(track: MediaStreamTrack, on: boolean): Promise<void> {
  // not in the types yet: Media Capture and Streams Extensions
  await track.applyConstraints({ backgroundBlur: on } as MediaTrackConstraints)
}
