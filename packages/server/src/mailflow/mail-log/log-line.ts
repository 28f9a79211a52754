import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { MailEvent } from '@gatehouse/contract/mail/mail-trace'
import { lineTime } from './line-time.ts'

/** What a line of a mail server's log says about a message. */
export interface LoggedStep {
  readonly loggedAt: Date
  readonly server: string
  readonly queueId: string
  readonly event: MailEvent | 'message-id'
  readonly clientAddress?: string
  readonly sender?: string
  readonly recipient?: string
  readonly originalRecipient?: string
  readonly messageId?: string
  readonly size?: number
  readonly relay?: string
  readonly status?: string
  readonly response?: string
  readonly nextQueueId?: string
}

type Said = Omit<LoggedStep, 'loggedAt' | 'server' | 'queueId'>

/** Longer lines don't come from Postfix; syslog cuts them at 2 kB by default. */
const longestLine = 16_384
const longestText = 1000

/** Short queue ids are hexadecimal, long ones use most letters and digits; pseudo ids such as NOQUEUE are neither. */
const head =
  /^(\S+) postfix[\w.-]*(?:\/[\w.-]+)*\/([\w-]+)\[\d+\]: ([0-9A-Fa-f]{6,}|[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{10,}): (.*)$/s

/**
 * Reads a line of Postfix's log, with the time of syslog or RFC 3339. Undefined: the line is about something else. Texts
 * in a line come from strangers, so attributes are read from the left and addresses with their quotes. `now` tells the
 * year, which syslog leaves out.
 */
export function readLogLine(line: string, now: Date): LoggedStep | undefined {
  if (line.length > longestLine) return undefined
  const time = lineTime(line, now)
  const parts = time && head.exec(line.slice(time.length))
  if (!parts) return undefined
  const [, server = '', program = '', queueId = '', text = ''] = parts
  const said = Object.hasOwn(readers, program) ? readers[program]?.(text) : undefined
  return said && { loggedAt: time.at, server: server.slice(0, 255), queueId: queueId.slice(0, 100), ...said }
}

/** Readers by the program that logs. */
const readers: Readonly<Record<string, (text: string) => Said | undefined>> = {
  smtpd: client,
  pickup: (text) => (/^uid=\d+ from=</.test(text) ? { event: 'received' } : undefined),
  cleanup: (text) => messageId(text) ?? hold(text),
  qmgr: (text) => queued(text) ?? removed(text),
  smtp: delivery,
  lmtp: delivery,
  local: delivery,
  virtual: delivery,
  pipe: delivery,
  error: delivery,
  discard: delivery,
  bounce: notified,
  postsuper: byOperator,
}

function client(text: string): Said | undefined {
  // names of hosts have no brackets
  const match = /^client=[^[\]\s]+\[([0-9A-Fa-f:.]+)\]/.exec(text)
  return match?.[1] === undefined ? undefined : { event: 'received', clientAddress: match[1] }
}

function messageId(text: string): Said | undefined {
  const match = /^(?:resent-)?message-id=(\S.*)$/s.exec(text)
  const id = match?.[1]?.trim()
  return id === undefined ? undefined : { event: 'message-id', messageId: clean(id) }
}

function hold(text: string): Said | undefined {
  const match = /^(?:milter-)?hold: (.*)$/s.exec(text)
  return match ? { event: 'held', response: clean(match[1] ?? '') } : undefined
}

function queued(text: string): Said | undefined {
  const from = attribute(text, 'from')
  if (from === undefined) return undefined
  const rest = from.rest
  if (rest.startsWith('status=expired')) return { event: 'expired', sender: from.address }
  const size = /^size=(\d{1,15}), nrcpt=\d+ /.exec(rest)?.[1]
  return size === undefined ? undefined : { event: 'queued', sender: from.address, size: Number(size) }
}

function removed(text: string): Said | undefined {
  return text.trimEnd() === 'removed' ? { event: 'removed' } : undefined
}

const outcomes = {
  sent: 'sent',
  deferred: 'deferred',
  bounced: 'bounced',
  expired: 'expired',
} as const

function delivery(text: string): Said | undefined {
  const to = attribute(text, 'to')
  if (to === undefined) return undefined
  const original = attribute(to.rest, 'orig_to')
  const rest = original?.rest ?? to.rest
  const match =
    /^relay=([^\s,]+), (?:[\w-]+=[\w./-]+, )*?dsn=(\d\.\d{1,3}\.\d{1,3}), status=(\w+)(?: \((.*)\))?\s*$/s.exec(
      rest,
    )
  const [, relay = '', status = '', outcome = '', response = ''] = match ?? []
  if (!isOutcome(outcome)) return undefined
  const next = isLocal(relay) ? /\bqueued as ([0-9A-Za-z]{6,64})\b/.exec(response)?.[1] : undefined
  return {
    event: outcomes[outcome],
    recipient: to.address,
    ...(original !== undefined && { originalRecipient: original.address }),
    relay: clean(relay),
    status,
    ...(response !== '' && { response: clean(response) }),
    ...(next !== undefined && { nextQueueId: next }),
  }
}

function isOutcome(word: string): word is keyof typeof outcomes {
  return Object.hasOwn(outcomes, word)
}

/** Only a content filter on the same host names queue ids of this server; others could name those of strangers. */
function isLocal(relay: string): boolean {
  return /\[(127\.\d+\.\d+\.\d+|::1)\]/.test(relay)
}

function notified(text: string): Said | undefined {
  return /^sender (?:non-delivery|delay) notification: \w+/.test(text) ? { event: 'notified' } : undefined
}

function byOperator(text: string): Said | undefined {
  if (text.startsWith('placed on hold')) return { event: 'held' }
  if (text.startsWith('released from hold')) return { event: 'released' }
  return removed(text)
}

/** Reads `name=<address>, ` at the beginning. A quoted local part may contain anything, `>` too. */
function attribute(text: string, name: string): { address: string; rest: string } | undefined {
  if (!text.startsWith(`${name}=<`)) return undefined
  const start = name.length + 2
  let isQuoted = false
  for (let at = start; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\\' && isQuoted) at += 1
    else if (letter === '>' && !isQuoted) {
      const rest = text.slice(at + 1)
      if (rest !== '' && !rest.startsWith(', ')) return undefined
      return { address: clean(canonicalAddress(text.slice(start, at))), rest: rest.slice(2) }
    }
  }
  return undefined
}

/** Texts are stored, and PostgreSQL takes no null characters. */
function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, longestText)
}
