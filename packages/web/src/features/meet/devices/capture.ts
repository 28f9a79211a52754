/** What a browser opens: the audio of a microphone, or the video of a camera. */
export type DeviceKind = 'microphone' | 'camera'

/** Why a device could not be opened, with one value per advice. */
export type CaptureProblem =
  /** Denied by the user or the browser's settings. */
  | 'denied'
  /** No such device. */
  | 'missing'
  /** Used by another program, or a system error. */
  | 'busy'
  /** Insecure context, or no media support in the browser. */
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

/** Opens devices; an empty id means the system default. Rejects like `getUserMedia`. */
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

/** Captures a screen, window or tab, with audio if supported. Undefined: the user cancelled. */
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

/** Undefined in insecure contexts, despite its type. */
export function devicesOf(): MediaDevices | undefined {
  return navigator.mediaDevices as MediaDevices | undefined
}

/** Maps error names; Media Capture and Streams §10. */
export function problemOf(failure: unknown): CaptureProblem {
  const name = failure instanceof Error || failure instanceof DOMException ? failure.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotSupportedError' || name === 'TypeError' ? 'unsupported' : 'busy'
}

/** Platform background blur; depends on camera and system, and isn't in the types yet. */
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
