import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Db } from '../../platform/db/database.ts'
import type { Bookings } from '../bookings/delivery/bookings.ts'
import type { ExternalMark } from '../external-sender/external-mark.ts'
import { markSubject } from '../external-sender/mark-subject.ts'
import { calendarTextOf, isCalendarPart } from '../invitations/calendar-part.ts'
import type { InvitationDelivery } from '../invitations/delivery/invitation-delivery.ts'
import { headerValues } from '../message/header-fields.ts'
import { HeaderSection } from '../message/header-section.ts'
import { type Message, readMessage } from '../message/message-reader.ts'
import { actionOf } from '../reasons.ts'
import { deliverySettings } from '../recipients/delivery-settings.ts'
import { findRecipient, type Recipient } from '../recipients/recipient-store.ts'
import { type AuthorCheckParts, provenAuthor } from './proven-author.ts'

export interface MailFilterParts {
  readonly db: Db
  readonly author: AuthorCheckParts
  readonly invitations: Pick<InvitationDelivery, 'deliver'>
  readonly bookings: Pick<Bookings, 'deliver'>
  readonly externalMark: Pick<ExternalMark, 'decide'>
}

export interface FilterEnvelope {
  readonly sender: string
  readonly recipient: string
}

/** What happens to a message that is being delivered. */
export type FilterResult =
  | { readonly kind: 'unchanged' | 'rejected' | 'discarded' }
  | { readonly kind: 'changed'; readonly message: Buffer }

const unchanged: FilterResult = { kind: 'unchanged' }

/** The mail filter: invitations change the calendar, then mail from external senders is marked. */
export class MailFilter {
  readonly #parts: MailFilterParts

  constructor(parts: MailFilterParts) {
    this.#parts = parts
  }

  /**
   * The user or resource for whom messages are filtered, if their main address is the only recipient and a module is on for
   * them. Others get their mail unchanged.
   */
  async recipientOf(text: string): Promise<Recipient | undefined> {
    const address = canonicalAddress(text)
    const found = address.includes(',') ? undefined : await findRecipient(this.#parts.db, address)
    if (found?.email !== address) return undefined
    if (found.kind === 'resource') return found
    if (found.kind !== 'user') return undefined
    const { invitations, externalSender } = deliverySettings(found)
    return invitations || externalSender.isOn ? found : undefined
  }

  /** Filters a message for a user. Throws CalendarBusy. */
  async filter(raw: Buffer, recipient: Recipient, sender: string): Promise<FilterResult> {
    const message = readMessage(raw, isCalendarPart)
    if (recipient.kind === 'resource') return this.#book(raw, message, recipient, sender)
    const settings = deliverySettings(recipient)
    const calendar = settings.invitations ? calendarTextOf(message) : undefined
    if (calendar === undefined && !settings.externalSender.isOn) return unchanged
    const author = await provenAuthor(raw, message.fields, this.#parts.author)
    const messageId = messageIdOf(message)
    if (calendar !== undefined) {
      const details = { recipient, calendar, author, sender, messageId }
      const action = actionOf((await this.#parts.invitations.deliver(details)).reason)
      if (action === 'reject') return { kind: 'rejected' }
      if (action === 'discard') return { kind: 'discarded' }
    }
    const { from, authentication } = author
    const decision = this.#parts.externalMark.decide(recipient, {
      ...{ sender, author: from, authentication, recipient: recipient.email },
      ...{ clientAddress: null, queueId: null, messageId },
    })
    return decision?.reason === 'external.marked' ? mark(raw) : unchanged
  }

  /** Resources have a calendar but no mailbox: they answer invitations and take no other mail. Throws CalendarBusy. */
  async #book(raw: Buffer, message: Message, recipient: Recipient, sender: string): Promise<FilterResult> {
    const calendar = calendarTextOf(message)
    if (calendar === undefined) return { kind: 'rejected' }
    const author = await provenAuthor(raw, message.fields, this.#parts.author)
    await this.#parts.bookings.deliver({
      recipient,
      calendar,
      author,
      sender,
      messageId: messageIdOf(message),
    })
    return { kind: 'discarded' }
  }
}

function messageIdOf({ fields }: Message): string | null {
  return headerValues(fields, 'Message-ID')[0]?.slice(0, longestMessageId) ?? null
}

/** Characters of a Message-ID that are kept (RFC 5322 §2.1.1). */
const longestMessageId = 998

function mark(raw: Buffer): FilterResult {
  const header = new HeaderSection(raw)
  const edits = markSubject(header.values('Subject'))
  if (edits.length === 0) return unchanged
  header.apply(edits)
  return { kind: 'changed', message: header.message() }
}
