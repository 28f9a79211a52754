import { InvalidMailError } from './errors.ts'
import { singleLine } from './single-line.ts'

/** One mailbox. Never a text like `Name <address>`: parsing such texts is how mails get astray. */
export interface MailAddress {
  address: string
  name?: string | undefined
}

export interface MailMessage {
  to: MailAddress | readonly MailAddress[]
  cc?: MailAddress | readonly MailAddress[]
  subject: string
  text: string
  /** Absent for a mail of plain text only. */
  html?: string | undefined
  /** Absent: the installation's. */
  from?: MailAddress
  replyTo?: MailAddress
  /** Further headers: `Auto-Submitted`, `List-…` and `X-…` only. */
  headers?: Readonly<Record<string, string>>
}

/** Who mails come from unless they say otherwise. */
export interface MailSender {
  from: MailAddress
  replyTo?: MailAddress | undefined
}

/** A mail whose every part was checked and cleaned. */
export interface CheckedMail {
  from: Mailbox
  replyTo: Mailbox | undefined
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  text: string
  html: string | undefined
  headers: Record<string, string>
}

export interface Mailbox {
  address: string
  name: string
}

/** Checks a mail. Names and subject lose what could break a header; a bad address or header is an error. */
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
  }
}

/** Checks one address and cleans its name. */
export function mailbox({ address, name = '' }: MailAddress): Mailbox {
  // Quoted local parts are legal and refused on purpose: no mailbox of ours has one, attacks do.
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
    // A list of what is allowed: any other header is set from the mail's own fields.
    if (!/^(auto-submitted|(list|x)-[a-z0-9-]{1,60})$/i.test(name)) {
      throw new InvalidMailError(`A mail cannot set the header "${singleLine(name, 80)}".`)
    }
    checked[name] = singleLine(value)
  }
  return checked
}
