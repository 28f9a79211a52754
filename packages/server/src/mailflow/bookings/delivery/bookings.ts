import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { after, type Clock, day } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Purgeable } from '../../../platform/purge.ts'
import { type Decision, decide } from '../../decision.ts'
import type { DecisionLog } from '../../decisions/decision-log.ts'
import type { Calendars, ResourceCalendar } from '../../invitations/delivery/calendars.ts'
import { keepCancellations, readCancellations } from '../../invitations/delivery/delivery-store.ts'
import {
  applyEdit,
  attempts,
  CalendarBusy,
  keptDays,
  type ReceivedInvitation,
} from '../../invitations/delivery/invitation-delivery.ts'
import { invitationUid } from '../../invitations/invitation.ts'
import { type BookingResult, booking } from '../booking.ts'
import { managerAnswer } from '../manager-answer.ts'
import { bookingQuestionJob, bookingReplyJob } from './booking-mails.ts'
import {
  type BookableResource,
  dropRequest,
  holdBookings,
  keepRequest,
  type ListedRequest,
  readBookable,
  removeRequests,
} from './booking-store.ts'
import { questionFacts } from './question-facts.ts'

export interface BookingParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly decisions: Pick<DecisionLog, 'record'>
  readonly calendars: Calendars
  /** Zone for days and times without one. */
  readonly config: { readonly MAILFLOW_TIME_ZONE: string }
}

/** Seconds before now: bookings that ended earlier aren't compared. */
const overlap = 7 * 86_400

/** A manager's answer to a question. */
export interface GivenAnswer {
  readonly request: ListedRequest
  /** Main address of the user who answers. */
  readonly by: string
  readonly answer: 'accept' | 'decline'
}

/** Books resources while their invitations are delivered, and carries out what their managers decide. */
export class Bookings implements Purgeable {
  readonly #parts: BookingParts

  constructor(parts: BookingParts) {
    this.#parts = parts
  }

  /** Answers an invitation of a resource and returns the decision, which is also kept. Throws CalendarBusy. */
  async deliver(received: ReceivedInvitation): Promise<Decision> {
    const { recipient, sender, messageId } = received
    const decision = await this.#answerInvitation(received)
    this.#parts.decisions.record('booking', decision, {
      ...{
        direction: 'in',
        account: recipient,
        sender: canonicalAddress(sender),
        recipient: recipient.email,
      },
      ...{ clientAddress: null, queueId: null, messageId, ownDomains: recipient.accountDomains },
    })
    return decision
  }

  /** Carries out a manager's answer and returns the decision, which is also kept. Throws CalendarBusy. */
  async answer({ request, by, answer }: GivenAnswer): Promise<Decision> {
    const { resourceId, uid, sequence, stamp } = request
    const decision = await this.#change(resourceId, uid, async (resource, calendar, now) => {
      const [object] = await calendar.find(uid)
      if (object === undefined) return { decision: decide('booking.untouched', { problem: 'unknown-event' }) }
      const busy = await this.#busy(resource, calendar, uid, now)
      const version = { sequence, stamp }
      return managerAnswer({ ...busy, object, by, answer, version }, { policy: resource.policy })
    })
    const { db, decisions } = this.#parts
    const resource = await readBookable(db, resourceId)
    if (resource !== undefined) {
      decisions.record('booking', decision, {
        ...{ direction: 'in', account: { ...resource, kind: 'resource' } },
        ...{ sender: request.organizer, recipient: resource.email, ownDomains: [] },
        ...{ clientAddress: null, queueId: null, messageId: null },
      })
    }
    return decision
  }

  async purge(): Promise<void> {
    const { db, clock } = this.#parts
    const before = after(clock.now(), -keptDays * day)
    await removeRequests(db, before)
  }

  async #answerInvitation({ recipient, calendar: text, author }: ReceivedInvitation): Promise<Decision> {
    const uid = invitationUid(text)
    if (uid === undefined) return decide('booking.untouched', { problem: 'other-method' })
    return this.#change(recipient.id, uid, async (resource, calendar, now) => {
      const objects = await calendar.find(uid)
      const cancellations = await readCancellations(
        this.#parts.db,
        { kind: 'resource', id: resource.id },
        uid,
      )
      const busy = await this.#busy(resource, calendar, uid, now)
      const facts = { ...busy, calendar: text, sender: author, ownDomains: recipient.accountDomains }
      return booking({ ...facts, objects, cancellations }, { policy: resource.policy })
    })
  }

  async #busy(resource: BookableResource, calendar: ResourceCalendar, uid: string, now: number) {
    const all = await calendar.after(now - overlap)
    const own = new Set((await calendar.find(uid)).map(({ href }) => href))
    const others = all.filter(({ href }) => !own.has(href)).map(({ text }) => text)
    return { resource: resource.email, others, now, timeZone: this.#parts.config.MAILFLOW_TIME_ZONE }
  }

  /**
   * Decides and changes the calendar of a resource, one booking after the other, so that none of two that overlap are both
   * accepted.
   */
  #change(
    resourceId: number,
    uid: string,
    judge: (resource: BookableResource, calendar: ResourceCalendar, now: number) => Promise<BookingResult>,
  ): Promise<Decision> {
    const { db, clock, calendars } = this.#parts
    return db.transaction().execute(async (trx) => {
      await holdBookings(trx, resourceId)
      const resource = await readBookable(trx, resourceId)
      const calendar = resource && (await calendars.openResource(resource))
      if (resource === undefined || calendar === undefined) {
        return decide('booking.untouched', { problem: 'no-calendar' })
      }
      const now = clock.now()
      for (let attempt = 0; attempt < attempts; attempt++) {
        const result = await judge(resource, calendar, now.getTime() / 1000)
        const { edit, cancellations = [] } = result
        await keepCancellations(trx, { kind: 'resource', id: resource.id }, uid, cancellations, now)
        const outcome = edit === undefined ? 'applied' : await applyEdit(calendar, edit)
        if (outcome === 'no-folder') return decide('booking.untouched', { problem: 'no-calendar' })
        if (outcome === 'changed') continue
        await this.#tell(trx, resource, uid, result)
        return result.decision
      }
      throw new CalendarBusy()
    })
  }

  /** Tells the organizer, and asks the manager or ends the question. */
  async #tell(trx: Db, resource: BookableResource, uid: string, result: BookingResult): Promise<void> {
    const { clock, jobs } = this.#parts
    const { reply, question, edit, decision } = result
    if (reply !== undefined) await jobs.enqueue(trx, bookingReplyJob, { resourceId: resource.id, ...reply })
    if (question !== undefined && resource.managerId !== null && edit !== undefined && 'text' in edit) {
      const facts = { resourceId: resource.id, managerId: resource.managerId, uid, ...question.version }
      const request = { id: newUuid(), ...facts, ...questionFacts(edit.text, resource.email) }
      await keepRequest(trx, request, clock.now())
      await jobs.enqueue(trx, bookingQuestionJob, { id: request.id })
    } else if (decision.reason !== 'booking.awaits-manager' && decision.reason !== 'booking.unverified') {
      const isSettled = edit !== undefined || decision.facts.problem === 'not-waiting'
      if (isSettled) await dropRequest(trx, resource.id, uid)
    }
  }
}
