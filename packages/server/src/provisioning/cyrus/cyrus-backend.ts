import type { Clock } from '../../platform/clock.ts'
import type {
  BackendDelegation,
  BackendDomain,
  BackendFolder,
  BackendResource,
  BackendUser,
  GroupwareBackend,
  StorageUse,
} from '../backend.ts'
import { removeDelegation, syncDelegation } from './cyrus-delegations.ts'
import { removeFolder, removeResource, syncFolder, syncResource } from './cyrus-folders.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { purgeUsers, removeAll, removeUser, syncUser } from './cyrus-users.ts'
import { DavClient } from './dav-client.ts'
import { ImapAdmin } from './imap/imap-admin.ts'
import type { ImapAddress, ImapCredentials } from './imap/imap-connection.ts'
import { technicalAddress, userMailbox } from './mailbox-names.ts'
import { Mailboxes } from './mailboxes.ts'

export interface CyrusOptions {
  readonly imap: ImapAddress
  readonly sieve: ImapAddress
  /** URL of the HTTP services, such as `http://127.0.0.1:8008`. */
  readonly davUrl: string
  /** File with the key that signs tokens for them. */
  readonly keyFile: string
  readonly admin: ImapCredentials
  /** IMAP connections at the same time. */
  readonly connections: number
  readonly clock: Clock
}

/**
 * Cyrus IMAP as the groupware. Creating and updating are the same: each call brings the store into the wanted
 * state from whatever state an earlier call has left. Shared folders and resources belong to a technical user of
 * their domain, because calendars and address books can exist only below a user. Distribution lists, aliases
 * and roles concern only the mail server.
 */
export class CyrusBackend implements GroupwareBackend {
  /** `anyone` in Cyrus is every user of the installation. */
  readonly needsMembers = true
  readonly parts: CyrusParts
  readonly #clock: Clock

  constructor({ imap, sieve, davUrl, keyFile, admin, connections, clock }: CyrusOptions) {
    this.#clock = clock
    const commands = new ImapAdmin({ address: imap, credentials: admin, limit: connections })
    this.parts = {
      imap: commands,
      mailboxes: new Mailboxes(commands, admin.name),
      dav: new DavClient({ url: davUrl, keyFile, clock }),
      sieve: { ...sieve, ...admin },
    }
  }

  createUser(user: BackendUser): Promise<void> {
    return syncUser(this.parts, user)
  }

  updateUser(user: BackendUser): Promise<void> {
    return syncUser(this.parts, user)
  }

  deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void> {
    return removeUser(this.parts, user, this.#clock.now())
  }

  purgeUsers(before: Date): Promise<void> {
    return purgeUsers(this.parts, before)
  }

  async readUsage({ email }: Pick<BackendUser, 'email'>): Promise<StorageUse | undefined> {
    const { mailboxes } = this.parts
    const inbox = userMailbox(email)
    return (await mailboxes.exists(inbox)) ? mailboxes.readQuota(inbox) : undefined
  }

  // the technical user of a domain is created with its first shared folder
  async createDomain(): Promise<void> {}

  async updateDomain(): Promise<void> {}

  async deleteDomain({ namespace }: Pick<BackendDomain, 'id' | 'namespace'>): Promise<void> {
    await removeAll(this.parts.mailboxes, technicalAddress(namespace))
  }

  async createGroup(): Promise<void> {}

  async updateGroup(): Promise<void> {}

  async deleteGroup(): Promise<void> {}

  createResource(resource: BackendResource): Promise<void> {
    return syncResource(this.parts, resource)
  }

  updateResource(resource: BackendResource): Promise<void> {
    return syncResource(this.parts, resource)
  }

  deleteResource(resource: Pick<BackendResource, 'id' | 'path'>): Promise<void> {
    return removeResource(this.parts, resource)
  }

  createFolder(folder: BackendFolder): Promise<void> {
    return syncFolder(this.parts, folder)
  }

  updateFolder(folder: BackendFolder): Promise<void> {
    return syncFolder(this.parts, folder)
  }

  deleteFolder(folder: Pick<BackendFolder, 'id' | 'path'>): Promise<void> {
    return removeFolder(this.parts, folder)
  }

  createDelegation(delegation: BackendDelegation): Promise<void> {
    return syncDelegation(this.parts, delegation)
  }

  updateDelegation(delegation: BackendDelegation): Promise<void> {
    return syncDelegation(this.parts, delegation)
  }

  deleteDelegation(delegation: BackendDelegation): Promise<void> {
    return removeDelegation(this.parts, delegation)
  }

  /** Signs in and reads the list of mailboxes, which succeeds only if the store works. */
  async check(): Promise<void> {
    await this.parts.mailboxes.list('user/%')
  }

  close(): void {
    this.parts.imap.close()
  }
}
