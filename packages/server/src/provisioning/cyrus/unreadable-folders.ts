import type { ImapAdmin } from './imap/imap-admin.ts'
import { ImapRefusedError } from './imap/imap-errors.ts'
import { mailbox } from './imap/imap-syntax.ts'
import { folderOf } from './mailbox-names.ts'

export interface UnreadableFolder {
  readonly name: string
  /** The store's own words. */
  readonly answer: string
}

/** Opens folders as their owner, and returns those that the store can't open, such as after a crash. */
export function unreadableFolders(
  imap: ImapAdmin,
  owner: string,
  names: readonly string[],
): Promise<UnreadableFolder[]> {
  return imap.asUser(owner, async (connection) => {
    const found = await Promise.all(
      names.map(async (name) => {
        try {
          await connection.run(`STATUS ${mailbox(folderOf(name) ?? 'INBOX')} (MESSAGES)`)
          return []
        } catch (error) {
          if (error instanceof ImapRefusedError) return [{ name, answer: error.answer }]
          throw error
        }
      }),
    )
    return found.flat()
  })
}
