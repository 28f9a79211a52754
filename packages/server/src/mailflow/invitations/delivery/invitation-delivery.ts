import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { after, type Clock, day } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Purgeable } from '../../../platform/purge.ts'
import { type Decision, decide } from '../../decision.ts'
import type { DecisionLog } from '../../decisions/decision-log.ts'
import type { Recipient } from '../../recipients/recipient-store.ts'
import type { CalendarEdit } from '../calendar-edit.ts'
import { type InvitationFacts, type InvitationResult, invitation, invitationUid } from '../invitation.ts'
import type { Calendars, UserCalendars } from './calendars.ts'
import { addressesOf, keepCancellations, readCancellations, removeCancellations } from './delivery-store.ts'
import { calendarNoticeJob } from './notice-mail.ts'

export interface InvitationParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly decisions: Pick<DecisionLog, 'record'>
  readonly calendars: Calendars
}

/** An invitation that reached a user. */
export interface ReceivedInvitation {
  readonly recipient: Recipient
  /** The iCalendar text; see `calendarTextOf`. */
  readonly calendar: string
  /** Who sent it, as far as it's proved. */
  readonly author: InvitationFacts['sender']
  /** Envelope sender. */
  readonly sender: string
  readonly messageId: string | null
}

/** A calendar changed each time an invitation was about to change it. The mail server has to try again. */
export class CalendarBusy extends Error {
  override name = 'CalendarBusy'
}

/** Attempts to change an object that others change at the same time. */
export const attempts = 5
/** Days for which cancellations count; mail is rarely that late. */
export const keptDays = 180

/** Applies invitations to users' calendars while their mail is delivered. */
export class InvitationDelivery implements Purgeable {
  readonly #parts: InvitationParts

  constructor(parts: InvitationParts) {
    this.#parts = parts
  }

  /** Applies an invitation and returns the decision, which is also kept. Throws CalendarBusy. */
  async deliver(received: ReceivedInvitation): Promise<Decision> {
    const { recipient, sender, messageId } = received
    const ownDomains = recipient.accountDomains
    const decision = await this.#apply(received, ownDomains)
    this.#parts.decisions.record('invitation', decision, {
      direction: 'in',
      account: recipient,
      sender: canonicalAddress(sender),
      recipient: recipient.email,
      ...{ clientAddress: null, queueId: null, messageId, ownDomains },
    })
    return decision
  }

  async purge(): Promise<void> {
    const { db, clock } = this.#parts
    await removeCancellations(db, after(clock.now(), -keptDays * day))
  }

  async #apply(received: ReceivedInvitation, ownDomains: readonly string[]): Promise<Decision> {
    const { db, calendars } = this.#parts
    const { recipient, calendar, author } = received
    const uid = invitationUid(calendar)
    const own = await calendars.open({ userId: recipient.id, email: recipient.email })
    const addresses = await addressesOf(db, recipient.id)
    const facts = { calendar, sender: author, addresses, ownDomains, objects: [], cancellations: [] }
    // malformed ones and those that change no calendar
    if (uid === undefined) return invitation(facts, { isOn: true }).decision
    if (own === undefined) return withoutCalendar(invitation(facts, { isOn: true }))
    for (let attempt = 0; attempt < attempts; attempt++) {
      const [objects, cancellations] = await Promise.all([
        own.find(uid),
        readCancellations(db, { kind: 'user', id: recipient.id }, uid),
      ])
      const result = invitation({ ...facts, objects, cancellations }, { isOn: true })
      const outcome = await this.#change(recipient.id, uid, own, result)
      if (outcome === 'no-folder') return withoutCalendar(result)
      if (outcome === 'changed') continue
      await this.#notify(recipient.id, result)
      return result.decision
    }
    throw new CalendarBusy()
  }

  async #change(
    userId: number,
    uid: string,
    own: UserCalendars,
    { edit, cancellations = [] }: InvitationResult,
  ) {
    const { db, clock } = this.#parts
    // first: if this process dies in between, the same message comes again
    await keepCancellations(db, { kind: 'user', id: userId }, uid, cancellations, clock.now())
    return edit === undefined ? 'applied' : applyEdit(own, edit)
  }

  async #notify(userId: number, { notice }: InvitationResult): Promise<void> {
    const { db, jobs } = this.#parts
    if (notice !== undefined) await jobs.enqueue(db, calendarNoticeJob, { userId, notice })
  }
}

/** Makes a change if the calendar is still as it was. */
export async function applyEdit(
  own: UserCalendars,
  edit: CalendarEdit,
): Promise<'applied' | 'changed' | 'no-folder'> {
  let isApplied: boolean
  if (edit.kind === 'replace') isApplied = await own.replace(edit.href, edit.etag, edit.text)
  else if (edit.kind === 'delete') isApplied = await own.remove(edit.href, edit.etag)
  else {
    const folder = await own.defaultFolder(edit.component)
    if (folder === undefined) return 'no-folder'
    isApplied = await own.create(folder, edit.name, edit.text)
  }
  return isApplied ? 'applied' : 'changed'
}

/** Nothing could be changed, so the message is delivered. */
function withoutCalendar({ decision }: InvitationResult): Decision {
  return decide('invitation.untouched', { ...decision.facts, problem: 'no-calendar' })
}
