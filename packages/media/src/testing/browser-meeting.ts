import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { type IceServer, mediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type WebSocket, WebSocketServer } from 'ws'
import { browserArguments, findBrowser } from '../../../../scripts/browser.mjs'
import type { MediaRooms } from '../media-rooms.ts'

/** Undefined if no browser is installed. */
export const browserPath = findBrowser()

/** Statistics that a page has about one received source. */
export interface Received {
  readonly peer: string
  readonly source: MediaSource
  readonly muted: boolean
  readonly layer: number | null | undefined
  readonly frames: number
  readonly width: number
  readonly energy: number
  readonly packets: number
  readonly freezes: number
  readonly frameRate: number
}

export interface Participant {
  readonly page: Page
  readonly id: string
  /** Runs a script in the page; `meet` is its media client. */
  run<T>(script: string): Promise<T>
  received(): Promise<readonly Received[]>
}

/** A room for browsers: real pages with the real client, and minimal signalling. */
export class BrowserMeeting {
  readonly #rooms: MediaRooms
  readonly #server: Server
  readonly #browser: Browser
  readonly #sockets = new Map<string, WebSocket>()
  readonly #unsubscribe: () => void
  #participants = 0

  private constructor(rooms: MediaRooms, server: Server, browser: Browser) {
    this.#rooms = rooms
    this.#server = server
    this.#browser = browser
    this.#unsubscribe = rooms.on('toPeer', ({ peer, message }) => {
      this.#sockets.get(peer)?.send(JSON.stringify(message))
    })
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('id') ?? ''
      this.#sockets.set(id, socket)
      socket.on('message', (data) => {
        const message = mediaClientMessage.parse(JSON.parse(data instanceof Buffer ? data.toString() : ''))
        rooms.signal(id, message).catch((error: unknown) => console.error(error))
      })
    })
  }

  static async open(rooms: MediaRooms, client = clientFile): Promise<BrowserMeeting> {
    await rooms.addRoom('room')
    const script = await bundleClient(client)
    const server = createServer((request, response) => {
      const isScript = request.url === '/client.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(
        isScript ? script : '<!doctype html><title>meeting</title><script src="/client.js"></script>',
      )
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const browser = await chromium.launch({
      ...(browserPath === undefined ? {} : { executablePath: browserPath }),
      args: [...browserArguments, '--use-fake-device-for-media-stream'],
    })
    return new BrowserMeeting(rooms, server, browser)
  }

  /**
   * Opens a page that is ready to start media, but doesn't send or receive yet. With relays, it uses only those.
   */
  async join(relays?: readonly IceServer[]): Promise<Participant> {
    const id = `p${++this.#participants}`
    await this.#rooms.addPeer(id, 'room', { may: mediaSources })
    const { port } = this.#server.address() as AddressInfo // it listens on a port
    const context = await this.#browser.newContext()
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(id, error))
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.evaluate(`join(${JSON.stringify(id)}, ${JSON.stringify(relays ?? [])})`)
    return {
      page,
      id,
      run: (script) => page.evaluate(script),
      received: () => page.evaluate('received()'),
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#browser.close()
    for (const socket of this.#sockets.values()) socket.terminate()
    await new Promise((closed) => this.#server.close(closed))
  }
}

const clientFile = resolve(import.meta.dirname, '../../../web/src/features/meet/media/meet-media.ts')

/** Bundles the web application's client with the code that drives it in a test page. */
async function bundleClient(file: string): Promise<string> {
  const result = await build({
    stdin: { contents: page, resolveDir: resolve(file, '..'), loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  return result.outputFiles[0]?.text ?? ''
}

const page = `
import { MeetMedia } from './meet-media.ts'
const elements = new Map()
window.states = []
window.withdrawn = []
window.errors = []
window.join = async (id, relays) => {
  const socket = new WebSocket('ws://' + location.host + '/?id=' + id)
  await new Promise((open) => { socket.onopen = open })
  window.meet = new MeetMedia({
    transport: {
      send: (message) => socket.send(JSON.stringify(message)),
      on: (listener) => { socket.onmessage = ({ data }) => listener(JSON.parse(data)); return () => {} },
    },
    relays: () => relays,
    relay: relays.length > 0,
    onSources: (sources) => { window.sources = sources; sources.forEach(show) },
    onState: (state) => states.push(state),
    onWithdrawn: (source) => withdrawn.push(source),
    onError: (error) => errors.push(String(error)),
  })
  meet.start()
}
/** Audio is only measured while it is played. */
function show({ track }) {
  if (elements.has(track.id)) return
  const element = document.createElement(track.kind)
  element.autoplay = true
  element.muted = track.kind === 'video'
  element.srcObject = new MediaStream([track])
  document.body.append(element)
  elements.set(track.id, element)
}
window.devices = async (sources, width = 640, height = 360) => {
  // noise suppression would remove the beeps of the fake microphone
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
  const video = { width, height, frameRate: 30 }
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: sources.includes('mic') && audio, video: sources.includes('cam') && video,
  })
  return new Map(stream.getTracks().map((track) => [track.kind === 'audio' ? 'mic' : 'cam', track]))
}
/** Our own screen track, because headless browsers have no screen to share. */
window.screenTrack = () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
  const paint = canvas.getContext('2d')
  let count = 0
  setInterval(() => {
    paint.fillStyle = '#fff'; paint.fillRect(0, 0, 1280, 720)
    paint.fillStyle = '#00f'; paint.fillRect((++count * 7) % 1200, 300, 80, 80)
  }, 100)
  return canvas.captureStream(10).getVideoTracks()[0]
}
window.screenSound = () => {
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  const out = audio.createMediaStreamDestination()
  tone.connect(out)
  tone.start()
  return out.stream.getAudioTracks()[0]
}
window.received = async () => {
  const connection = meet.connections.receive
  const found = []
  for (const { peer, source, track, muted, layer } of window.sources ?? []) {
    const receiver = connection.getReceivers().find((one) => one.track === track)
    const stats = receiver && [...(await receiver.getStats()).values()].find(({ type }) => type === 'inbound-rtp')
    found.push({
      peer, source, muted, layer,
      frames: stats?.framesDecoded ?? 0,
      width: stats?.frameWidth ?? 0,
      energy: stats?.totalAudioEnergy ?? 0,
      packets: stats?.packetsReceived ?? 0,
      freezes: stats?.freezeCount ?? 0,
      frameRate: stats?.framesPerSecond ?? 0,
    })
  }
  return found
}
`
