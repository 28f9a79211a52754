import type { Failure } from '../connections/consultation.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import { askWithin, noReply, type Reply, type Scope, type Session } from '../connections/session.ts'
import { type ClientAddress, type MilterCommand, type Offer, readCommand } from './commands.ts'
import {
  continuePacket,
  encodeVerdict,
  type MilterVerdict,
  skipPacket,
  tempfailPacket,
} from './milter-answer.ts'
import {
  type EnvelopeAddress,
  type Macros,
  type MilterConnection,
  type MilterLimits,
  type MilterService,
  milterLimits,
} from './milter-handler.ts'
import { type Agreement, allStages, negotiate, type Stage, type Step } from './negotiation.ts'
import { PacketDecoder } from './packets.ts'
import { Transaction } from './transaction.ts'

/** Macros of a connection or message; more end the connection. */
const mostMacros = 500
/** Characters of all their names and values. */
const mostMacroText = 256 * 1024

const continued: Reply = { bytes: [continuePacket] }
const skipped: Reply = { bytes: [skipPacket] }
const tempfailed: Reply = { bytes: [tempfailPacket] }
const tooMany: Reply = {
  bytes: [encodeVerdict({ verdict: 'tempfail', reply: '452 4.5.3 Too many recipients' }, 'recipient')],
}

type Ask = (signal: AbortSignal) => Promise<MilterVerdict> | undefined

/** Connection facts as they arrive. */
interface Facts {
  client?: ClientAddress
  helo?: string
  readonly macros: Map<string, string>
}

/**
 * One connection of the milter protocol, version 6. Commands may come in any order, and each gets the reply that the mail
 * server expects. Commands for a message without sender get a temporary failure, as does a message whose envelope or
 * headers changed after its handler was called.
 */
export class MilterSession implements Session<MilterCommand> {
  readonly #scope: Scope
  readonly #service: MilterService
  readonly #limits: MilterLimits
  readonly #decoder = new PacketDecoder()
  #agreement: Agreement | undefined
  #connection: Facts = { macros: new Map() }
  /** They arrive before the sender does. */
  #messageMacros = new Map<string, string>()
  #transaction: Transaction | undefined

  constructor(service: MilterService, scope: Scope) {
    this.#scope = scope
    this.#service = service
    this.#limits = { ...milterLimits, ...service.limits }
  }

  /** Includes a message whose headers are complete: its body must arrive without long pauses. */
  get isPartial(): boolean {
    return this.#decoder.isPartial || this.#transaction?.isUnderReview === true
  }

  get isBusy(): boolean {
    return this.#decoder.isPartial || this.#transaction !== undefined
  }

  push(bytes: Uint8Array): void {
    this.#decoder.push(bytes)
  }

  next(): MilterCommand | undefined {
    const packet = this.#decoder.next()
    if (packet === undefined) return undefined
    const command = readCommand(packet)
    if (command.kind === 'negotiate') this.#negotiate(command.offer)
    else if (this.#agreement === undefined && command.kind !== 'quit') {
      throw new ProtocolViolation('command before negotiation')
    }
    if (command.kind === 'macros') this.#addMacros(command.stage, command.macros)
    return command
  }

  async answer(command: MilterCommand): Promise<Reply> {
    const { handler } = this.#service
    const connection: MilterConnection = this.#connection
    switch (command.kind) {
      case 'negotiate':
        return { bytes: this.#agreement === undefined ? [] : [this.#agreement.reply] }
      case 'connect':
        this.#connection.client = command.client
        return (await this.#decide('connect', (signal) => handler.connect?.(connection, signal))).reply
      case 'helo':
        this.#connection.helo = command.name
        return (await this.#decide('helo', (signal) => handler.helo?.(connection, signal))).reply
      case 'mail':
        return await this.#mail(command)
      case 'recipient':
        return await this.#recipient(command)
      case 'data':
        return await this.#data()
      case 'header':
        this.#transaction?.addHeader(command.name, command.value)
        return this.#passive('header')
      case 'end-of-headers':
        this.#transaction?.review()
        return this.#passive('end-of-headers')
      case 'body':
        return await this.#body(command.chunk)
      case 'end':
        return await this.#end(command.chunk)
      case 'unknown':
        return continued
      case 'macros':
        return noReply
      case 'abort':
        this.#dropMessage()
        return noReply
      case 'next-connection':
        this.#reset()
        return noReply
      case 'quit':
        this.#reset()
        return { bytes: [], isLast: true }
    }
  }

  async #mail({ address, parameters }: EnvelopeAddress): Promise<Reply> {
    // macros of an unfinished earlier message don't apply to this one
    const isOld = this.#transaction?.envelope.macros === this.#messageMacros
    const macros = isOld ? new Map<string, string>() : this.#messageMacros
    this.#dropMessage()
    if (this.#agreement === undefined) return tempfailed
    const transaction = new Transaction(this.#connection, { address, parameters }, macros, {
      scope: this.#scope,
      service: this.#service,
      limits: this.#limits,
      agreement: this.#agreement,
    })
    this.#messageMacros = macros
    this.#transaction = transaction
    const ask: Ask = (signal) => this.#service.handler.mail?.(transaction.envelope, signal)
    const { verdict, reply } = await this.#decide('mail', ask)
    if (verdict !== 'continue') this.#dropMessage()
    return reply
  }

  async #recipient({ address, parameters }: EnvelopeAddress): Promise<Reply> {
    const transaction = this.#transaction
    if (transaction === undefined) return this.#passive('recipient')
    const recipient = { address, parameters }
    const isFull = transaction.isFull && !this.#isSilent('recipient')
    if (isFull) return tooMany
    const ask: Ask = (signal) => this.#service.handler.recipient?.(recipient, transaction.envelope, signal)
    const { verdict, reply } = await this.#decide('recipient', ask)
    if (verdict === 'continue') transaction.addRecipient(recipient)
    else if (verdict === 'accept' || verdict === 'discard') this.#dropMessage()
    return reply
  }

  async #data(): Promise<Reply> {
    const transaction = this.#transaction
    if (transaction === undefined) return tempfailed
    const ask: Ask = (signal) => this.#service.handler.data?.(transaction.envelope, signal)
    const { verdict, reply } = await this.#decide('data', ask)
    if (verdict !== 'continue') this.#dropMessage()
    return reply
  }

  async #body(chunk: Buffer): Promise<Reply> {
    if (this.#transaction === undefined) return tempfailed
    const isWanted = await this.#transaction.review().take(chunk)
    return isWanted || this.#agreement?.canSkip !== true ? continued : skipped
  }

  async #end(chunk: Buffer): Promise<Reply> {
    const transaction = this.#transaction
    if (transaction === undefined) return tempfailed
    const review = transaction.review()
    if (chunk.length > 0) await review.take(chunk)
    if (transaction.isDisordered) {
      this.#dropMessage()
      return tempfailed
    }
    this.#transaction = undefined
    this.#messageMacros = new Map()
    return { bytes: review.reply() }
  }

  /** Calls the handler for a stage. Without a method for it, continues. */
  async #decide(stage: Stage, ask: Ask): Promise<{ verdict: MilterVerdict['verdict']; reply: Reply }> {
    const encode = (answer: MilterVerdict) => ({
      verdict: answer.verdict,
      reply: { bytes: [encodeVerdict(answer, stage)] },
    })
    if (this.#service.handler[stage] === undefined) {
      return { verdict: 'continue', reply: this.#isSilent(stage) ? noReply : continued }
    }
    const consult = async (signal: AbortSignal) => encode((await ask(signal)) ?? { verdict: 'continue' })
    const fallback = (failure: Failure) => encode(this.#service.fallback(stage, failure))
    return await askWithin(this.#scope, stage, consult, fallback)
  }

  /** The reply to a command that decides nothing. */
  #passive(step: Step): Reply {
    if (this.#isSilent(step)) return noReply
    return this.#transaction === undefined ? tempfailed : continued
  }

  #isSilent(step: Step): boolean {
    return this.#agreement?.silent.has(step) === true
  }

  #negotiate(offer: Offer): void {
    const { handler, actions, wantsBody } = this.#service
    this.#reset()
    const stages = new Set(allStages.filter((stage) => handler[stage] !== undefined))
    this.#agreement = negotiate(offer, { actions, stages, wantsBody })
  }

  #addMacros(stage: string, macros: readonly (readonly [string, string])[]): void {
    if (stage === 'M') this.#messageMacros = new Map()
    const known = stage === 'C' || stage === 'H' ? this.#connection.macros : this.#messageMacros
    for (const [name, value] of macros) known.set(name, value)
    if (known.size > mostMacros || textOf(known) > mostMacroText)
      throw new ProtocolViolation('too many macros')
  }

  #dropMessage(): void {
    this.#transaction?.abandon()
    this.#transaction = undefined
    this.#messageMacros = new Map()
  }

  #reset(): void {
    this.#dropMessage()
    this.#connection = { macros: new Map() }
  }
}

function textOf(macros: Macros): number {
  let length = 0
  for (const [name, value] of macros) length += name.length + value.length
  return length
}
