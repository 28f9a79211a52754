import { type MailKind, mailKinds } from '@gatehouse/contract/directory/kinds'
import { eventKinds } from '../../domain/events/event-kinds.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { isDay } from '../../ui/data-table/day-filter.tsx'

/** What the filter calls the kinds of objects that records are about. */
export const objectLabels: Readonly<Record<MailKind, MessageKey>> = {
  user: 'words.user',
  domain: 'words.domain',
  group: 'words.distributionList',
  resource: 'words.resource',
  'shared-folder': 'words.sharedFolder',
}

/** What the address of the list may say. `object` is the number of one object, `actor` an address or a customer number. */
export const listOptions = {
  sorts: ['time'],
  order: 'desc',
  filters: {
    objectType: mailKinds,
    event: eventKinds,
    object: isNumber,
    actor: isActor,
    from: isDay,
    to: isDay,
  },
} as const

/** Whether a text names a person to the server; what is still being typed does not. */
export function isActor(text: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$/.test(text) || isNumber(text)
}

function isNumber(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text)
}
