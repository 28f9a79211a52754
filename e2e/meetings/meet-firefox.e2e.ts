import { cameraLayers } from '@gatehouse/contract/meetings/meet-sources'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { type FirefoxPage, firefoxPath, useFirefox } from '../support/firefox.ts'
import { poll, tile, tool } from '../support/in-meeting.ts'
import { LossyPath, pathAddress } from '../support/lossy-path.ts'
import { makeRoom, meetingScript, received, seesAndHears, useRooms, type Watched } from '../support/meet.ts'
import { portal } from '../support/portal.ts'

const { enterAsOwner } = useRooms(useVisitor())
const { visit } = useFirefox()

vi.setConfig({ testTimeout: 120_000 })

const paths: LossyPath[] = []
afterEach(() => {
  for (const path of paths.splice(0)) path.close()
})

interface Meeting {
  /** In Chromium, with a direct connection. */
  readonly host: Page
  /** In Firefox. */
  readonly guest: FirefoxPage
  /** Network path between the guest and the engine. */
  readonly path: LossyPath
}

async function meet(picture: { width: number; height: number; frameRate: number }): Promise<Meeting> {
  const room = await makeRoom()
  const host = await enterAsOwner(room, { picture: { width: 640, height: 360, frameRate: 10 } })
  const path = await LossyPath.open(await enginePort(host))
  paths.push(path)
  const guest = await visit(
    `${portal.appUrl}/meet/${room.name}`,
    `${meetingScript({ picture })};${path.initScript}`,
  )
  await guest.type('textbox', 'Your name optional', 'Jane')
  await guest.click('button', 'Join now')
  await Promise.all([seesAndHears(host, 1), seesAndHears(guest, 1)])
  return { host, guest, path }
}

/** The fields of RTCStats that these tests read. */
interface Stats {
  readonly type: string
  readonly kind?: string
  readonly ssrc?: number
  readonly rid?: string
  readonly port?: number
  readonly timestamp: number
  readonly framesEncoded?: number
  readonly frameWidth?: number
  readonly packetsLost?: number
}

async function statsOf(page: Watched, type: string, kind?: string): Promise<Stats[]> {
  const stats = await page.evaluate(async () => {
    const found: Stats[] = []
    // set by the meeting's script
    const { connections } = window as unknown as { connections: RTCPeerConnection[] }
    for (const connection of connections) {
      if (connection.connectionState === 'closed') continue
      ;(await connection.getStats()).forEach((entry: Stats) => {
        found.push(entry)
      })
    }
    return found
  })
  return stats.filter((entry) => entry.type === type && (kind === undefined || entry.kind === kind))
}

async function enginePort(page: Page): Promise<number> {
  const port = async () => (await statsOf(page, 'remote-candidate'))[0]?.port ?? 0
  await expect.poll(port, poll).toBeGreaterThan(0)
  return port()
}

/** Video packets of these streams that the path has dropped. */
function lostOn(path: LossyPath, streams: readonly Stats[]): number {
  return streams.reduce((sum, { ssrc = 0 }) => sum + path.passageOf(ssrc).lost, 0)
}

/** Packets that the receiver reports as lost. */
function missing(streams: readonly Stats[]): number {
  return streams.reduce((sum, { packetsLost = 0 }) => sum + packetsLost, 0)
}

// the name of a skipped group says what the machine lacks
const obstacle =
  firefoxPath === undefined
    ? 'not installed: firefox-esr'
    : pathAddress === undefined
      ? 'the machine has no network address but that of loopback'
      : undefined

describe.skipIf(obstacle)(`Firefox and Chromium${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
  test('see and hear each other, and Firefox sends all layers of its camera within their limits', async () => {
    const { host, guest, path } = await meet({ width: 960, height: 540, frameRate: 10 })
    const layers = async () => {
      const streams = await statsOf(guest, 'outbound-rtp', 'video')
      return streams.filter(({ framesEncoded = 0 }) => framesEncoded > 5)
    }
    const names = async () => new Set((await layers()).map(({ rid }) => rid))
    await expect.poll(names, poll).toEqual(new Set(['l', 'm', 'h']))
    const widths = async () => (await statsOf(host, 'inbound-rtp', 'video')).map((one) => one.frameWidth)
    await expect.poll(widths, poll).toContain(960)
    // Firefox counts padding as sent by the smallest layer, so measure on the path instead
    const smallest = (await layers()).find(({ rid }) => rid === 'l')?.ssrc ?? 0
    const before = { ...path.passageOf(smallest), at: performance.now() }
    const packets = () => path.passageOf(smallest).packets - before.packets
    await expect.poll(packets, poll).toBeGreaterThan(60)
    const seconds = (performance.now() - before.at) / 1000
    const bitrate = ((path.passageOf(smallest).bytes - before.bytes) * 8) / seconds
    expect(bitrate).toBeLessThan(1.5 * (cameraLayers(960, 540)[0]?.maxBitrate ?? 0))
  })

  test('share their screens', async () => {
    const { host, guest } = await meet({ width: 320, height: 180, frameRate: 5 })
    await tool(host, 'Share screen').click()
    await seesAndHears(guest, 2)
    await tool(host, 'Stop sharing your screen').click()
    await guest.click('button', 'Share screen')
    await tile(host, 'Screen of Jane').locator('video').waitFor()
    await seesAndHears(host, 2)
    await guest.click('button', 'Stop sharing your screen')
    await tile(host, 'Screen of Jane').waitFor({ state: 'detached' })
  })

  test('retransmit lost packets in both directions', async () => {
    const { host, guest, path } = await meet({ width: 640, height: 360, frameRate: 15 })
    const sent = () => statsOf(guest, 'outbound-rtp', 'video')
    const got = () => statsOf(guest, 'inbound-rtp', 'video')
    await expect.poll(async () => (await sent()).length, poll).toBe(2)
    const { frames } = await received(host)
    path.loss = 0.1
    await expect.poll(async () => lostOn(path, await sent()), poll).toBeGreaterThan(20)
    await expect.poll(async () => lostOn(path, await got()), poll).toBeGreaterThan(5)
    await expect.poll(async () => (await received(host)).frames, poll).toBeGreaterThan(frames + 50)
    path.loss = 0
    // the engine gives up on a packet after 1.5 s and sends a receiver report every second
    const reports = async () => {
      const streams = await sent()
      const told = await statsOf(guest, 'remote-inbound-rtp', 'video')
      return told.filter(({ ssrc }) => streams.some((one) => one.ssrc === ssrc))
    }
    const [last] = await got()
    const settled = (last?.timestamp ?? 0) + 3000
    const oldest = async () => Math.min(...(await reports()).map(({ timestamp }) => timestamp))
    await expect.poll(oldest, poll).toBeGreaterThan(settled)
    expect(missing(await reports())).toBeLessThan(lostOn(path, await sent()) / 3)
    expect(missing(await got())).toBeLessThan(lostOn(path, await got()) / 3)
  })
})
