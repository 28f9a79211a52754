import type { MediaClientMessage, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import {
  type CloseReason,
  closeCodes,
  closeReasons,
  signallingProtocol,
  silenceSeconds,
} from '@gatehouse/contract/meetings/meet-rules'
import type {
  ClientFrame,
  MeetingState,
  NotificationData,
  NotificationMethod,
  RequestAnswer,
  RequestData,
  RequestMethod,
  ServerFrame,
} from '@gatehouse/contract/meetings/meet-signalling'
import { SignallingError } from './signalling-error.ts'

/** A notification with the data of its method. */
export type Notification = {
  [M in NotificationMethod]: { readonly method: M; readonly data: NotificationData<M> }
}[NotificationMethod]

/** `lost`: the portal was unreachable for so long that our participation has ended. */
export type EndReason = CloseReason | 'lost'

export interface SignallingEvents {
  /**
   * The complete state of the meeting, after each `hello`. If `isMediaWhole` is false, the portal missed media
   * messages and both connections must restart.
   */
  onState: (state: MeetingState, facts: { isMediaWhole: boolean }) => void
  onNotification: (notification: Notification) => void
  onMedia: (message: MediaServerMessage) => void
  /** The socket broke and is reconnecting, or is connected again. */
  onConnected: (connected: boolean) => void
  /** No further events follow. */
  onEnd: (reason: EndReason) => void
}

/** The parts of a WebSocket in use. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror'
>

export interface SignallingOptions {
  url: string
  /** Issued on admission. */
  token: string
  events: SignallingEvents
  openSocket?: (url: string) => Socket
  /** Random number between 0 and 1; adds jitter to retries of many browsers. */
  random?: () => number
}

/** Milliseconds. */
const requestTimeout = 20_000
const openTimeout = 8000
const silence = silenceSeconds * 1000
const firstDelay = 250
const longestDelay = 4000
/** Retries continue for this long: after a tunnel, users return to the meeting, by re-entering if needed. */
const patience = 120_000

/** Reasons after which the socket reconnects; all others end the participation. */
const passing: readonly CloseReason[] = ['restart', 'timeout']

interface Pending {
  resolve: (data: unknown) => void
  reject: (error: SignallingError) => void
  timer: ReturnType<typeof setTimeout>
}

/**
 * Signalling of one participation: a socket that reconnects as long as the participation exists. Requests
 * get responses, everything else arrives in order as events.
 */
export class SignallingClient {
  readonly #options: SignallingOptions
  readonly #pending = new Map<number, Pending>()
  #socket: Socket | undefined
  /** `hello` was answered on this socket. */
  #isReady = false
  #resume: string | undefined
  #lastId = 0
  /** Media messages sent and received, as counted by both sides. */
  #mediaSent = 0
  #mediaSeen = 0
  #tries = 0
  #brokenAt: number | undefined
  #ended = false
  #sentAt = 0
  #heardAt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(options: SignallingOptions) {
    this.#options = options
  }

  /** Opens the socket and identifies the participant. */
  start(): void {
    window.addEventListener('online', this.#hurry)
    this.#open()
  }

  /** Sends a request. Rejects with a `SignallingError`. */
  request<M extends RequestMethod>(method: M, data: RequestData<M>): Promise<RequestAnswer<M>> {
    // The contract defines the response of each method, which the map of pending requests can't express.
    return this.#ask(method, data, this.#isReady) as Promise<RequestAnswer<M>>
  }

  /**
   * Sends a message to the media engine. Messages that can't be sent are dropped; the next state reports it.
   */
  sendMedia(media: MediaClientMessage): boolean {
    this.#mediaSent += 1
    if (!this.#isReady) return false
    this.#send({ media })
    return true
  }

  /** Leaves the meeting, which continues for the others. */
  async leave(): Promise<void> {
    const left = this.#isReady ? this.#ask('leave', {}, true) : Promise.resolve()
    await Promise.race([left.catch(() => undefined), new Promise((done) => setTimeout(done, 1000))])
    this.#end('left')
  }

  /**
   * Leaves at once without waiting for a response, as when navigating away, so that others needn't wait
   * either.
   */
  stop(): void {
    if (this.#isReady) this.#send({ id: this.#lastId + 1, method: 'leave', data: {} })
    this.#ended = true
    this.#clear()
  }

  #open(): void {
    const { url, openSocket = browserSocket } = this.#options
    const socket = openSocket(url)
    this.#socket = socket
    this.#heardAt = Date.now()
    const late = setTimeout(() => socket.close(), openTimeout)
    socket.onopen = () => {
      clearTimeout(late)
      this.#watch = setInterval(() => this.#checkLife(), 1000)
      this.#ask('hello', this.#credentials(), true).then(
        // The response to `hello` is the state.
        (state) => this.#welcome(state as MeetingState),
        () => socket.close(),
      )
    }
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(String(data))
    }
    socket.onclose = ({ code }) => {
      clearTimeout(late)
      if (socket === this.#socket) this.#broken(reasonOf(code))
    }
    socket.onerror = () => socket.close()
  }

  #credentials(): RequestData<'hello'> {
    if (!this.#resume) return { token: this.#options.token }
    return { resume: this.#resume, mediaSeen: this.#mediaSeen }
  }

  #welcome(state: MeetingState): void {
    const isMediaWhole = state.mediaSeen === this.#mediaSent
    this.#mediaSent = state.mediaSeen
    this.#resume = state.resume
    this.#isReady = true
    this.#tries = 0
    this.#brokenAt = undefined
    this.#options.events.onConnected(true)
    this.#options.events.onState(state, { isMediaWhole })
  }

  #receive(text: string): void {
    this.#heardAt = Date.now()
    const frame = parseFrame(text)
    if (!frame) return
    if ('media' in frame) {
      this.#mediaSeen += 1
      this.#options.events.onMedia(frame.media)
    } else if ('id' in frame) this.#answer(frame)
    else this.#notify(frame)
  }

  #notify(frame: { method: string; data: unknown }): void {
    if (frame.method === 'closed') {
      const { reason } = frame.data as NotificationData<'closed'> // according to the contract
      if (!passing.includes(reason)) this.#end(reason)
      return
    }
    // The portal follows the contract; the reducer ignores unknown methods of newer versions.
    this.#options.events.onNotification(frame as Notification)
  }

  #answer(frame: Extract<ServerFrame, { id: number }>): void {
    const pending = this.#pending.get(frame.id)
    if (!pending) return
    this.#pending.delete(frame.id)
    clearTimeout(pending.timer)
    if (frame.ok) pending.resolve(frame.data)
    else pending.reject(new SignallingError(frame.error, frame.retryAfter))
  }

  #ask(method: RequestMethod, data: unknown, isOpen: boolean): Promise<unknown> {
    if (!isOpen || this.#ended) return Promise.reject(new SignallingError('disconnected'))
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id)
        reject(new SignallingError('timeout'))
      }, requestTimeout)
      this.#pending.set(id, { resolve, reject, timer })
      this.#send({ id, method, data })
    })
  }

  #send(frame: ClientFrame): void {
    this.#sentAt = Date.now()
    this.#socket?.send(JSON.stringify(frame))
  }

  /** Keeps an idle socket alive and drops a dead one. */
  #checkLife(): void {
    const now = Date.now()
    if (now - this.#heardAt > silence) {
      this.#socket?.close()
      // A dead connection may take minutes to report that it is closed.
      this.#broken(undefined)
      return
    }
    if (this.#isReady && now - Math.min(this.#sentAt, this.#heardAt) > silence / 3) {
      this.#ask('ping', {}, true).catch(() => undefined)
    }
  }

  #broken(reason: CloseReason | undefined): void {
    if (this.#ended) return
    if (reason && !passing.includes(reason)) {
      this.#end(reason)
      return
    }
    this.#clear()
    if (this.#brokenAt === undefined) {
      this.#brokenAt = Date.now()
      this.#options.events.onConnected(false)
    }
    if (Date.now() - this.#brokenAt > patience) {
      this.#end('lost')
      return
    }
    const { random = Math.random } = this.#options
    const delay = Math.min(firstDelay * 2 ** this.#tries, longestDelay) * (0.75 + random() / 2)
    this.#tries += 1
    this.#retry = setTimeout(() => this.#open(), delay)
  }

  /** The network is back, so retry now. */
  #hurry = (): void => {
    if (this.#brokenAt === undefined || this.#ended || this.#socket) return
    clearTimeout(this.#retry)
    this.#tries = 0
    this.#open()
  }

  #end(reason: EndReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#clear()
    this.#options.events.onEnd(reason)
  }

  #clear(): void {
    clearTimeout(this.#retry)
    clearInterval(this.#watch)
    this.#isReady = false
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
    if (this.#ended) window.removeEventListener('online', this.#hurry)
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(new SignallingError('disconnected'))
    }
    this.#pending.clear()
  }
}

function browserSocket(url: string): Socket {
  return new WebSocket(url, signallingProtocol)
}

/** Reason named by a close frame, in case the last message did not arrive. */
function reasonOf(code: number): CloseReason | undefined {
  return code < 4000 ? undefined : closeReasons.find((reason) => closeCodes[reason] === code)
}

function parseFrame(text: string): ServerFrame | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
