import { signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import { basePath } from '../../../platform/config.ts'
import { devicesOf } from '../devices/capture.ts'

/** Requirements of a meeting, in the order tested. */
export const networkChecks = ['browser', 'portal', 'speed', 'media'] as const

export type NetworkCheck = (typeof networkChecks)[number]

export type Outcome = 'good' | 'poor' | 'bad'

/** Timeout of a test, in milliseconds. */
const patience = 6000
const slowFrom = 300
const goodTries = 5

/** Runs one test. Never rejects. */
export function runCheck(check: NetworkCheck): Promise<Outcome> {
  const checks: Record<NetworkCheck, () => Promise<Outcome>> = {
    browser: checkBrowser,
    portal: checkPortal,
    speed: checkSpeed,
    media: checkMedia,
  }
  return Promise.race([checks[check](), late()]).catch((): Outcome => 'bad')
}

function late(): Promise<Outcome> {
  return new Promise((resolve) => setTimeout(() => resolve('bad'), patience))
}

async function checkBrowser(): Promise<Outcome> {
  const canTalk = 'RTCPeerConnection' in window && 'WebSocket' in window
  if (!canTalk) return 'bad'
  return devicesOf() ? 'good' : 'poor'
}

/** URL of the signalling on the portal's host. */
export function signallingUrl(): string {
  const url = new URL(basePath() + signallingPath, window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Checks whether a WebSocket connects; some proxies block it. */
function checkPortal(): Promise<Outcome> {
  const socket = new WebSocket(signallingUrl(), signallingProtocol)
  return new Promise<Outcome>((resolve) => {
    socket.onopen = () => resolve('good')
    socket.onerror = () => resolve('bad')
  }).finally(() => socket.close())
}

/** Measures the median round-trip time to the portal. */
async function checkSpeed(): Promise<Outcome> {
  const times: number[] = []
  for (let round = 0; round < goodTries; round += 1) {
    const begin = performance.now()
    await fetch(`${basePath()}/api/health/liveness`, { cache: 'no-store' })
    times.push(performance.now() - begin)
  }
  const middle = times.sort((left, right) => left - right)[Math.floor(goodTries / 2)] ?? Infinity
  return middle < slowFrom ? 'good' : 'poor'
}

/** Checks whether WebRTC finds a network path; some settings and extensions block it. */
async function checkMedia(): Promise<Outcome> {
  const connection = new RTCPeerConnection()
  try {
    connection.addTransceiver('audio')
    const found = new Promise<Outcome>((resolve) => {
      connection.onicecandidate = ({ candidate }) => {
        if (candidate?.candidate) resolve(candidate.protocol === 'udp' ? 'good' : 'poor')
        else if (!candidate) resolve('bad')
      }
    })
    await connection.setLocalDescription(await connection.createOffer())
    return await found
  } finally {
    connection.close()
  }
}
