import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { MediaClientMessage, MediaServerMessage } from '../packages/contract/src/meetings/meet-media.ts'
import type { SignalingPort } from '../packages/media/src/testing/synthetic-endpoint.ts'
import { freePort } from './server-process.ts'

/** Path of Debian's Janus; undefined if it isn't installed (`apt-get install janus`). */
export const janusProgram = ['/usr/bin/janus', '/usr/local/bin/janus'].find((path) => existsSync(path))
const library = [
  '/usr/lib/x86_64-linux-gnu/janus',
  '/usr/lib/aarch64-linux-gnu/janus',
  '/usr/lib/janus',
].find((path) => existsSync(path))

interface Reply {
  readonly janus: string
  readonly transaction?: string
  readonly sender?: number
  readonly data?: { readonly id: number }
  readonly plugindata?: { readonly data: { readonly videoroom?: string; readonly error?: string } }
  readonly jsep?: { readonly type: string; readonly sdp: string }
}

const room = 'bench'

/** A Janus room that our endpoints join, for comparison. */
export class JanusRoom implements SignalingPort, AsyncDisposable {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #session: number
  readonly #handles = new Map<string, number>()
  readonly #waiting: { readonly matches: (reply: Reply) => boolean; readonly done: (reply: Reply) => void }[]
  readonly #listeners = new Set<(detail: { peer: string; message: MediaServerMessage }) => void>()
  readonly #alive: NodeJS.Timeout

  private constructor(options: {
    readonly child: ChildProcess
    readonly folder: string
    readonly socket: WebSocket
    readonly session: number
    readonly waiting: { matches: (reply: Reply) => boolean; done: (reply: Reply) => void }[]
  }) {
    this.#child = options.child
    this.pid = options.child.pid ?? 0
    this.#folder = options.folder
    this.#socket = options.socket
    this.#session = options.session
    this.#waiting = options.waiting
    this.#alive = setInterval(() => this.#post({ janus: 'keepalive' }), 20_000)
  }

  static async start(): Promise<JanusRoom> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-janus-'))
    const port = await freePort()
    await configure(folder, port)
    const child = spawn(janusProgram ?? '', ['-F', folder], { stdio: ['ignore', 'ignore', 'ignore'] })
    const socket = await connect(port)
    const waiting: { matches: (reply: Reply) => boolean; done: (reply: Reply) => void }[] = []
    socket.on('message', (data) => {
      const reply = JSON.parse(data instanceof Buffer ? data.toString() : '{}') as Reply // per the Janus manual
      for (const one of [...waiting]) {
        if (!one.matches(reply)) continue
        waiting.splice(waiting.indexOf(one), 1)
        one.done(reply)
      }
    })
    const created = wait(waiting, (reply) => reply.janus === 'success')
    socket.send(JSON.stringify({ janus: 'create', transaction: randomUUID() }))
    const session = (await created).data?.id ?? 0
    return new JanusRoom({ child, folder, socket, session, waiting })
  }

  on(_: 'toPeer', listener: (detail: { peer: string; message: MediaServerMessage }) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A peer's first `answer` follows its `start`; publishers have nothing to start. */
  async signal(peer: string, message: MediaClientMessage): Promise<void> {
    if (message.type === 'publish') {
      const reply = await this.#ask(
        peer,
        { request: 'joinandconfigure', room, ptype: 'publisher', id: peer },
        message.sdp,
      )
      this.#tell(peer, { type: 'published', epoch: 1, n: message.n, sdp: reply.jsep?.sdp ?? '' })
    } else if (message.type === 'start' && peer.startsWith('receiver')) {
      const reply = await this.#subscribe(peer)
      this.#tell(peer, { type: 'offer', epoch: 1, n: 1, sdp: reply.jsep?.sdp ?? '', slots: [] })
    } else if (message.type === 'answer') {
      await this.#ask(peer, { request: 'start' }, message.sdp, 'answer')
    }
  }

  /**
   * Waits until Janus has seen the publisher's connection, which is slightly later than the publisher itself
   * does.
   */
  async #subscribe(peer: string): Promise<Reply> {
    const body = { request: 'join', room, ptype: 'subscriber', streams: [{ feed: 'sender' }] }
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(peer, body)
      } catch (error) {
        if (attempt === 100) throw error
        await new Promise((done) => setTimeout(done, 100))
      }
    }
  }

  #tell(peer: string, message: MediaServerMessage): void {
    for (const listener of this.#listeners) listener({ peer, message })
  }

  async #ask(peer: string, body: object, sdp?: string, type = 'offer'): Promise<Reply> {
    const handle = await this.#handle(peer)
    const answered = wait(this.#waiting, (reply) => reply.janus === 'event' && reply.sender === handle)
    this.#post({
      janus: 'message',
      handle_id: handle,
      body,
      ...(sdp === undefined ? {} : { jsep: { type, sdp, trickle: false } }),
    })
    const reply = await answered
    const error = reply.plugindata?.data.error
    if (error !== undefined) throw new Error(`Janus: ${error}`)
    return reply
  }

  async #handle(peer: string): Promise<number> {
    const known = this.#handles.get(peer)
    if (known !== undefined) return known
    const transaction = randomUUID()
    const attached = wait(this.#waiting, (reply) => reply.transaction === transaction)
    this.#post({ janus: 'attach', plugin: 'janus.plugin.videoroom', transaction })
    const handle = (await attached).data?.id ?? 0
    this.#handles.set(peer, handle)
    return handle
  }

  #post(message: object): void {
    this.#socket.send(JSON.stringify({ transaction: randomUUID(), session_id: this.#session, ...message }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#alive)
    this.#socket.terminate()
    this.#child.kill('SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }
}

function wait(
  waiting: { matches: (reply: Reply) => boolean; done: (reply: Reply) => void }[],
  matches: (reply: Reply) => boolean,
): Promise<Reply> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('Janus does not respond')), 15_000)
    waiting.push({
      matches,
      done: (reply) => {
        clearTimeout(timer)
        done(reply)
      },
    })
  })
}

async function connect(port: number): Promise<WebSocket> {
  for (let attempt = 0; ; attempt++) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'janus-protocol')
    const opened = await new Promise<boolean>((done) => {
      socket.once('open', () => done(true))
      socket.once('error', () => done(false))
    })
    if (opened) return socket
    if (attempt > 100) throw new Error('Janus did not start')
    await new Promise((done) => setTimeout(done, 100))
  }
}

/** Configures only the video room plugin over WebSocket on localhost. */
async function configure(folder: string, port: number): Promise<void> {
  if (library === undefined) throw new Error('Janus plugins not found')
  await mkdir(join(folder, 'recordings'))
  await writeFile(
    join(folder, 'janus.jcfg'),
    `general: {
  configs_folder = "${folder}"
  plugins_folder = "${library}/plugins"
  transports_folder = "${library}/transports"
  events_folder = "${library}/events"
  loggers_folder = "${library}/loggers"
  debug_level = 1
}
nat: { ice_lite = true }
media: { rtp_port_range = "20000-26000" }
plugins: { disable = "libjanus_audiobridge.so,libjanus_duktape.so,libjanus_echotest.so,libjanus_lua.so,libjanus_nosip.so,libjanus_recordplay.so,libjanus_sip.so,libjanus_streaming.so,libjanus_textroom.so,libjanus_videocall.so,libjanus_voicemail.so" }
transports: { disable = "libjanus_http.so,libjanus_mqtt.so,libjanus_nanomsg.so,libjanus_pfunix.so,libjanus_rabbitmq.so" }
`,
  )
  await writeFile(
    join(folder, 'janus.transport.websockets.jcfg'),
    `general: { json = "compact"
  ws = true
  ws_port = ${port}
  ws_interface = "lo" }
`,
  )
  await writeFile(
    join(folder, 'janus.plugin.videoroom.jcfg'),
    `general: { string_ids = true }
room-${room}: { publishers = 8
  bitrate = 6000000
  audiocodec = "opus"
  videocodec = "vp8" }
`,
  )
}
