import type { CalendarEdit } from '../calendar-edit.ts'
import type { Cancellation } from '../cancellations.ts'
import { type InvitationFacts, type InvitationResult, invitation } from '../invitation.ts'
import { linesOf } from './calendar-texts.ts'

const on = { isOn: true }
/** The organiser of the events in tests. */
export const boss = { from: 'boss@acme.test', alignedDomain: 'acme.test' }
/** An attendee elsewhere. */
export const bob = { from: 'bob@partner.test', alignedDomain: 'partner.test' }

/** Reason and problem of a decision. */
export function outcome({ decision: { reason, facts } }: InvitationResult) {
  return [reason, facts.problem]
}

/** A calendar that takes messages one after the other. */
export class TestCalendar {
  text: string | undefined
  cancellations: Cancellation[] = []

  constructor(
    text?: string,
    private readonly addresses: readonly string[] = ['jane@acme.test'],
  ) {
    this.text = text
  }

  take(calendar: string, sender: InvitationFacts['sender'] = boss, more: Partial<InvitationFacts> = {}) {
    const result = invitation(this.facts(calendar, sender, more), on)
    this.apply(result.edit)
    this.cancellations.push(...(result.cancellations ?? []))
    return result
  }

  facts(
    calendar: string,
    sender: InvitationFacts['sender'] = boss,
    more: Partial<InvitationFacts> = {},
  ): InvitationFacts {
    const objects = this.text === undefined ? [] : [{ href: '/1.ics', etag: '"1"', text: this.text }]
    const { addresses, cancellations } = this
    return { calendar, sender, addresses, ownDomains: ['acme.test'], objects, cancellations, ...more }
  }

  lines(...names: string[]): string[] {
    return linesOf(this.text ?? '', ...names)
  }

  private apply(edit: CalendarEdit | undefined): void {
    if (edit?.kind === 'delete') this.text = undefined
    else if (edit !== undefined) this.text = edit.text
  }
}
