import { isObjectKind, type ObjectKind, objectPages } from '../../domain/directory/object-pages.ts'
import { eventKinds } from '../../domain/events/event-kinds.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import type { Permission } from '../../platform/session/auth.ts'
import { isDay } from '../../ui/data-table/day-filter.tsx'

/** Kinds of objects that records are about, with the page that each has and who may open it. */
export const objectKinds = {
  user: { ...objectPages.user, label: 'activity.objectUser' },
  domain: { ...objectPages.domain, label: 'activity.objectDomain' },
  group: { ...objectPages.group, label: 'activity.objectList' },
  resource: { ...objectPages.resource, label: 'activity.objectResource' },
  'shared-folder': { ...objectPages['shared-folder'], label: 'activity.objectFolder' },
} as const satisfies Record<ObjectKind, { label: MessageKey; path: string; perm: Permission }>

/** The kinds in the order of the filter. */
export const objectTypes = Object.keys(objectKinds).filter(isObjectKind)

/** What the address of the list may say. `actor` is an address or a customer number. */
export const listOptions = {
  sorts: ['time'],
  order: 'desc',
  filters: { objectType: objectTypes, event: eventKinds, actor: isActor, from: isDay, to: isDay },
} as const

/** Whether a text names a person to the server; what is still being typed does not. */
export function isActor(text: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$/.test(text) || /^[1-9]\d{0,9}$/.test(text)
}
