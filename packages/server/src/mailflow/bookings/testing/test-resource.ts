import type { CalendarEdit } from '../../invitations/calendar-edit.ts'
import type { Cancellation } from '../../invitations/cancellations.ts'
import { type BookingFacts, type BookingResult, type BookingSettings, booking } from '../booking.ts'
import { type ManagerAnswerFacts, managerAnswer } from '../manager-answer.ts'

/** Address of the resource in tests. */
export const resource = 'resource-1@acme.test'

/** A resource with a calendar that takes messages and answers one after the other. */
export class TestResource {
  /** Objects by the UID of their booking. */
  readonly objects = new Map<string, string>()
  cancellations: Cancellation[] = []
  settings: BookingSettings = { policy: 'accept' }
  now = Date.parse('2026-02-01T00:00:00Z') / 1000

  take(
    calendar: string,
    sender: BookingFacts['sender'] = { from: 'boss@acme.test', alignedDomain: 'acme.test' },
  ): BookingResult {
    const uid = uidOf(calendar)
    const cancellations = this.cancellations
    const result = booking(
      {
        ...this.busy(uid),
        calendar,
        sender,
        ownDomains: ['acme.test'],
        objects: this.stored(uid),
        cancellations,
      },
      this.settings,
    )
    this.apply(uid, result.edit)
    this.cancellations.push(...(result.cancellations ?? []))
    return result
  }

  answer(
    uid: string,
    answer: ManagerAnswerFacts['answer'],
    version: ManagerAnswerFacts['version'],
    by = 'manager@acme.test',
  ): BookingResult {
    const [object = { href: '/gone.ics', etag: null, text: '' }] = this.stored(uid)
    const result = managerAnswer({ ...this.busy(uid), object, by, answer, version }, this.settings)
    this.apply(uid, result.edit)
    return result
  }

  private busy(uid: string) {
    const others = [...this.objects].filter(([other]) => other !== uid).map(([, text]) => text)
    return { resource, others, now: this.now, timeZone: 'Europe/Zurich' }
  }

  private stored(uid: string) {
    const text = this.objects.get(uid)
    return text === undefined ? [] : [{ href: `/${uid}.ics`, etag: '"1"', text }]
  }

  private apply(uid: string, edit: CalendarEdit | undefined): void {
    if (edit?.kind === 'delete') this.objects.delete(uid)
    else if (edit !== undefined) this.objects.set(uid, edit.text)
  }
}

function uidOf(calendar: string): string {
  return /^UID:(.*)$/m.exec(calendar)?.[1]?.trim() ?? ''
}
