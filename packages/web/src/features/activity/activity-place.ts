import { type MailKind, mailKinds } from '@gatehouse/contract/directory/kinds'
import { eventKinds } from '../../domain/events/event-kinds.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { isDay } from '../../ui/data-table/day-filter.tsx'

/** Filter labels of the kinds of objects in records. */
export const objectLabels: Readonly<Record<MailKind, MessageKey>> = {
  user: 'words.user',
  domain: 'words.domain',
  group: 'words.distributionList',
  resource: 'words.resource',
  'shared-folder': 'words.sharedFolder',
}

/** Query parameters of the list. `object` is an object's number, `actor` an address or a customer number. */
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

/** Whether the server accepts the text as an actor, as opposed to partial input. */
export function isActor(text: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$/.test(text) || isNumber(text)
}

function isNumber(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text)
}
