import { InvalidAnswer } from '../connections/protocol-errors.ts'
import { headerName, oneLine, readReply, replyText } from '../connections/reply-text.ts'
import { sentValue } from './message-headers.ts'
import type { Agreement, MilterAction, Stage } from './negotiation.ts'
import { encodePacket, terminated, uint32 } from './packets.ts'

/** The decision about a connection, recipient or message. */
export type MilterVerdict =
  | { readonly verdict: 'continue' }
  /** Accepted without further questions. */
  | { readonly verdict: 'accept' }
  /** Accepted and dropped; not possible at `connect` and `helo`. */
  | { readonly verdict: 'discard' }
  /** `reply` is `550 5.7.1 Text`; by default the mail server's own. */
  | { readonly verdict: 'reject'; readonly reply?: string }
  /** `reply` is `450 4.7.1 Text`; by default the mail server's own. */
  | { readonly verdict: 'tempfail'; readonly reply?: string }

/** A change of a message. It needs the action of the same kind in the settings of the milter. */
export type MilterEdit =
  /** `index` 0 is the top. */
  | { readonly edit: 'insert-header'; readonly index: number; readonly name: string; readonly value: string }
  | { readonly edit: 'add-header'; readonly name: string; readonly value: string }
  /** `occurrence` counts fields of that name from 1. An empty value deletes the field. */
  | {
      readonly edit: 'change-header'
      readonly name: string
      readonly occurrence: number
      readonly value: string
    }
  | { readonly edit: 'add-recipient' | 'delete-recipient'; readonly address: string }

/** The answer at the end of a message. Changes apply only if the message is accepted. */
export type MilterAnswer = MilterVerdict & {
  readonly edits?: readonly MilterEdit[]
  /** A new body, in pieces of any size. */
  readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Keeps the message in the hold queue, for this reason. */
  readonly quarantine?: string
}

/** An answer in packets: edits, then the body, then the quarantine, then the verdict. */
export interface EncodedAnswer {
  readonly edits: readonly Buffer[]
  readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  readonly last: readonly Buffer[]
}

export const continuePacket = encodePacket('c')
export const tempfailPacket = encodePacket('t')
export const skipPacket = encodePacket('s')
/** Asks the mail server to wait a little longer. */
export const progressPacket = encodePacket('p')

/** Encodes a verdict. Throws `InvalidAnswer` if it is not possible at the stage. */
export function encodeVerdict(answer: MilterVerdict, stage: Stage | 'message'): Buffer {
  switch (answer.verdict) {
    case 'continue':
      return continuePacket
    case 'accept':
      return encodePacket('a')
    case 'discard':
      if (stage === 'connect' || stage === 'helo') throw new InvalidAnswer(`discard at ${stage}`)
      return encodePacket('d')
    case 'reject':
      return answer.reply === undefined ? encodePacket('r') : encodeReply(answer.reply, '5')
    case 'tempfail':
      return answer.reply === undefined ? tempfailPacket : encodeReply(answer.reply, '4')
  }
}

/** `%` is doubled: the mail server reads the reply as a format string. */
function encodeReply(reply: string, kind: '4' | '5'): Buffer {
  const { code, status, text } = readReply(reply)
  if (code[0] !== kind) throw new InvalidAnswer(`reply ${code} does not fit the verdict`)
  return encodePacket('y', terminated(`${code} ${status} ${text}`.trimEnd().replaceAll('%', '%%')))
}

/** Encodes the answer at the end of a message. Throws `InvalidAnswer` before anything is sent. */
export function encodeAnswer(answer: MilterAnswer, agreement: Agreement): EncodedAnswer {
  const verdict = encodeVerdict(answer, 'message')
  if (answer.verdict !== 'continue' && answer.verdict !== 'accept') return { edits: [], last: [verdict] }
  const edits = (answer.edits ?? []).map((edit) => {
    requireAction(agreement, actionOf[edit.edit])
    return encodeEdit(edit, agreement.hasLeadingSpace)
  })
  if (answer.body !== undefined) requireAction(agreement, 'replace-body')
  if (answer.quarantine === undefined) return { edits, body: answer.body, last: [verdict] }
  requireAction(agreement, 'quarantine')
  // some versions of Postfix take no more edits after it
  const quarantine = encodePacket('q', terminated(replyText(answer.quarantine)))
  return { edits, body: answer.body, last: [quarantine, verdict] }
}

const actionOf: Readonly<Record<MilterEdit['edit'], MilterAction>> = {
  'insert-header': 'add-headers',
  'add-header': 'add-headers',
  'change-header': 'change-headers',
  'add-recipient': 'add-recipients',
  'delete-recipient': 'delete-recipients',
}

function requireAction({ actions }: Agreement, action: MilterAction): void {
  if (!actions.has(action)) throw new InvalidAnswer(`${action} is not among the actions of the milter`)
}

function encodeEdit(edit: MilterEdit, hasLeadingSpace: boolean): Buffer {
  const field = (name: string, value: string) => [
    terminated(headerName(name)),
    terminated(sentValue(value, hasLeadingSpace)),
  ]
  switch (edit.edit) {
    case 'insert-header':
      return encodePacket('i', uint32(position(edit.index, 0)), ...field(edit.name, edit.value))
    case 'add-header':
      return encodePacket('h', ...field(edit.name, edit.value))
    case 'change-header':
      return encodePacket('m', uint32(position(edit.occurrence, 1)), ...field(edit.name, edit.value))
    case 'add-recipient':
      return encodePacket('+', terminated(bracketed(edit.address)))
    case 'delete-recipient':
      return encodePacket('-', terminated(bracketed(edit.address)))
  }
}

function position(index: number, least: number): number {
  if (!Number.isInteger(index) || index < least || index > 0x7fffffff) {
    throw new InvalidAnswer('no position of a header')
  }
  return index
}

/** Characters of an address (RFC 5321 §4.5.3.1: path). */
const longestAddress = 1000

function bracketed(address: string): string {
  const isClean = address !== '' && address.length <= longestAddress && address === oneLine(address)
  if (!isClean || /[<>]/.test(address)) throw new InvalidAnswer('not an address')
  return `<${address}>`
}
