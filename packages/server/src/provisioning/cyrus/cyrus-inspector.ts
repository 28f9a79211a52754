import type { BackendFolder, BackendResource, BackendUser } from '../backend.ts'
import { NullBackend } from '../null-backend.ts'
import type { CyrusBackend } from './cyrus-backend.ts'
import { aclOf, placeOf, resourcePlace } from './cyrus-folders.ts'
import { deletedAddress, splitAddress, technicalAddress, userMailbox } from './mailbox-names.ts'
import { hasSameRights, type Mailboxes } from './mailboxes.ts'

/** Takes the place of the back end and changes nothing: compares what it is told with the store. */
export class CyrusInspector extends NullBackend {
  readonly #mailboxes: Mailboxes
  readonly #inboxes = new Set<string>()
  #differences: string[] = []

  constructor({ parts }: Pick<CyrusBackend, 'parts'>) {
    super()
    this.#mailboxes = parts.mailboxes
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
    const own = (await this.#mailboxes.readAcl(inbox)).get(email.toLowerCase())
    if (own === undefined) this.#note(inbox, 'its owner has no rights')
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
