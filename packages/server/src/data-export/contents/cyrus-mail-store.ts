import { archiveName } from '../../files/file-name.ts'
import { foreignPrefixes, type ListedFolder, listFolders } from '../../mail-import/imap/folder-list.ts'
import { ImapSession } from '../../mail-import/imap/imap-session.ts'
import { ImapNo } from '../../mail-import/imap/session-errors.ts'
import { type StoreAccess, storeAccess } from '../../mail-import/target/mail-target.ts'
import type { GroupwareBackend } from '../../provisioning/backend.ts'
import type { BackendSettings } from '../../provisioning/backend-settings.ts'
import { CyrusBackend } from '../../provisioning/cyrus/cyrus-backend.ts'
import type { DavClient } from '../../provisioning/cyrus/dav-client.ts'
import type { Member } from '../archive/archive-writer.ts'
import { davMembers } from './dav-collections.ts'
import type { MailOwner, MailStore, Omission } from './mail-store.ts'
import { openedFolder, readMailbox } from './read-folder.ts'
import type { OnProgress } from './write-records.ts'

/** Folders of a mailbox, at most. */
const mostFolders = 10_000

/** Returns the mail store of a groupware; undefined if there is none. */
export function mailStoreOf(settings: BackendSettings, backend: GroupwareBackend): MailStore | undefined {
  const access = storeAccess(settings)
  return access !== undefined && backend instanceof CyrusBackend
    ? new CyrusMailStore(access, backend.parts.dav)
    : undefined
}

/** Mail over IMAP, calendars and contacts over CalDAV and CardDAV, all on behalf of their owners. */
class CyrusMailStore implements MailStore {
  readonly #access: StoreAccess
  readonly #dav: DavClient

  constructor(access: StoreAccess, dav: DavClient) {
    this.#access = access
    this.#dav = dav
  }

  async *members(
    owner: MailOwner,
    onProgress: OnProgress,
    onOmitted: (omission: Omission) => void,
  ): AsyncGenerator<Member> {
    const hasMailbox = yield* this.#mail(owner, onProgress, onOmitted)
    if (hasMailbox) yield* davMembers(this.#dav, owner, onProgress, onOmitted)
  }

  /** Returns whether there is a mailbox. */
  async *#mail(
    owner: MailOwner,
    onProgress: OnProgress,
    onOmitted: (omission: Omission) => void,
  ): AsyncGenerator<Member, boolean> {
    const { host, port, name, password } = this.#access
    const session = await ImapSession.open({ host, port, security: 'none' })
    try {
      await session.signIn(name, password, owner.login)
      const folders = await ownFolders(session)
      if (folders.length === 0 && owner.isUser) throw new ImapNo('LIST', 'there is no mailbox')
      for (const folder of folders) yield* folderMember(session, owner, folder, onProgress, onOmitted)
      return folders.length > 0
    } catch (error) {
      if (!(error instanceof ImapNo)) throw error
      if (owner.isUser) onOmitted({ login: owner.login, name: '', reason: error.answer })
      return false
    } finally {
      session.close()
    }
  }
}

async function ownFolders(session: ImapSession): Promise<ListedFolder[]> {
  const foreign = await foreignPrefixes(session)
  const folders = await listFolders(session, mostFolders)
  return folders.filter(({ name }) => !foreign.some((prefix) => `${name}/`.startsWith(prefix)))
}

async function* folderMember(
  session: ImapSession,
  owner: MailOwner,
  { name, path }: ListedFolder,
  onProgress: OnProgress,
  onOmitted: (omission: Omission) => void,
): AsyncGenerator<Member> {
  let uids: number[]
  try {
    uids = await openedFolder(session, name)
  } catch (error) {
    if (!(error instanceof ImapNo)) throw error
    return onOmitted({ login: owner.login, name: path.join('/'), reason: error.answer })
  }
  let count = 0
  const onMessage = () => {
    count++
    return onProgress(1)
  }
  yield {
    ...{ path: `mail/${owner.folder}/${path.map(archiveName).join('/')}.mbox` },
    ...{ what: 'Mail folder', count: () => count, content: readMailbox(session, uids, onMessage) },
  }
}
