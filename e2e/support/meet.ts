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

/** A meeting takes a browser's full attention, and machines of tests have little of it. */
export const patience = 40_000

/** A page of any browser whose connection statistics can be read. */
export interface Watched {
  evaluate<T>(run: () => T | Promise<T>): Promise<T>
}

interface Sku {
  readonly id: string
  readonly title: string
}

/** A room in the owner's account; a shared one may have moderators. */
export async function makeRoom(options: { shared?: boolean; config?: object } = {}): Promise<MadeRoom> {
  const token = await ownerToken()
  const skus = await send<Sku[]>('/api/v4/skus?type=room', { token })
  const sku = skus.find(({ title }) => title === (options.shared ? 'group-room' : 'room'))
  const body = { description: 'Weekly meeting', skus: sku && { [sku.id]: 1 } }
  const { id, name } = await send<MadeRoom>('/api/v4/rooms', { token, body })
  if (options.config) await configure({ id, name }, options.config)
  return { id, name }
}

/** Changes settings of a room as its owner, outside of the meeting. */
export async function configure({ id }: MadeRoom, config: object): Promise<void> {
  await send(`/api/v4/rooms/${id}/config`, { token: await ownerToken(), body: config })
}

/**
 * Keeps the connections and devices of a page where tests can get at them. Pictures are small, because one machine
 * encodes for all; nothing suppresses the beep, which is no voice; the shared screen is a canvas with a tone, since
 * there is no screen.
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
      // not from an AudioContext: Firefox's stays silent without a sound card
      const sound = await open({ audio: true })
      return new MediaStream([...canvas.captureStream(5).getTracks(), ...sound.getTracks()])
    }
  }
`

/** Init script of a page in a meeting. */
export function meetingScript({
  refusal = '',
  picture = { width: 320, height: 180 },
}: Pick<Coming, 'refusal' | 'picture'>): string {
  return `Object.assign(window, ${JSON.stringify({ refusal, picture })});${spy}`
}

/** What the script above puts into the page. */
interface Spied {
  readonly connections: RTCPeerConnection[]
  readonly devices: MediaStreamTrack[]
  /** Moments at which more pictures had been decoded than before. */
  pictures?: number[]
}

export interface Coming extends Omit<VisitAsOptions, 'initScript'> {
  /** Signed in as; absent: a guest. */
  readonly as?: string
  readonly nickname?: string
  readonly password?: string
  /** Name of the error with which the browser refuses devices. */
  readonly refusal?: string
  /** Of another portal than that of the file. */
  readonly origin?: string
  /** Of the camera; absent: 320 × 180. */
  readonly picture?: { readonly width: number; readonly height: number; readonly frameRate?: number }
}

/** Ways into a room. */
export function useRooms({ visit, visitAs }: Visitor) {
  /** To the door, and no further. */
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
  /** Through the door. */
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

/** The meeting is on the screen. */
export async function inside(page: Page): Promise<void> {
  await page.locator('.stage-tile, .stage-tag').first().waitFor()
}

export interface Received {
  readonly videos: number
  readonly sounds: number
  readonly frames: number
}

/** What the connections of a page have decoded so far: pictures that move, and sound that is not silent. */
export async function received(page: Watched): Promise<Received> {
  return page.evaluate(async () => {
    const found = { videos: 0, sounds: 0, frames: 0 }
    // put there by the script above
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

/** Waits until a page sees and hears so many others, and goes on seeing them. */
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

/** Notes from now on when pictures of others are decoded. */
export async function watchPictures(page: Page): Promise<void> {
  await page.evaluate(() => {
    // put there by the script above
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

/** Milliseconds of the longest time without a new picture since the watch began. */
export async function longestPause(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { pictures = [] } = window as unknown as Spied // as above
    const moments = [...pictures, performance.now()]
    return Math.max(...moments.map((moment, index) => moment - (moments[index - 1] ?? moment)))
  })
}

/** How many connections the page has made so far. */
export async function connectionsOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Spied).connections.length) // as above
}

/** How many devices the page has opened so far. */
export async function openedDevices(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Spied).devices.length) // as above
}

/** The light of a camera or microphone is on. */
export async function hasLiveDevices(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { devices } = window as unknown as Spied // as above
    return devices.some(({ readyState }) => readyState === 'live')
  })
}

/** Pulls out a device, as far as the page can tell. */
export async function pullOut(page: Page, kind: 'audio' | 'video'): Promise<void> {
  await page.evaluate((wanted) => {
    const { devices } = window as unknown as Spied // as above
    const track = devices.findLast((one) => one.kind === wanted && one.readyState === 'live')
    track?.stop()
    // the browser tells of an end that is not the page's own
    track?.dispatchEvent(new Event('ended'))
  }, kind)
}

/** Ends the media engine of the portal as a crash would. Returns how many processes were ended. */
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
    return '' // gone meanwhile
  }
}
