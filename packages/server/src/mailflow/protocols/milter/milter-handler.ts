import type { Failure } from '../connections/consultation.ts'
import type { ClientAddress } from './commands.ts'
import type { MilterHeader } from './message-headers.ts'
import type { MilterAnswer, MilterVerdict } from './milter-answer.ts'
import type { MilterAction, Stage } from './negotiation.ts'

/** Macros of the mail server by name without braces, such as `i` (queue id) and `auth_authen` (SASL user). */
export type Macros = ReadonlyMap<string, string>

export interface MilterConnection {
  /** Missing if the mail server has not sent it. */
  readonly client?: ClientAddress
  readonly helo?: string
  readonly macros: Macros
}

export interface EnvelopeAddress {
  /** Without angle brackets; empty: the null sender. */
  readonly address: string
  /** ESMTP parameters, such as `SIZE=1000`. */
  readonly parameters: readonly string[]
}

export interface MilterEnvelope {
  readonly connection: MilterConnection
  readonly sender: EnvelopeAddress
  /** Recipients so far, without those that the handler refused. */
  readonly recipients: readonly EnvelopeAddress[]
  readonly macros: Macros
}

export interface MilterMessage {
  readonly envelope: MilterEnvelope
  readonly headers: readonly MilterHeader[]
  /** Can be read once. If the handler stops reading, the mail server is asked to skip the rest. */
  readonly body: AsyncIterable<Buffer>
}

/**
 * Decides about mail. Only `message` is required. Without a method for a stage, mail continues there without a round trip.
 * The signal is aborted on timeout, when the message is aborted, and when the connection is closed.
 */
export interface MilterHandler {
  connect?(connection: MilterConnection, signal: AbortSignal): Promise<MilterVerdict>
  helo?(connection: MilterConnection, signal: AbortSignal): Promise<MilterVerdict>
  mail?(envelope: MilterEnvelope, signal: AbortSignal): Promise<MilterVerdict>
  recipient?(
    recipient: EnvelopeAddress,
    envelope: MilterEnvelope,
    signal: AbortSignal,
  ): Promise<MilterVerdict>
  data?(envelope: MilterEnvelope, signal: AbortSignal): Promise<MilterVerdict>
  /** Called when the headers are complete. The body is streamed. */
  message(message: MilterMessage, signal: AbortSignal): Promise<MilterAnswer>
}

export interface MilterLimits {
  /** Bytes of a body. */
  readonly body: number
  readonly headers: number
  /** Bytes of all header fields. */
  readonly headerBytes: number
  /** Recipients of a message; more are refused with 452. */
  readonly recipients: number
  /** Milliseconds that the mail server waits for `message`, in all. */
  readonly messageBudget: number
  /** Milliseconds after which the mail server is asked to wait longer. */
  readonly progress: number
}

export const milterLimits: MilterLimits = {
  body: 64 * 1024 * 1024,
  headers: 5000,
  headerBytes: 1024 * 1024,
  recipients: 20_000,
  messageBudget: 60_000,
  progress: 10_000,
}

export interface MilterService {
  /** Name in metrics. */
  readonly name: string
  readonly handler: MilterHandler
  /** What the handler may do to messages. */
  readonly actions: readonly MilterAction[]
  readonly wantsBody: boolean
  /** The verdict without the handler: `continue` to fail open, `tempfail` to fail closed. */
  readonly fallback: (stage: Stage | 'message', failure: Failure) => MilterVerdict
  readonly limits?: Partial<MilterLimits>
}
