import type { Consultation, Failure } from '../connections/consultation.ts'
import type { Scope } from '../connections/session.ts'
import { MessageBody } from './message-body.ts'
import {
  type EncodedAnswer,
  encodeAnswer,
  encodeVerdict,
  progressPacket,
  tempfailPacket,
} from './milter-answer.ts'
import type { MilterLimits, MilterMessage, MilterService } from './milter-handler.ts'
import type { Agreement } from './negotiation.ts'
import { encodePacket, longestChunk } from './packets.ts'

export interface ReviewParts {
  readonly scope: Scope
  readonly service: MilterService
  readonly limits: MilterLimits
  readonly agreement: Agreement
}

/** One call of the message handler, from the end of the headers to the reply. */
export class MessageReview {
  readonly #parts: ReviewParts
  readonly #body = new MessageBody()
  readonly #consultation: Consultation<EncodedAnswer>
  #size = 0

  constructor(message: Omit<MilterMessage, 'body'>, parts: ReviewParts) {
    this.#parts = parts
    const { scope, service, limits, agreement } = parts
    if (!service.wantsBody) this.#body.complete()
    this.#consultation = scope.consult(
      'message',
      async (signal) => {
        const answer = await service.handler.message({ ...message, body: this.#body }, signal)
        return encodeAnswer(answer, agreement)
      },
      limits.messageBudget,
    )
    void this.#consultation.outcome.then(() => this.#body.discard())
  }

  /** Stops the handler. The reply is the fallback for this failure. */
  stop(failure: Failure): void {
    this.#consultation.stop(failure)
  }

  /** Hands a chunk to the handler and waits until there is room for more. Returns whether more is wanted. */
  async take(chunk: Buffer): Promise<boolean> {
    this.#size += chunk.length
    if (this.#parts.service.wantsBody && this.#size > this.#parts.limits.body) this.stop('too-large')
    this.#consultation.resume()
    await this.#body.push(chunk)
    this.#consultation.pause()
    return this.#parts.service.wantsBody && !this.#body.isUnwanted
  }

  /** The packets at the end of the message. */
  async *reply(): AsyncGenerator<Buffer, void, undefined> {
    this.#body.complete()
    this.#consultation.resume()
    while (!this.#consultation.isSettled) if (await this.#takesLong()) yield progressPacket
    const outcome = await this.#consultation.outcome
    if (outcome.kind !== 'answered') {
      yield encodeVerdict(this.#parts.service.fallback('message', outcome.kind), 'message')
      return
    }
    const { edits, body, last } = outcome.value
    yield* edits
    if (body !== undefined) {
      try {
        yield* this.#newBody(body)
      } catch {
        // a partial body must not be delivered
        yield tempfailPacket
        return
      }
    }
    yield* last
  }

  /** Waits for the outcome or the next progress report. Returns true if it is time for the report. */
  async #takesLong(): Promise<boolean> {
    const { scope, limits } = this.#parts
    let cancel: () => void = () => undefined
    const late = new Promise<boolean>((resolve) => {
      cancel = scope.timers.after(limits.progress, () => resolve(true))
    })
    const isLate = await Promise.race([this.#consultation.outcome.then(() => false), late])
    cancel()
    return isLate
  }

  async *#newBody(
    body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Buffer, void, undefined> {
    let isEmpty = true
    const iterator = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]()
    try {
      for (;;) {
        const next = await this.#nextPiece(iterator)
        if (next.done === true) break
        for (let at = 0; at < next.value.length; at += longestChunk) {
          isEmpty = false
          yield encodePacket('b', next.value.subarray(at, at + longestChunk))
        }
      }
    } finally {
      // not awaited: a piece that never comes must not hold the connection
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    }
    if (isEmpty) yield encodePacket('b')
  }

  /** The next piece of a new body, within the budget of a message. */
  async #nextPiece(
    iterator: Iterator<Uint8Array> | AsyncIterator<Uint8Array>,
  ): Promise<IteratorResult<Uint8Array>> {
    const { scope, limits } = this.#parts
    let release: () => void = () => undefined
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = () => reject(new Error('the new body is no longer needed'))
      const cancel = scope.timers.after(limits.messageBudget, giveUp)
      scope.closed.addEventListener('abort', giveUp)
      release = () => {
        cancel()
        scope.closed.removeEventListener('abort', giveUp)
      }
    })
    try {
      return await Promise.race([iterator.next(), late])
    } finally {
      release()
    }
  }
}
