import { createTransport } from 'nodemailer'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { Log } from '../../../platform/log.ts'
import type { FilterResult, MailFilter } from '../../filter/mail-filter.ts'
import { CalendarBusy } from '../../invitations/delivery/invitation-delivery.ts'
import { type ReceivedMessage, receive } from './received-message.ts'

/** Where to listen, or where the mail store takes mail. */
export interface LmtpEndpoint {
  readonly host: string
  readonly port: number
}

export interface LmtpFilterParts {
  readonly filter: Pick<MailFilter, 'recipientOf' | 'filter'>
  /** The installation offers the mail filter; otherwise all mail passes unchanged. */
  readonly isOn: boolean
  /** Bytes of a message; larger ones pass unchanged. */
  readonly mostBytes: number
  /** Bytes of the largest message that is taken. */
  readonly largest?: number
  /** LMTP service of the mail store. */
  readonly store: LmtpEndpoint
  readonly log: Log
}

/** Limits against clients that never end. Postfix tries the recipients beyond the limit again. */
const limits = { recipients: 1000, connections: 200, largest: 1024 ** 3 }
/** Connections to the mail store at the same time. */
const mostConnections = 20
/** Milliseconds that the mail store gets for each answer. */
const patience = 60_000

/** An answer to the mail server about one recipient. */
class Refusal extends Error {
  override name = 'Refusal'

  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text)
  }
}

/**
 * Stands between the mail server and the mail store (LMTP, RFC 2033). Lists and aliases are resolved by then, so the filter
 * decides for each recipient. What the store answers is passed on; if the filter fails, the mail server has to try again.
 */
export class LmtpFilter {
  readonly #parts: LmtpFilterParts
  readonly #server: SMTPServer
  readonly #store

  constructor(parts: LmtpFilterParts) {
    this.#parts = parts
    this.#store = createTransport({
      ...{ host: parts.store.host, port: parts.store.port, lmtp: true, ignoreTLS: true },
      ...{ pool: true, maxConnections: mostConnections, maxMessages: Number.POSITIVE_INFINITY },
      ...{ connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience },
    })
    this.#server = new SMTPServer({
      ...{ lmtp: true, authOptional: true, logger: false, disabledCommands: ['AUTH', 'STARTTLS'] },
      ...{ maxRecipients: limits.recipients, maxClients: limits.connections },
      onData: (stream, session, done) => {
        void this.#answer(stream, session).then(
          // the types know one answer only; LMTP has one for each recipient
          (answers) => done(null, answers as unknown as string),
          (error: unknown) => {
            parts.log.warn({ err: error }, 'a message could not be received')
            done(new Refusal(451, '4.3.0 The message could not be received'))
          },
        )
      },
    })
    this.#server.on('error', (error) =>
      parts.log.warn({ err: error, protocol: 'lmtp' }, 'a mail protocol failed'),
    )
  }

  /** Listens and returns the port. Throws if the address can't be used. */
  async listen({ host, port }: LmtpEndpoint): Promise<number> {
    await new Promise<void>((listening, failed) => {
      this.#server.once('error', failed)
      this.#server.listen(port, host, () => {
        this.#server.off('error', failed)
        listening()
      })
    })
    const address = this.#server.server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** Answers the messages in progress, then closes. */
  async close(): Promise<void> {
    await new Promise<void>((closed) => this.#server.close(() => closed()))
    this.#store.close()
  }

  async #answer(
    stream: AsyncIterable<Buffer>,
    { envelope }: SMTPServerSession,
  ): Promise<readonly (string | Refusal)[]> {
    const { mostBytes, largest = limits.largest } = this.#parts
    const message = await receive(stream, { mostBytes, largest })
    if (message.kind === 'too-large')
      return envelope.rcptTo.map(() => new Refusal(552, '5.3.4 The message is too large'))
    const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    try {
      const answers: (string | Refusal)[] = []
      // one after the other: a large message to many must not be open many times
      for (const { address } of envelope.rcptTo) answers.push(await this.#deliver(message, sender, address))
      return answers
    } finally {
      if (message.kind === 'large') await message.remove()
    }
  }

  async #deliver(message: ReceivedMessage, sender: string, recipient: string): Promise<string | Refusal> {
    try {
      const result = await this.#filtered(message, sender, recipient)
      if (result.kind === 'discarded') return '2.0.0 Taken care of'
      if (result.kind === 'rejected')
        return new Refusal(550, '5.7.1 The recipient does not take this message')
      const text =
        result.kind === 'changed' ? result.message : message.kind === 'small' ? message.bytes : message.open()
      const { response, rejectedErrors = [] } = await this.#store.sendMail({
        envelope: { from: sender, to: recipient },
        raw: text,
      })
      const [refused] = rejectedErrors
      return refused === undefined ? withoutCode(response) : this.#refusal(refused)
    } catch (error) {
      return this.#refusal(error)
    }
  }

  async #filtered(message: ReceivedMessage, sender: string, recipient: string): Promise<FilterResult> {
    const { filter, isOn, log } = this.#parts
    const found = isOn ? await filter.recipientOf(recipient) : undefined
    if (found === undefined) return { kind: 'unchanged' }
    if (message.kind === 'small') return filter.filter(message.bytes, found, sender)
    log.warn({ userId: found.id }, 'a message is too large for the mail filter')
    return { kind: 'unchanged' }
  }

  #refusal(error: unknown): Refusal {
    if (error instanceof CalendarBusy) return new Refusal(451, '4.3.0 The calendar is being changed')
    const { responseCode, response } = readAnswer(error)
    if (responseCode !== undefined && response !== undefined)
      return new Refusal(responseCode, withoutCode(response))
    this.#parts.log.error({ err: error }, 'a message could not be delivered')
    return new Refusal(451, '4.3.0 The mail store is not available')
  }
}

/** The store's answer in an error of the mail client. */
function readAnswer(error: unknown): { readonly responseCode?: number; readonly response?: string } {
  if (!(error instanceof Error)) return {}
  const code: unknown = Reflect.get(error, 'responseCode')
  const text: unknown = Reflect.get(error, 'response')
  return typeof code === 'number' && typeof text === 'string' ? { responseCode: code, response: text } : {}
}

const withoutCode = (response: string) => response.replace(/^\d{3}[ -]/, '').replaceAll(/[\r\n]+/g, ' ')
