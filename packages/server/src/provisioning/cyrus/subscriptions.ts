import type { CyrusParts } from './cyrus-parts.ts'
import { ImapRefusedError } from './imap/imap-errors.ts'
import { mailbox } from './imap/imap-syntax.ts'
import { otherUsersFolder } from './mailbox-names.ts'

/**
 * Shows an owner's folders in another user's programs; `undefined` is the inbox. Calendars and address books
 * appear only if they are subscribed. Folders that the user can't see are skipped.
 */
export function subscribe(
  parts: CyrusParts,
  owner: string,
  folders: readonly (string | undefined)[],
  user: string,
): Promise<void> {
  return change(parts, 'SUBSCRIBE', { owner, folders, user })
}

export function unsubscribe(
  parts: CyrusParts,
  owner: string,
  folders: readonly (string | undefined)[],
  user: string,
): Promise<void> {
  return change(parts, 'UNSUBSCRIBE', { owner, folders, user })
}

async function change(
  { imap }: CyrusParts,
  command: 'SUBSCRIBE' | 'UNSUBSCRIBE',
  what: { readonly owner: string; readonly folders: readonly (string | undefined)[]; readonly user: string },
): Promise<void> {
  const { owner, folders, user } = what
  if (folders.length === 0) return
  await imap.asUser(user, async (connection) => {
    const results = await Promise.allSettled(
      folders.map((folder) => connection.run(`${command} ${mailbox(otherUsersFolder(owner, folder, user))}`)),
    )
    for (const result of results) {
      if (result.status === 'rejected' && !(result.reason instanceof ImapRefusedError)) throw result.reason
    }
  })
}
