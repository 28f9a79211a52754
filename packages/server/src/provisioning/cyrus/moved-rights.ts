import type { CyrusParts } from './cyrus-parts.ts'
import { decodeMailboxName } from './imap/modified-utf7.ts'
import { userMailbox } from './mailbox-names.ts'

/** What a user sees of others' folders; the store hides calendars and address books unless they are asked for. */
const patterns = ['Other Users/*', 'Other Users/%/#calendars/*', 'Other Users/%/#addressbooks/*']

/** Gives a user the rights in other users' folders that are still registered for a previous address. */
export async function moveRights({ imap, mailboxes }: CyrusParts, from: string, to: string): Promise<void> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const seen = await imap.asUser(from, async (connection) => {
    const answers = await Promise.all(patterns.map((pattern) => connection.run(`LIST "" "${pattern}"`)))
    return answers.flatMap(({ responses }) =>
      responses.flatMap(([kind, , , name]) => (kind === 'LIST' ? [decodeMailboxName(String(name))] : [])),
    )
  })
  for (const name of new Set(seen)) {
    const [, owner = '', ...folder] = name.split('/')
    const shown = userMailbox(`${owner}@${domain}`, folder.length === 0 ? undefined : folder.join('/'))
    const rights = (await mailboxes.exists(shown)) ? (await mailboxes.readAcl(shown)).get(from) : undefined
    if (rights === undefined) continue
    await mailboxes.setRights(shown, to, rights)
    await mailboxes.removeRights(shown, from)
  }
}
