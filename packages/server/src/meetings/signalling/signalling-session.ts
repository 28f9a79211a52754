import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import {
  type CloseReason,
  closeCodes,
  helloSeconds,
  silenceSeconds,
} from '@gatehouse/contract/meetings/meet-rules'
import { type ClientFrame, clientFrame, requests } from '@gatehouse/contract/meetings/meet-signalling'
import { textOf } from '@gatehouse/media/socket-channel'
import type { RawData, WebSocket } from 'ws'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { MeetingClaims, MeetingTokens } from '../door/meeting-token.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingHub } from '../meeting-hub.ts'
import { type InsideMethod, insideMethod, perform, RequestRefused, rates } from '../meeting-requests.ts'
import type { Connection, Outgoing, Participant } from '../participant.ts'
import { Allowance } from './rate.ts'

export interface SessionParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly hub: MeetingHub
  readonly tokens: MeetingTokens
  /** Forwards a socket to the process that holds its meeting; returns a function that forwards messages. */
  readonly relay: (socket: WebSocket, url: string) => (text: string) => void
  /** Called with a valid token. Returns false if the socket's network has reached its limit. */
  readonly admit: () => boolean
}

/** Maximum number of queued messages. */
const mostWaiting = 100

/** Maximum bytes buffered for a browser that doesn't read, after which the socket is closed. */
const mostUnread = 4 * 1024 * 1024

/** Limits of messages and bytes per socket, of any kind. */
const messageRate = { burst: 300, perSecond: 60 }
const byteRate = { burst: 4 * 1024 * 1024, perSecond: 256 * 1024 }

/**
 * Limit of media messages that make the engine rebuild connections or parse a whole description, per
 * participant over all their sockets. Browsers send some when joining and when the network changes.
 */
const buildingRate = { burst: 60, perSecond: 2 }
const building: ReadonlySet<MediaClientMessage['type']> = new Set(['start', 'publish', 'layers'])

/** A browser's socket, from its first message to its end. */
export class SignallingSession implements Connection {
  readonly #parts: SessionParts
  readonly #socket: WebSocket
  readonly #isRelayed: boolean
  readonly #messages: Allowance
  readonly #bytes: Allowance
  readonly #allowances = new Map<InsideMethod, Allowance>()
  #state: 'new' | 'inside' | 'relayed' | 'over' = 'new'
  #meeting: Meeting | undefined
  #self: Participant | undefined
  #forward: ((text: string) => void) | undefined
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  #heardAt: Date
  #pingedAt: Date | undefined

  /** `isRelayed`: the socket comes from another process of this installation. */
  constructor(parts: SessionParts, socket: WebSocket, isRelayed: boolean) {
    this.#parts = parts
    this.#socket = socket
    this.#isRelayed = isRelayed
    this.#messages = new Allowance(messageRate, parts.clock)
    this.#bytes = new Allowance(byteRate, parts.clock)
    this.#heardAt = parts.clock.now()
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('pong', () => this.#hear())
    socket.on('close', () => this.#end())
    // a broken frame or connection; the close event follows
    socket.on('error', () => undefined)
  }

  send(message: Outgoing | { readonly id: number; readonly ok: false }): void {
    if (this.#state === 'over' || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > mostUnread) this.#socket.terminate()
    else this.#socket.send(JSON.stringify(message))
  }

  close(reason: CloseReason): void {
    if (this.#state === 'over') return
    this.send({ method: 'closed', data: { reason } })
    this.#state = 'over'
    this.#socket.close(closeCodes[reason], reason)
    this.#leave()
  }

  belongTo(participant: Participant): void {
    this.#self = participant
  }

  /** Handles what is due: a missing first message, inactivity. */
  beat(now: Date): void {
    if (this.#state === 'new' && now >= after(this.#heardAt, helloSeconds)) this.close('timeout')
    if (this.#state !== 'inside' && this.#state !== 'relayed') return
    if (this.#pingedAt === undefined) {
      if (now < after(this.#heardAt, silenceSeconds / 3)) return
      this.#pingedAt = now
      this.#socket.ping()
    } else if (now >= after(this.#pingedAt, (silenceSeconds * 2) / 3)) this.#socket.terminate()
  }

  #hear(): void {
    this.#heardAt = this.#parts.clock.now()
    this.#pingedAt = undefined
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#state === 'over') return
    if (this.#state !== 'new') this.#hear()
    const text = isBinary ? '' : textOf(data)
    const isFlood = this.#messages.take() > 0 || this.#bytes.take(text.length) > 0
    if (isFlood || this.#waiting >= mostWaiting) {
      this.close('flood')
      return
    }
    this.#waiting++
    this.#work = this.#work
      .then(() => this.#handle(text))
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'processing a meeting message failed')
      })
      .finally(() => this.#waiting--)
  }

  async #handle(text: string): Promise<void> {
    if (this.#state === 'over') return
    if (this.#forward !== undefined) return this.#forward(text)
    const frame = readFrame(text)
    if (frame === undefined) return this.close('malformed')
    if (this.#state === 'new') return this.#hello(frame, text)
    if ('media' in frame) return this.#media(frame.media)
    await this.#request(frame)
  }

  #media(message: MediaClientMessage): void {
    const self = this.#self
    if (self === undefined) return
    if (building.has(message.type)) {
      self.building ??= new Allowance(buildingRate, this.#parts.clock)
      if (self.building.take() > 0) {
        this.close('flood')
        return
      }
    }
    this.#meeting?.hearMedia(self, message)
  }

  async #hello(frame: ClientFrame, text: string): Promise<void> {
    if ('media' in frame || frame.method !== 'hello') return this.close('malformed')
    const parsed = requests.hello.data.safeParse(frame.data ?? {})
    if (!parsed.success) return this.close('malformed')
    const claims = this.#claims(parsed.data)
    if (claims === 'malformed') return this.close('malformed')
    if (claims === undefined) return this.close('expired')
    if (!this.#parts.admit()) return this.close('flood')
    const place = await this.#parts.hub.locate(claims.meeting)
    if (this.#state !== 'new') return
    if ('reason' in place) return this.close(place.reason)
    if ('url' in place) return this.#relay(place.url, text)
    const entrance = { claims, seen: parsed.data.mediaSeen }
    const reason = await place.meeting.enter(this, entrance, (state) => {
      this.#meeting = place.meeting
      this.#state = 'inside'
      this.#hear()
      this.send({ id: frame.id, ok: true, data: state })
    })
    if (reason !== undefined) return this.close(reason)
    // the socket may have closed in the meantime
    if (this.#socket.readyState !== this.#socket.OPEN) this.#end()
  }

  #claims(data: {
    readonly token?: string | undefined
    readonly resume?: string | undefined
  }): MeetingClaims | 'malformed' | undefined {
    const { token, resume } = data
    if ((token === undefined) === (resume === undefined)) return 'malformed'
    return token === undefined
      ? this.#parts.tokens.read(resume ?? '', 'resume')
      : this.#parts.tokens.read(token, 'join')
  }

  #relay(url: string, first: string): void {
    // the meeting is moving between processes: the browser retries
    if (this.#isRelayed) {
      this.close('restart')
      return
    }
    this.#state = 'relayed'
    this.#hear()
    this.#forward = this.#parts.relay(this.#socket, url)
    this.#forward(first)
  }

  async #request({ id, method, data }: Extract<ClientFrame, { method: string }>): Promise<void> {
    try {
      const known = insideMethod(method)
      const wait = this.#allowance(known).take()
      if (wait > 0) throw new RequestRefused('too-many', wait)
      const meeting = this.#meeting
      const self = this.#self
      if (meeting === undefined || self === undefined) return
      const { db, clock } = this.#parts
      // a leaving participant gets the response before the socket closes
      if (known === 'leave') this.send({ id, ok: true, data: {} })
      const answer = await perform({ meeting, self, db, clock }, known, data)
      if (known !== 'leave') this.send({ id, ok: true, data: answer })
    } catch (error) {
      this.send({ id, ok: false, ...this.#refusal(error) })
    }
  }

  #refusal(error: unknown): { error: string; retryAfter?: number } {
    if (error instanceof RequestRefused) {
      return { error: error.code, ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }) }
    }
    this.#parts.log.error({ err: error }, 'meeting request failed')
    return { error: 'failed' }
  }

  #allowance(method: InsideMethod): Allowance {
    const known = this.#allowances.get(method) ?? new Allowance(rates[method], this.#parts.clock)
    this.#allowances.set(method, known)
    return known
  }

  #end(): void {
    this.#state = 'over'
    this.#leave()
  }

  #leave(): void {
    const self = this.#self
    this.#self = undefined
    if (self !== undefined) this.#meeting?.lose(self, this)
  }
}

/** Parses a browser's message; undefined if it is invalid. */
function readFrame(text: string): ClientFrame | undefined {
  try {
    const parsed = clientFrame.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
