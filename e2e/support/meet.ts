import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { VisitAsOptions, Visitor } from './browser.ts'
import { portal } from './portal.ts'
import { owner, ownerToken, send } from './users.ts'

export interface MadeRoom {
  readonly id: number
  readonly name: string
}

/** Timeout in milliseconds: meetings need much CPU, which test machines lack. */
export const patience = 40_000

/** A page in any browser whose connection statistics can be read. */
export interface Watched {
  evaluate<T>(run: () => T | Promise<T>): Promise<T>
}

interface Sku {
  readonly id: string
  readonly title: string
}

/** Creates a room in the owner's account; a shared one may have moderators. */
export async function makeRoom(options: { shared?: boolean; config?: object } = {}): Promise<MadeRoom> {
  const token = await ownerToken()
  const skus = await send<Sku[]>('/api/v4/skus?type=room', { token })
  const sku = skus.find(({ title }) => title === (options.shared ? 'group-room' : 'room'))
  const body = { description: 'Weekly meeting', skus: sku && { [sku.id]: 1 } }
  const { id, name } = await send<MadeRoom>('/api/v4/rooms', { token, body })
  if (options.config) await configure({ id, name }, options.config)
  return { id, name }
}

/** Changes a room's settings as its owner, outside the meeting. */
export async function configure({ id }: MadeRoom, config: object): Promise<void> {
  await send(`/api/v4/rooms/${id}/config`, { token: await ownerToken(), body: config })
}

/**
 * Exposes a page's connections and devices to tests. Frames are small, because one machine encodes for all;
 * noise suppression is off, because the test tone isn't a voice; the shared screen is a canvas with a tone,
 * since there is no screen.
 */
const spy = `
  window.connections = []
  window.devices = []
  const Native = RTCPeerConnection
  window.RTCPeerConnection = class extends Native {
    constructor(...given) {
      super(...given)
      window.connections.push(this)
    }
  }
  const media = navigator.mediaDevices
  if (media) {
    const open = media.getUserMedia.bind(media)
    media.getUserMedia = async ({ audio, video }) => {
      if (window.refusal) throw new DOMException('', window.refusal)
      const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
      const stream = await open({
        audio: audio && { ...audio, ...plain },
        video: video && { deviceId: video.deviceId, frameRate: 5, ...window.picture },
      })
      window.devices.push(...stream.getTracks())
      return stream
    }
    media.getDisplayMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 })
      const pen = canvas.getContext('2d')
      let step = 0
      setInterval(() => {
        pen.fillStyle = 'hsl(' + (step++ * 7) % 360 + ' 60% 50%)'
        pen.fillRect(0, 0, 640, 400)
      }, 200)
      // not from an AudioContext, because Firefox's is silent without a sound card
      const sound = await open({ audio: true })
      return new MediaStream([...canvas.captureStream(5).getTracks(), ...sound.getTracks()])
    }
  }
`

/** Init script for a page in a meeting. */
export function meetingScript({
  refusal = '',
  picture = { width: 320, height: 180 },
}: Pick<Coming, 'refusal' | 'picture'>): string {
  return `Object.assign(window, ${JSON.stringify({ refusal, picture })});${spy}`
}

/** Properties that the script above adds to the page. */
interface Spied {
  readonly connections: RTCPeerConnection[]
  readonly devices: MediaStreamTrack[]
  /** Times at which additional frames had been decoded. */
  pictures?: number[]
}

export interface Coming extends Omit<VisitAsOptions, 'initScript'> {
  /** Address of the user; a guest if absent. */
  readonly as?: string
  readonly nickname?: string
  readonly password?: string
  /** Name of the error with which the browser denies access to devices. */
  readonly refusal?: string
  /** Origin of another portal than the file's. */
  readonly origin?: string
  /** Camera format; default 320 × 180. */
  readonly picture?: { readonly width: number; readonly height: number; readonly frameRate?: number }
}

/** Helpers to enter a room. */
export function useRooms({ visit, visitAs }: Visitor) {
  /** Opens the room's join page. */
  const approach = async (room: MadeRoom, coming: Coming = {}): Promise<Page> => {
    const { as, refusal = '', origin = '', nickname: _name, password: _secret, ...others } = coming
    const { picture, ...options } = others
    const initScript = meetingScript({ refusal, picture })
    const path = `${origin}/meet/${room.name}`
    const page = as
      ? await visitAs(as, path, { ...options, initScript })
      : await visit(path, { ...options, initScript })
    page.setDefaultTimeout(patience)
    return page
  }
  /** Joins the meeting. */
  const enter = async (room: MadeRoom, coming: Coming = {}): Promise<Page> => {
    const page = await approach(room, coming)
    if (coming.nickname) await page.getByLabel(/^(Your|Ihr) /).fill(coming.nickname)
    if (coming.password) await page.getByLabel('Room password').fill(coming.password)
    await page.getByRole('button', { name: /^(Join now|Jetzt beitreten)$/ }).click()
    await inside(page)
    return page
  }
  return {
    approach,
    enter,
    enterAsOwner: (room: MadeRoom, coming: Coming = {}) => enter(room, { ...coming, as: owner }),
  }
}

/** Waits until the meeting is on the screen. */
export async function inside(page: Page): Promise<void> {
  await page.locator('.stage-tile, .stage-tag').first().waitFor()
}

export interface Received {
  readonly videos: number
  readonly sounds: number
  readonly frames: number
}

/** Media decoded by a page's connections so far: changing frames, and sound that isn't silent. */
export async function received(page: Watched): Promise<Received> {
  return page.evaluate(async () => {
    const found = { videos: 0, sounds: 0, frames: 0 }
    // set by the script above
    const { connections } = window as unknown as Spied
    for (const connection of connections) {
      if (connection.connectionState !== 'connected') continue
      const entries: Record<string, unknown>[] = []
      ;(await connection.getStats()).forEach((entry: Record<string, unknown>) => {
        entries.push(entry)
      })
      for (const { type, kind, framesDecoded, totalAudioEnergy } of entries) {
        if (type !== 'inbound-rtp') continue
        if (kind === 'video' && Number(framesDecoded) > 0) {
          found.videos += 1
          found.frames += Number(framesDecoded)
        }
        if (kind === 'audio' && Number(totalAudioEnergy) > 0) found.sounds += 1
      }
    }
    return found
  })
}

/** Waits until a page sees and hears this many others, and keeps seeing them. */
export async function seesAndHears(page: Watched, others: number): Promise<void> {
  const poll = { timeout: patience, interval: 300 }
  const upTo = (count: number) => Math.min(count, others)
  await expect
    .poll(async () => {
      const { videos, sounds } = await received(page)
      return { videos: upTo(videos), sounds: upTo(sounds) }
    }, poll)
    .toEqual({ videos: others, sounds: others })
  const { frames } = await received(page)
  await expect.poll(async () => (await received(page)).frames, poll).toBeGreaterThan(frames)
}

/** Starts recording when frames of others are decoded. */
export async function watchPictures(page: Page): Promise<void> {
  await page.evaluate(() => {
    // set by the script above
    const spied = window as unknown as Spied
    const moments = [performance.now()]
    spied.pictures = moments
    const most = new Map<string, number>()
    const look = async () => {
      let hasMore = false
      for (const [index, connection] of spied.connections.entries()) {
        if (connection.connectionState === 'closed') continue
        ;(await connection.getStats()).forEach(({ type, id, framesDecoded = 0 }) => {
          if (type !== 'inbound-rtp') return
          const stream = `${index} ${id}`
          if (framesDecoded <= (most.get(stream) ?? 0)) return
          most.set(stream, framesDecoded)
          hasMore = true
        })
      }
      if (hasMore) moments.push(performance.now())
      setTimeout(() => void look(), 50)
    }
    void look()
  })
}

/** Longest time in milliseconds without a new frame since the recording began. */
export async function longestPause(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { pictures = [] } = window as unknown as Spied // as above
    const moments = [...pictures, performance.now()]
    return Math.max(...moments.map((moment, index) => moment - (moments[index - 1] ?? moment)))
  })
}

/** Number of connections that the page has created so far. */
export async function connectionsOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Spied).connections.length) // as above
}

/** Number of devices that the page has opened so far. */
export async function openedDevices(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Spied).devices.length) // as above
}

/** Returns whether a camera or microphone is in use. */
export async function hasLiveDevices(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { devices } = window as unknown as Spied // as above
    return devices.some(({ readyState }) => readyState === 'live')
  })
}

/** Simulates unplugging a device. */
export async function pullOut(page: Page, kind: 'audio' | 'video'): Promise<void> {
  await page.evaluate((wanted) => {
    const { devices } = window as unknown as Spied // as above
    const track = devices.findLast((one) => one.kind === wanted && one.readyState === 'live')
    track?.stop()
    // browsers fire this event only if the track wasn't ended by the page
    track?.dispatchEvent(new Event('ended'))
  }, kind)
}

/** Kills the portal's media engine as a crash would. Returns the number of killed processes. */
export function killEngine(): number {
  const engines = childrenOf(portal.pid).filter((pid) => /engine/.test(commandOf(pid)))
  for (const pid of engines) process.kill(pid, 'SIGKILL')
  return engines.length
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fieldOf(pid, 'status').includes(`\nPPid:\t${parent}\n`))
}

function commandOf(pid: number): string {
  return fieldOf(pid, 'cmdline')
}

function fieldOf(pid: number, field: string): string {
  try {
    return readFileSync(`/proc/${pid}/${field}`, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}
