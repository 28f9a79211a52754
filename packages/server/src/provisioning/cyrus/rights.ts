import type { BackendAccess } from '../backend.ts'

/** Rights of IMAP (RFC 4314) for each right in the portal. Nobody but the owner may grant access. */
const imapRights: Readonly<Record<BackendAccess['right'], string>> = {
  'read-only': 'lrs',
  'read-write': 'lrswitedn',
  full: 'lrswipkxtecdn',
}

/** Right of Cyrus to see when a calendar is busy. */
export const freeBusy = '9'

/** Returns the rights in a mail folder, address book or file folder. */
export function folderRights(right: BackendAccess['right']): string {
  return imapRights[right]
}

/** Returns the rights in a calendar or task list. */
export function calendarRights(right: BackendAccess['right']): string {
  return `${imapRights[right]}${freeBusy}`
}

const bySize: readonly BackendAccess['right'][] = ['read-only', 'read-write', 'full']

/** Returns the right that includes the other. */
export function largerRight(
  one: BackendAccess['right'] | undefined,
  other: BackendAccess['right'],
): BackendAccess['right'] {
  return one !== undefined && bySize.indexOf(one) > bySize.indexOf(other) ? one : other
}

/** Whether the portal could have granted these rights, as opposed to the owner with another program. */
export function isGrantedByPortal(rights: string): boolean {
  const without = rights
    .split('')
    .filter((one) => one !== freeBusy)
    .sort()
  return Object.values(imapRights).some((known) => known.split('').sort().join('') === without.join(''))
}
