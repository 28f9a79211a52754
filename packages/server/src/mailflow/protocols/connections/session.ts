import type { Consultation, Failure } from './consultation.ts'
import type { ProtocolViolation } from './protocol-errors.ts'
import type { Timers } from './timers.ts'

/** Parses a stream of bytes into requests. Chunks may end anywhere. */
export interface Decoder<Request> {
  push(bytes: Uint8Array): void
  /** The next complete request; undefined: more bytes are needed. Throws `ProtocolViolation`. */
  next(): Request | undefined
  /** A request has begun to arrive. */
  readonly isPartial: boolean
}

export interface Reply {
  /** Written chunk by chunk. The next chunk is requested after the client has read enough. */
  readonly bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The connection is closed after this reply. */
  readonly isLast?: boolean
}

export const noReply: Reply = { bytes: [] }

/** The protocol state of one connection. */
export interface Session<Request> extends Decoder<Request> {
  /** A request or message is unfinished. A closing server waits for it. */
  readonly isBusy: boolean
  /** Replies go out in the order of the requests. A rejection closes the connection. */
  answer(request: Request): Promise<Reply>
  /** Final bytes for a client that violated the protocol. */
  refusal?(violation: ProtocolViolation): Uint8Array
}

/** What a connection provides to its session. */
export interface Scope {
  readonly timers: Timers
  /** Aborted when the connection is closed. */
  readonly closed: AbortSignal
  /** Calls a handler and reports its outcome; `budget` in milliseconds, by default that of the server. */
  consult<T>(label: string, ask: (signal: AbortSignal) => Promise<T>, budget?: number): Consultation<T>
}

export interface Protocol<Request> {
  /** Name in metrics. */
  readonly name: string
  /** Requests of one connection that may be in progress at once. */
  readonly inFlight: number
  open(scope: Scope): Session<Request>
}

/** Asks a handler and waits for its answer within the budget. */
export async function askWithin<T>(
  scope: Scope,
  label: string,
  ask: (signal: AbortSignal) => Promise<T>,
  fallback: (failure: Failure) => T,
): Promise<T> {
  const consultation = scope.consult(label, ask)
  consultation.resume()
  const outcome = await consultation.outcome
  return outcome.kind === 'answered' ? outcome.value : fallback(outcome.kind)
}

interface Exchange<Request> {
  readonly name: string
  readonly inFlight: number
  readonly decoder: () => Decoder<Request>
  readonly answer: (request: Request, scope: Scope) => Promise<Reply>
  readonly refusal?: (violation: ProtocolViolation) => Uint8Array
}

/** A protocol of independent requests. */
export function requestReply<Request>(exchange: Exchange<Request>): Protocol<Request> {
  const { name, inFlight, answer, refusal } = exchange
  return {
    name,
    inFlight,
    open(scope) {
      const decoder = exchange.decoder()
      return {
        push: (bytes) => decoder.push(bytes),
        next: () => decoder.next(),
        get isPartial() {
          return decoder.isPartial
        },
        get isBusy() {
          return decoder.isPartial
        },
        answer: async (request) => await answer(request, scope),
        refusal,
      }
    },
  }
}
