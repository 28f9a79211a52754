import { davPath } from './dav-client.ts'
import { splitAddress, technicalAddress } from './mailbox-names.ts'

/** Where the store keeps the bookings of a resource, and the user who may change them. */
export function resourceCalendar({ id, email }: { readonly id: number; readonly email: string }): {
  readonly owner: string
  readonly path: string
} {
  const owner = technicalAddress(splitAddress(email).domain)
  return { owner, path: davPath('calendars', owner, `rs${id}`) }
}
