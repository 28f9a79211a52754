import type { StorageUse } from '../backend.ts'
import type { ImapAdmin } from './imap/imap-admin.ts'
import type { ImapAnswer } from './imap/imap-connection.ts'
import { ImapRefusedError } from './imap/imap-errors.ts'
import { astring, mailbox } from './imap/imap-syntax.ts'
import { decodeMailboxName } from './imap/modified-utf7.ts'
import { userMailbox } from './mailbox-names.ts'

/** Rights by identifier. */
export type Acl = ReadonlyMap<string, string>

/** Shared annotation with the id of the portal's object that a mailbox belongs to. */
const idEntry = '/shared/vendor/gatehouse/id'

/** Commands for mailboxes that succeed if the store is in the wanted state already. */
export class Mailboxes {
  readonly #imap: ImapAdmin
  readonly #admin: string

  constructor(imap: ImapAdmin, admin: string) {
    this.#imap = imap
    this.#admin = admin
  }

  /** Returns the mailboxes that match a pattern of LIST, or whose name is exactly this. */
  async list(pattern: string): Promise<string[]> {
    const { responses } = await this.#imap.run(`LIST "" ${mailbox(pattern)}`)
    return responses.flatMap(([kind, , , name]) =>
      kind === 'LIST' && typeof name === 'string' ? [decodeMailboxName(name)] : [],
    )
  }

  /** Returns the folders below a mailbox, without itself. */
  async below(name: string): Promise<string[]> {
    const at = name.lastIndexOf('@')
    const prefix = `${name.slice(0, at)}/`
    // characters of the name may be wildcards
    return (await this.list(`${prefix}*${name.slice(at)}`)).filter((one) => one.startsWith(prefix))
  }

  async exists(name: string): Promise<boolean> {
    return (await this.list(name)).includes(name)
  }

  async create(name: string): Promise<void> {
    await this.#unless(() => this.exists(name), `CREATE ${mailbox(name)}`)
  }

  /** Moves a mailbox with everything below it. */
  async rename(from: string, to: string): Promise<void> {
    const rename = () => this.#imap.run(`RENAME ${mailbox(from)} ${mailbox(to)}`)
    try {
      await rename()
    } catch (error) {
      // a store that dies while it moves a user can leave folders whose quota has moved already
      if (!(error instanceof ImapRefusedError && /quota root does not exist/i.test(error.answer))) throw error
      await this.#imap.run(`SETQUOTA ${mailbox(from)} ()`)
      await rename()
    }
  }

  /** Deletes a mailbox; the store keeps it under another name for a while. */
  async remove(name: string): Promise<void> {
    const isGone = async () => !(await this.exists(name))
    await this.#unless(isGone, `SETACL ${mailbox(name)} ${astring(this.#admin)} xc`)
    await this.#unless(isGone, `DELETE ${mailbox(name)}`)
  }

  /** Lets the administrator read and move a mailbox that isn't theirs. */
  async allowChanges(name: string): Promise<void> {
    await this.setRights(name, this.#admin, 'lrxc')
  }

  async removeOwnRights(name: string): Promise<void> {
    await this.removeRights(name, this.#admin)
  }

  /** Counts the messages of a mailbox and adds up their bytes. */
  async readSize(name: string): Promise<{ messages: number; size: number }> {
    await this.allowChanges(name)
    const { responses } = await this.#imap.run(`STATUS ${mailbox(name)} (MESSAGES SIZE)`)
    const items = responses.find(([kind]) => kind === 'STATUS')?.[2]
    const words = Array.isArray(items) ? items : []
    const numberOf = (item: string) => Number(words[words.indexOf(item) + 1] ?? 0)
    return { messages: numberOf('MESSAGES'), size: numberOf('SIZE') }
  }

  /** Returns a folder's name below its owner; another one if there is such a folder. */
  async freeFolder(owner: string, folder: string): Promise<string> {
    for (let count = 1; ; count++) {
      const name = count === 1 ? folder : `${folder} ${count}`
      if (!(await this.exists(userMailbox(owner, name)))) return name
    }
  }

  async readAcl(name: string): Promise<Acl> {
    const { responses } = await this.#imap.run(`GETACL ${mailbox(name)}`)
    const words = responses.find(([kind]) => kind === 'ACL')?.slice(2) ?? []
    const acl = new Map<string, string>()
    for (let at = 0; at + 1 < words.length; at += 2) acl.set(String(words[at]), String(words[at + 1]))
    return acl
  }

  async setRights(name: string, identifier: string, rights: string): Promise<void> {
    await this.#imap.run(`SETACL ${mailbox(name)} ${astring(identifier)} ${astring(rights)}`)
  }

  async removeRights(name: string, identifier: string): Promise<void> {
    await this.#imap.run(`DELETEACL ${mailbox(name)} ${astring(identifier)}`)
  }

  /** Gives exactly these rights, apart from those of the owner and the administrator. */
  async setAcl(name: string, wanted: Acl, owner: string): Promise<void> {
    const current = await this.readAcl(name)
    for (const [identifier, rights] of wanted) {
      if (!hasSameRights(current.get(identifier), rights)) await this.setRights(name, identifier, rights)
    }
    for (const identifier of current.keys()) {
      const isKept = wanted.has(identifier) || identifier === owner || identifier === this.#admin
      if (!isKept) await this.removeRights(name, identifier)
    }
  }

  async setQuota(name: string, limit: number | null): Promise<void> {
    const resources = limit === null ? '' : `STORAGE ${limit}`
    await this.#imap.run(`SETQUOTA ${mailbox(name)} (${resources})`)
  }

  /** Returns the quota of a user's inbox. */
  async readQuota(name: string): Promise<StorageUse> {
    const { responses } = await this.#imap.run(`GETQUOTAROOT ${mailbox(name)}`)
    const resources = responses.find(([kind]) => kind === 'QUOTA')?.[2]
    const words = Array.isArray(resources) ? resources : []
    const at = words.indexOf('STORAGE')
    return at === -1
      ? { used: 0, limit: null }
      : { used: Number(words[at + 1]), limit: Number(words[at + 2]) }
  }

  /** Returns the id of the object that a mailbox belongs to; undefined if it isn't marked. */
  async readId(name: string): Promise<number | undefined> {
    const value = await this.readAnnotation(name, idEntry)
    return value === undefined ? undefined : Number(value)
  }

  /** Returns the value of an annotation; undefined if it isn't set. */
  async readAnnotation(name: string, entry: string): Promise<string | undefined> {
    const { responses } = await this.#imap.run(`GETMETADATA ${mailbox(name)} ${entry}`)
    const entries = responses.find(([kind]) => kind === 'METADATA')?.[2]
    const value = Array.isArray(entries) ? entries[1] : undefined
    return typeof value === 'string' ? value : undefined
  }

  /** Marks a mailbox as belonging to an object, once it is complete. */
  async writeId(name: string, id: number): Promise<void> {
    await this.annotate(name, idEntry, String(id))
  }

  async annotate(name: string, entry: string, value: string): Promise<void> {
    await this.#imap.run(`SETMETADATA ${mailbox(name)} (${entry} ${astring(value)})`)
  }

  /** Runs a command, whose refusal doesn't matter if its effect is there. */
  async #unless(isDone: () => Promise<boolean>, command: string): Promise<ImapAnswer | undefined> {
    try {
      return await this.#imap.run(command)
    } catch (error) {
      if (error instanceof ImapRefusedError && (await isDone())) return undefined
      throw error
    }
  }
}

/** Compares rights regardless of their order. */
export function hasSameRights(one: string | undefined, other: string): boolean {
  return one !== undefined && one.split('').sort().join('') === other.split('').sort().join('')
}
