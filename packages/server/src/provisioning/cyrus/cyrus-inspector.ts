import type { BackendFolder, BackendResource, BackendUser } from '../backend.ts'
import { NullBackend } from '../null-backend.ts'
import type { CyrusBackend } from './cyrus-backend.ts'
import { aclOf, placeOf, resourcePlace } from './cyrus-folders.ts'
import type { ImapAdmin } from './imap/imap-admin.ts'
import { deletedAddress, folderOf, splitAddress, technicalAddress, userMailbox } from './mailbox-names.ts'
import { hasSameRights, type Mailboxes } from './mailboxes.ts'
import { canRead } from './own-rights.ts'
import { unreadableFolders } from './unreadable-folders.ts'

/** Takes the place of the back end and changes nothing: compares what it is told with the store. */
export class CyrusInspector extends NullBackend {
  readonly #mailboxes: Mailboxes
  readonly #imap: ImapAdmin
  readonly #inboxes = new Set<string>()
  #differences: string[] = []

  constructor({ parts }: Pick<CyrusBackend, 'parts'>) {
    super()
    this.#mailboxes = parts.mailboxes
    this.#imap = parts.imap
  }

  /** Returns the differences found since the last call. */
  takeDifferences(): string[] {
    const found = this.#differences
    this.#differences = []
    return found
  }

  /** Returns the inboxes in the store that belong to nobody who was inspected. */
  async strangers(): Promise<string[]> {
    const all = await this.#mailboxes.list('user/%@*')
    const isOwn = (inbox: string) => {
      const address = inbox.slice('user/'.length)
      const { domain } = splitAddress(address)
      return address === technicalAddress(domain) || domain === splitAddress(deletedAddress(0)).domain
    }
    return all
      .filter((name) => name.split('/').length === 2 && !this.#inboxes.has(name) && !isOwn(name))
      .sort()
  }

  override async updateUser({ id, email, quota }: BackendUser): Promise<void> {
    const inbox = userMailbox(email)
    this.#inboxes.add(inbox)
    if (!(await this.#belongsTo(inbox, id))) return
    const { limit } = await this.#mailboxes.readQuota(inbox)
    if (limit !== quota) this.#note(inbox, `quota is ${limit ?? 'unlimited'}, not ${quota ?? 'unlimited'}`)
    await this.#inspectFolders(email.toLowerCase())
  }

  /** Looks for folders that their owner doesn't see, or that the store can't open. */
  async #inspectFolders(email: string): Promise<void> {
    const inbox = userMailbox(email)
    const names = [inbox, ...(await this.#mailboxes.below(inbox))]
    const owned = await Promise.all(
      names.map(async (name) => {
        const acl = await this.#mailboxes.readAcl(name)
        const isReadable = canRead(acl, email)
        if (!isReadable) this.#note(name, 'its owner has no rights')
        return isReadable && !folderOf(name)?.startsWith('#') ? [name] : []
      }),
    )
    const found = await unreadableFolders(this.#imap, email, owned.flat())
    for (const { name, answer } of found) {
      this.#note(
        name,
        `the store can't open it (${answer}). Repair it on its host: cyrus reconstruct -f "${name}"`,
      )
    }
  }

  override createUser(user: BackendUser): Promise<void> {
    return this.updateUser(user)
  }

  override async updateFolder(folder: BackendFolder): Promise<void> {
    const { owner, folder: path } = placeOf(folder, folder.path)
    const name = userMailbox(owner, path)
    if (!(await this.#belongsTo(name, folder.id))) return
    const [current, wanted] = [await this.#mailboxes.readAcl(name), aclOf(folder)]
    for (const [identifier, rights] of wanted) {
      if (hasSameRights(current.get(identifier), rights)) continue
      this.#note(name, `rights of ${identifier} are ${current.get(identifier) ?? 'none'}, not ${rights}`)
    }
    for (const identifier of current.keys()) {
      const isExpected = wanted.has(identifier) || identifier === owner || !/@|^anyone$/.test(identifier)
      if (!isExpected) this.#note(name, `${identifier} has rights`)
    }
  }

  override createFolder(folder: BackendFolder): Promise<void> {
    return this.updateFolder(folder)
  }

  override async updateResource({ id, path }: BackendResource): Promise<void> {
    const { owner, folder } = resourcePlace(id, path)
    await this.#belongsTo(userMailbox(owner, folder), id)
  }

  override createResource(resource: BackendResource): Promise<void> {
    return this.updateResource(resource)
  }

  async #belongsTo(name: string, id: number): Promise<boolean> {
    if (!(await this.#mailboxes.exists(name))) {
      this.#note(name, 'missing')
      return false
    }
    const marked = await this.#mailboxes.readId(name)
    if (marked === id) return true
    this.#note(name, marked === undefined ? 'incomplete' : `belongs to object ${marked}, not ${id}`)
    return false
  }

  #note(name: string, problem: string): void {
    this.#differences.push(`${name}: ${problem}`)
  }
}
