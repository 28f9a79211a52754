import { InvalidMailError } from './errors.ts'
import { singleLine } from './single-line.ts'

/** One mailbox. Never a string like `Name <address>`: parsing such strings is how mail goes astray. */
export interface MailAddress {
  address: string
  name?: string | undefined
}

export interface MailMessage {
  to: MailAddress | readonly MailAddress[]
  cc?: MailAddress | readonly MailAddress[]
  subject: string
  text: string
  /** Absent for plain-text messages. */
  html?: string | undefined
  /** Defaults to the installation's sender. */
  from?: MailAddress
  replyTo?: MailAddress
  /** Extra headers: `Auto-Submitted`, `List-…` and `X-…` only. */
  headers?: Readonly<Record<string, string>>
  /** An iTIP message (RFC 6047), which calendar programs process. */
  calendar?: CalendarPart | undefined
}

/** An iCalendar text and its method. */
export interface CalendarPart {
  method: 'REPLY'
  text: string
}

/** Default sender of e-mails. */
export interface MailSender {
  from: MailAddress
  replyTo?: MailAddress | undefined
}

/** A message whose parts have all been validated and sanitized. */
export interface CheckedMail {
  from: Mailbox
  replyTo: Mailbox | undefined
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  text: string
  html: string | undefined
  headers: Record<string, string>
  calendar: CalendarPart | undefined
}

export interface Mailbox {
  address: string
  name: string
}

/**
 * Validates a message. Strips characters that could break a header from names and subject; throws on an
 * invalid address or header.
 */
export function checkMail(message: MailMessage, sender: MailSender): CheckedMail {
  const to = mailboxes(message.to)
  if (to.length === 0) throw new InvalidMailError('A mail needs a recipient.')
  const replyTo = message.replyTo ?? sender.replyTo
  return {
    from: mailbox(message.from ?? sender.from),
    replyTo: replyTo && mailbox(replyTo),
    to,
    cc: message.cc ? mailboxes(message.cc) : [],
    subject: singleLine(message.subject),
    text: message.text,
    html: message.html,
    headers: checkedHeaders(message.headers ?? {}),
    calendar: message.calendar,
  }
}

/** Validates one address and sanitizes its display name. */
export function mailbox({ address, name = '' }: MailAddress): Mailbox {
  // Quoted local parts are legal but rejected on purpose: none of our mailboxes has one, attacks do.
  const plain = /^[^\s\p{C}\p{Z}"<>(),:;\\[\]@]+@[^\s\p{C}\p{Z}"<>(),:;\\[\]@]+$/u
  if (address.length > 320 || !plain.test(address)) throw new InvalidMailError('This is not a mail address.')
  return { address, name: singleLine(name, 200) }
}

function mailboxes(addresses: MailAddress | readonly MailAddress[]): Mailbox[] {
  return isList(addresses) ? addresses.map(mailbox) : [mailbox(addresses)]
}

function isList(addresses: MailAddress | readonly MailAddress[]): addresses is readonly MailAddress[] {
  return Array.isArray(addresses)
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    // Allowlist: every other header is set from the message's own fields.
    if (!/^(auto-submitted|(list|x)-[a-z0-9-]{1,60})$/i.test(name)) {
      throw new InvalidMailError(`A mail cannot set the header "${singleLine(name, 80)}".`)
    }
    checked[name] = singleLine(value)
  }
  return checked
}
