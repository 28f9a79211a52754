import type { CyrusParts } from './cyrus-parts.ts'
import { decodeMailboxName } from './imap/modified-utf7.ts'
import { splitAddress, userMailbox } from './mailbox-names.ts'

const othersFolder = /^Other Users\/([^/@]+)(?:@([^/]+))?/

/**
 * Gives a user the rights in other users' folders that are still registered for a previous address. The store
 * lists no calendars and address books to users, so their owners are found by what the user subscribed to.
 */
export async function moveRights({ imap, mailboxes }: CyrusParts, from: string, to: string): Promise<void> {
  const shown = async (user: string, command: string) => {
    const { responses } = await imap.asUser(user, (connection) =>
      connection.run(`${command} "" "Other Users/*"`),
    )
    return responses.map(([, , , name]) => decodeMailboxName(String(name)))
  }
  const owners = new Set<string>()
  const seen = [
    { user: from, names: await shown(from, 'LIST') },
    // subscriptions move together with the mail
    { user: to, names: await shown(to, 'LSUB') },
  ]
  for (const { user, names } of seen) {
    for (const name of names) {
      const [, local, domain = splitAddress(user).domain] = othersFolder.exec(name) ?? []
      if (local !== undefined) owners.add(userMailbox(`${local}@${domain}`))
    }
  }
  for (const inbox of owners) {
    if (!(await mailboxes.exists(inbox))) continue
    for (const name of [inbox, ...(await mailboxes.below(inbox))]) {
      const rights = (await mailboxes.readAcl(name)).get(from)
      if (rights === undefined) continue
      await mailboxes.setRights(name, to, rights)
      await mailboxes.removeRights(name, from)
    }
  }
}
