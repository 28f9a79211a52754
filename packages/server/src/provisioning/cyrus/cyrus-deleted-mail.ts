import { type DeletedFolder, type DeletedMailStore, NoRoomToRestore } from '../deleted-mail.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { ImapRefusedError } from './imap/imap-errors.ts'
import { mailbox } from './imap/imap-syntax.ts'
import { countRestorable, restoreMessages } from './jmap-backup.ts'
import { splitAddress, userMailbox } from './mailbox-names.ts'
import type { Mailboxes } from './mailboxes.ts'

/** Folders that are counted and listed at most, latest first. */
const mostListed = 200

/**
 * Deleted mail in Cyrus. With delayed deletion, folders stay below `DELETED/user/<name>` with the time of the
 * deletion in their name, where only the administrator sees them; messages stay in their folder, invisible.
 */
export class CyrusDeletedMail implements DeletedMailStore {
  readonly #parts: CyrusParts

  constructor(parts: CyrusParts) {
    this.#parts = parts
  }

  async listFolders(email: string): Promise<readonly DeletedFolder[] | undefined> {
    const { mailboxes } = this.#parts
    if (!(await mailboxes.exists(userMailbox(email)))) return undefined
    const names = (await deletedMailboxes(mailboxes, email)).map((name) => ({ name, ...read(name, email) }))
    const folders = names.filter(({ folder }) => folder !== '' && !folder.startsWith('#'))
    folders.sort((one, other) => other.deletedAt.getTime() - one.deletedAt.getTime())
    const listed: DeletedFolder[] = []
    for (const { name, id, folder, deletedAt } of folders.slice(0, mostListed)) {
      listed.push({ id, name: folder, deletedAt, ...(await mailboxes.readSize(name)) })
    }
    return listed
  }

  async restoreFolder(email: string, id: string): Promise<string | undefined> {
    const { imap, mailboxes } = this.#parts
    const deleted = (await deletedMailboxes(mailboxes, email)).find((name) => read(name, email).id === id)
    if (deleted === undefined) return undefined
    const folder = await mailboxes.freeFolder(email, read(deleted, email).folder)
    try {
      await mailboxes.allowChanges(deleted)
      await mailboxes.rename(deleted, userMailbox(email, folder))
    } catch (error) {
      if (error instanceof ImapRefusedError && /quota/i.test(error.answer)) throw new NoRoomToRestore()
      throw error
    }
    await mailboxes.removeOwnRights(userMailbox(email, folder))
    await imap.asUser(email, (connection) => connection.run(`SUBSCRIBE ${mailbox(folder)}`))
    return folder
  }

  countMessages(email: string, periods: readonly number[]): Promise<readonly number[]> {
    return countRestorable(this.#parts.dav, email, periods)
  }

  restoreMessages(email: string, days: number): Promise<number> {
    return restoreMessages(this.#parts.dav, email, days)
  }
}

/**
 * Deletes for good what the store keeps of an address's deleted folders, so that the next user of the address
 * can't restore the mail of another person.
 */
export async function forgetDeletedFolders(mailboxes: Mailboxes, email: string): Promise<void> {
  // mailboxes that were deleted before are removed at once
  for (const name of await deletedMailboxes(mailboxes, email)) await mailboxes.remove(name)
}

async function deletedMailboxes(mailboxes: Mailboxes, email: string): Promise<string[]> {
  const { local, domain } = splitAddress(email)
  const prefix = `DELETED/user/${local}/`
  // characters of the name may be wildcards
  return (await mailboxes.list(`${prefix}*@${domain}`)).filter((name) => name.startsWith(prefix))
}

/** Reads `DELETED/user/<name>/<folder>/<hexadecimal time>@<domain>`. */
function read(name: string, email: string): { id: string; folder: string; deletedAt: Date } {
  const { local } = splitAddress(email)
  const id = name.slice(`DELETED/user/${local}/`.length, name.lastIndexOf('@'))
  const at = id.lastIndexOf('/')
  const seconds = Number.parseInt(id.slice(at + 1), 16)
  return { id, folder: id.slice(0, Math.max(0, at)), deletedAt: new Date(seconds * 1000) }
}
