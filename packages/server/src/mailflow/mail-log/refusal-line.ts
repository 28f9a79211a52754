import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { lineTime } from './line-time.ts'

/** A recipient that the mail server refused before the message was sent. */
export interface LoggedRefusal {
  readonly loggedAt: Date
  /** Null: the message had no recipient yet. */
  readonly queueId: string | null
  readonly clientAddress: string
  /** Canonical; empty: the null sender. */
  readonly sender: string
  readonly recipient: string
  /** Reply code of SMTP, and enhanced status code. */
  readonly code: number
  readonly status: string
  /** Text of the reply, without the address that it begins with. */
  readonly text: string
}

const longestLine = 16_384
const longestText = 400
const longestAddress = 512

const head =
  /^\S+ postfix[\w.-]*(?:\/[\w.-]+)*\/smtpd\[\d+\]: (\w+): reject: RCPT from [^[\]\s]+\[([0-9A-Fa-f:.]+)\]: ([45]\d\d) (\d\.\d{1,3}\.\d{1,3}) (.*)$/s
const envelope = /; from=<([^<>\s]*)> to=<([^<>\s]+)> proto=E?SMTP(?: |$)/
/** A reply of ours: the decision is kept with its facts. */
const ownReply = /\[[A-Z]\d{1,2}\]$/

/**
 * Reads a refusal of Postfix: `NOQUEUE: reject: RCPT from …`. Undefined: the line is about something else, or about a
 * decision of the gateway, which is kept already.
 */
export function readRefusal(line: string, now: Date): LoggedRefusal | undefined {
  if (line.length > longestLine) return undefined
  const time = lineTime(line, now)
  const [, queueId = '', clientAddress = '', code = '', status = '', rest = ''] =
    (time && head.exec(line.slice(time.length))) ?? []
  const parts = envelope.exec(rest)
  if (time === undefined || parts === null) return undefined
  const [, sender = '', recipient = ''] = parts
  const reply = rest.slice(0, parts.index).replace(/^<[^<>\s]*>: /, '')
  if (ownReply.test(reply) || sender.length > longestAddress || recipient.length > longestAddress)
    return undefined
  return {
    loggedAt: time.at,
    queueId: queueId === 'NOQUEUE' ? null : queueId.slice(0, 64),
    clientAddress,
    ...{ sender: canonicalAddress(sender), recipient: canonicalAddress(recipient) },
    ...{ code: Number(code), status },
    text: reply.replaceAll(/\p{Cc}/gu, ' ').slice(0, longestText),
  }
}
