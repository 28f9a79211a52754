import type { StoredObject } from '../calendar-edit.ts'
import type { CalendarKind } from '../components.ts'

/** Whose calendars. */
export interface CalendarOwner {
  readonly userId: number
  readonly email: string
}

/**
 * The event and task calendars of one user, as CalDAV has them (RFC 4791). Changes are conditional: they return false if the
 * object isn't as it was (412), and the caller decides again. Everything else that fails throws.
 */
export interface UserCalendars {
  /** Objects with exactly this UID, in all calendars that the user owns; not in scheduling inboxes. */
  find(uid: string): Promise<readonly StoredObject[]>
  /** The calendar for new objects; undefined: there is none for this kind. */
  defaultFolder(kind: CalendarKind): Promise<string | undefined>
  /** Creates an object unless one has its name (`If-None-Match: *`). */
  create(folder: string, name: string, text: string): Promise<boolean>
  /** `If-Match`; without a tag, unconditional. */
  replace(href: string, etag: string | null, text: string): Promise<boolean>
  /** Same as `replace`. An object that is gone counts as changed. */
  remove(href: string, etag: string | null): Promise<boolean>
}

/** The calendar of a resource. */
export interface ResourceCalendar extends UserCalendars {
  /** Objects that take place after a moment, in epoch seconds, at least in part. */
  after(moment: number): Promise<readonly StoredObject[]>
}

/** Calendars in a groupware back end. */
export interface Calendars {
  /** Undefined: the back end has no calendars, or not for this user. */
  open(owner: CalendarOwner): Promise<UserCalendars | undefined>
  /** Undefined: the back end has no calendars, or not for this resource. */
  openResource(resource: {
    readonly id: number
    readonly email: string
  }): Promise<ResourceCalendar | undefined>
}

/** For back ends without calendars: invitations are delivered as they are. */
export const noCalendars: Calendars = {
  open: async () => undefined,
  openResource: async () => undefined,
}
