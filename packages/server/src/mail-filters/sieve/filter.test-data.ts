import type { FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import type { ReplyPeople } from './write-script.ts'

/** A rule that files invoices, with changes. */
export function testRule(changes: Partial<FilterRule> = {}): FilterRule {
  return {
    ...{ name: 'Invoices', isEnabled: true, match: 'all', isLast: false },
    conditions: [{ field: 'subject', test: 'contains', value: 'invoice' }],
    actions: [{ kind: 'file', folder: 'Invoices' }],
    ...changes,
  }
}

/** An automatic reply that is turned on, with changes. */
export function testReply(changes: Partial<OutOfOffice> = {}): OutOfOffice {
  return {
    ...{
      isEnabled: true,
      from: null,
      until: null,
      timeZone: 'Europe/Zurich',
      subject: null,
      text: 'I am away.',
    },
    ...{ days: 7, audience: 'everyone', addresses: [] },
    ...changes,
  }
}

/** No automatic reply. */
export const noReply = testReply({ isEnabled: false, text: null })

export const testPeople: ReplyPeople = {
  own: ['jane@acme.test', 'j@acme.test'],
  known: ['bob@other.test'],
  organisation: { domains: ['acme.test'], addresses: [] },
}
