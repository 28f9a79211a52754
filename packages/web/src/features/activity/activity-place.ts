import type { Permission } from '../../app/auth.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { isDay } from '../../ui/data-table/day-filter.tsx'
import { eventKinds } from '../../ui/events/event-kinds.ts'

/** Kinds of objects that records are about, with the page that each has and who may open it. */
export const objectKinds = {
  user: { label: 'activity.objectUser', path: '/user', perm: 'users' },
  domain: { label: 'activity.objectDomain', path: '/domain', perm: 'domains' },
  group: { label: 'activity.objectList', path: '/distlist', perm: 'distlists' },
  resource: { label: 'activity.objectResource', path: '/resource', perm: 'resources' },
  'shared-folder': { label: 'activity.objectFolder', path: '/shared-folder', perm: 'folders' },
} as const satisfies Record<string, { label: MessageKey; path: string; perm: Permission }>

export type ObjectKind = keyof typeof objectKinds

export function isObjectKind(type: string): type is ObjectKind {
  return Object.hasOwn(objectKinds, type)
}

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

/** The first second of a day where the reader is, as the server takes it (UTC). */
export function firstMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T00:00:00`))
}

/** The last second of a day where the reader is, as the server takes it (UTC). */
export function lastMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T23:59:59`))
}

function utc(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
