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

/** `lost`: the portal could not be reached for so long that nobody waits for us any more. */
export type EndReason = CloseReason | 'lost'

export interface SignallingEvents {
  /**
   * The whole state of the meeting, after each `hello`. `isMediaWhole`: the portal has had every media message that was
   * to be sent before; else both connections have to begin anew.
   */
  onState: (state: MeetingState, facts: { isMediaWhole: boolean }) => void
  onNotification: (notification: Notification) => void
  onMedia: (message: MediaServerMessage) => void
  /** The socket broke and is opened anew, or is there again. */
  onConnected: (connected: boolean) => void
  /** Nothing comes after this. */
  onEnd: (reason: EndReason) => void
}

/** What is used of a WebSocket. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror'
>

export interface SignallingOptions {
  url: string
  /** From the door. */
  token: string
  events: SignallingEvents
  openSocket?: (url: string) => Socket
  /** Between 0 and 1; spreads the tries of many browsers over time. */
  random?: () => number
}

/** Milliseconds. */
const requestTimeout = 20_000
const openTimeout = 8000
const silence = silenceSeconds * 1000
const firstDelay = 250
const longestDelay = 4000
/** Tries go on for this long: somebody in a tunnel comes back to the meeting, through the door if need be. */
const patience = 120_000

/** After these the socket is opened again; all others end the participation. */
const passing: readonly CloseReason[] = ['restart', 'timeout']

interface Pending {
  resolve: (data: unknown) => void
  reject: (error: SignallingError) => void
  timer: ReturnType<typeof setTimeout>
}

/**
 * The signalling of one participation: a socket that is opened again as long as there is somebody to come back to.
 * Requests have answers, everything else comes in order through the events.
 */
export class SignallingClient {
  readonly #options: SignallingOptions
  readonly #pending = new Map<number, Pending>()
  #socket: Socket | undefined
  /** `hello` was answered over this socket. */
  #isReady = false
  #resume: string | undefined
  #lastId = 0
  /** Media messages that were to be sent, and those that came, as both sides count them. */
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

  /** Opens the socket and says who comes. */
  start(): void {
    window.addEventListener('online', this.#hurry)
    this.#open()
  }

  /** Sends a request; rejects with a `SignallingError`. */
  request<M extends RequestMethod>(method: M, data: RequestData<M>): Promise<RequestAnswer<M>> {
    // The answer of a method is that of the contract; the map of open requests cannot know which one it is.
    return this.#ask(method, data, this.#isReady) as Promise<RequestAnswer<M>>
  }

  /** Sends a message to the media engine. What cannot be sent now is lost; the next state tells so. */
  sendMedia(media: MediaClientMessage): boolean {
    this.#mediaSent += 1
    if (!this.#isReady) return false
    this.#send({ media })
    return true
  }

  /** Leaves the meeting, which goes on for the others. */
  async leave(): Promise<void> {
    const left = this.#isReady ? this.#ask('leave', {}, true) : Promise.resolve()
    await Promise.race([left.catch(() => undefined), new Promise((done) => setTimeout(done, 1000))])
    this.#end('left')
  }

  /** Stops at once and waits for no answer, as when somebody goes to another page: the others need not wait either. */
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
        // The answer to `hello` is the state.
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
      const { reason } = frame.data as NotificationData<'closed'> // as the contract says
      if (!passing.includes(reason)) this.#end(reason)
      return
    }
    // The portal sends what the contract has; a method of a newer one falls through in the reducer.
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

  /** Keeps a quiet socket alive, and gives one up that only seems to live. */
  #checkLife(): void {
    const now = Date.now()
    if (now - this.#heardAt > silence) {
      this.#socket?.close()
      // A dead connection may take minutes to say that it is closed.
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

  /** The network is back: no reason to wait any longer. */
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

/** The reason that a closing frame names, in case the last message did not arrive. */
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
