import { ByteQueue } from '../connections/byte-queue.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Decoder } from '../connections/session.ts'

/** A request of Postfix's SMTP access policy delegation. Text that Postfix does not know is empty. */
export interface PolicyRequest {
  /** `CONNECT`, `EHLO`, `HELO`, `MAIL`, `RCPT`, `DATA`, `END-OF-MESSAGE`, `VRFY` or `ETRN`. */
  readonly state: string
  readonly protocol: string
  /** The same for all requests of one message. */
  readonly instance: string
  readonly queueId: string
  readonly clientAddress: string
  readonly clientName: string
  readonly reverseClientName: string
  readonly heloName: string
  readonly sender: string
  /** Only at `RCPT`, and later if the message has a single recipient. */
  readonly recipient: string
  /** Right from `DATA` on; 0 before. */
  readonly recipientCount: number
  /** Bytes: announced before `END-OF-MESSAGE`, real there. 0: unknown. */
  readonly size: number
  readonly saslUsername: string
  readonly saslMethod: string
  /** All attributes as they came. Of repeated ones the first counts. */
  readonly attributes: ReadonlyMap<string, string>
}

export interface PolicyLimits {
  /** Bytes of one line without its end. */
  readonly line: number
  readonly attributes: number
  /** Bytes of a whole request. */
  readonly request: number
}

export const policyLimits: PolicyLimits = { line: 8192, attributes: 100, request: 64 * 1024 }

const newline = 0x0a

/** Parses lines `name=value` up to an empty line (Postfix, SMTPD_POLICY_README). */
export class PolicyDecoder implements Decoder<PolicyRequest> {
  readonly #limits: PolicyLimits
  readonly #queue = new ByteQueue()
  #searched = 0
  #size = 0
  #attributes = new Map<string, string>()
  #count = 0

  constructor(limits: PolicyLimits = policyLimits) {
    this.#limits = limits
  }

  get isPartial(): boolean {
    return this.#size > 0 || this.#queue.length > 0
  }

  push(bytes: Uint8Array): void {
    this.#queue.append(bytes)
  }

  next(): PolicyRequest | undefined {
    for (;;) {
      const line = this.#line()
      if (line === undefined) return undefined
      if (line === '') return this.#complete()
      this.#add(line)
    }
  }

  #line(): string | undefined {
    const end = this.#queue.indexOf(newline, this.#searched)
    const length = end === -1 ? this.#queue.length : end
    if (length > this.#limits.line) throw new ProtocolViolation('line too long')
    if (this.#size + length > this.#limits.request) throw new ProtocolViolation('request too large')
    if (end === -1) {
      this.#searched = length
      return undefined
    }
    const line = this.#queue.takeText(length)
    this.#queue.skip(1)
    this.#searched = 0
    this.#size += length + 1
    return line
  }

  #add(line: string): void {
    const equals = line.indexOf('=')
    if (equals < 1 || line.includes('\0')) throw new ProtocolViolation('line is not name=value')
    this.#count++
    if (this.#count > this.#limits.attributes) throw new ProtocolViolation('too many attributes')
    const name = line.slice(0, equals)
    if (!this.#attributes.has(name)) this.#attributes.set(name, line.slice(equals + 1))
  }

  #complete(): PolicyRequest {
    const attributes = this.#attributes
    this.#attributes = new Map()
    this.#count = 0
    this.#size = 0
    if (attributes.get('request') !== 'smtpd_access_policy')
      throw new ProtocolViolation('not a policy request')
    return policyRequest(attributes)
  }
}

function policyRequest(attributes: ReadonlyMap<string, string>): PolicyRequest {
  const text = (name: string) => attributes.get(name) ?? ''
  return {
    state: text('protocol_state'),
    protocol: text('protocol_name'),
    instance: text('instance'),
    queueId: text('queue_id'),
    clientAddress: text('client_address'),
    clientName: text('client_name'),
    reverseClientName: text('reverse_client_name'),
    heloName: text('helo_name'),
    sender: text('sender'),
    recipient: text('recipient'),
    recipientCount: wholeNumber(text('recipient_count')),
    size: wholeNumber(text('size')),
    saslUsername: text('sasl_username'),
    saslMethod: text('sasl_method'),
    attributes,
  }
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}
