import type { FolderUse } from '@gatehouse/contract/mail/import-terms'
import type { BackendSettings } from '../../provisioning/backend-settings.ts'
import { mailbox } from '../../provisioning/cyrus/imap/imap-syntax.ts'
import { decodeMailboxName, encodeMailboxName } from '../../provisioning/cyrus/imap/modified-utf7.ts'
import { readStatus } from '../imap/folder-list.ts'
import { ImapSession, type IncomingLiteral } from '../imap/imap-session.ts'
import {
  fingerprint,
  type MessageFacts,
  openFolder,
  portableFlags,
  readFacts,
  writeDate,
} from '../imap/messages.ts'
import { ImapNo } from '../imap/session-errors.ts'

/** The settings of the mail store. */
export type StoreSettings = Pick<
  BackendSettings,
  'GROUPWARE_BACKEND' | 'CYRUS_IMAP' | 'CYRUS_ADMIN' | 'CYRUS_ADMIN_PASSWORD'
>

/** How to reach the mail store. */
export interface StoreAccess {
  readonly host: string
  readonly port: number
  readonly name: string
  readonly password: string
}

/** Returns how to reach the mail store; undefined if none is connected. */
export function storeAccess(config: StoreSettings): StoreAccess | undefined {
  const { CYRUS_IMAP: place, CYRUS_ADMIN: name, CYRUS_ADMIN_PASSWORD: password } = config
  if (config.GROUPWARE_BACKEND !== 'cyrus' || password === undefined) return undefined
  const { hostname, port } = new URL(`imap://${place}`)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port), name, password }
}

/** A folder of the mailbox, ready to receive messages. */
export interface TargetFolder {
  readonly validity: number
  /** UID of the next message. */
  readonly nextUid: number
}

/** A message that was stored. */
export interface Stored {
  /** Null: the store doesn't say. */
  readonly uid: number | null
}

/** The mailbox of a user, opened on behalf of the user. */
export class MailTarget {
  readonly #session: ImapSession

  private constructor(session: ImapSession) {
    this.#session = session
  }

  /** Throws ImapUnreachable while the store is down, and ImapNo while the user has no mailbox. */
  static async open({ host, port, name, password }: StoreAccess, email: string): Promise<MailTarget> {
    const session = await ImapSession.open({ host, port, security: 'none' })
    try {
      await session.signIn(name, password, email)
      return new MailTarget(session)
    } catch (error) {
      session.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#session.isOpen
  }

  /** Returns the folders with a special use. */
  async specialFolders(): Promise<Map<FolderUse, string>> {
    const { responses } = await this.#session.run('LIST "" "*" RETURN (SPECIAL-USE)')
    const found = new Map<FolderUse, string>([['inbox', 'INBOX']])
    for (const [kind, attributes, , name] of responses) {
      if (kind !== 'LIST' || typeof name !== 'string' || !Array.isArray(attributes)) continue
      for (const use of ['sent', 'drafts', 'trash', 'junk', 'archive'] as const) {
        const isMarked = attributes.some((one) => String(one).toLowerCase() === `\\${use}`)
        if (isMarked) found.set(use, decodeMailboxName(name))
      }
    }
    return found
  }

  /** Returns the bytes of the mailbox. */
  async quota(): Promise<{ readonly used: number; readonly limit: number | null }> {
    const { responses } = await this.#session.run('GETQUOTAROOT INBOX')
    const words = responses.find(([kind]) => kind === 'QUOTA')?.[2]
    const resources = Array.isArray(words) ? words : []
    const at = resources.indexOf('STORAGE')
    if (at === -1) return { used: 0, limit: null }
    return { used: Number(resources[at + 1]) * 1024, limit: Number(resources[at + 2]) * 1024 }
  }

  /** Creates a folder unless it exists. Throws ImapNo if the store refuses its name. */
  async prepare(folder: string): Promise<TargetFolder> {
    try {
      return await this.#status(folder)
    } catch (error) {
      if (!(error instanceof ImapNo)) throw error
      await this.#session.run(`CREATE ${mailbox(folder)}`)
      await this.#session.run(`SUBSCRIBE ${mailbox(folder)}`)
      return this.#status(folder)
    }
  }

  async #status(folder: string): Promise<TargetFolder> {
    const status = await readStatus(this.#session, mailbox(folder), 'UIDVALIDITY UIDNEXT')
    return { validity: status.get('UIDVALIDITY') ?? 0, nextUid: status.get('UIDNEXT') ?? 1 }
  }

  /** Counts the messages of a folder by fingerprint: those below a UID, and those above another one. */
  async fingerprints(folder: string, below: number, above: number): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    await openFolder(this.#session, mailbox(folder))
    const note = (facts: MessageFacts) => {
      // `n:*` contains the last message even if it is below
      if (facts.uid >= below && facts.uid <= above) return
      const mark = fingerprint(facts, facts.receivedAt ?? 0)
      found.set(mark, (found.get(mark) ?? 0) + 1)
    }
    if (below > above) {
      await readFacts(this.#session, '1:*', note)
      return found
    }
    if (below > 1) await readFacts(this.#session, `1:${below - 1}`, note)
    await readFacts(this.#session, `${above + 1}:*`, note)
    return found
  }

  /** Stores a message with its flags and date. Throws ImapNo if the store refuses it. */
  async append(
    folder: string,
    { flags, receivedAt }: Pick<MessageFacts, 'flags'> & { readonly receivedAt: number },
    body: IncomingLiteral,
  ): Promise<Stored> {
    const command = `APPEND ${mailbox(folder)} (${portableFlags(flags).join(' ')}) "${writeDate(receivedAt)}"`
    const answer = await this.#session.append(command, body, 600_000)
    const uid = /\[APPENDUID \d+ (\d+)\]/i.exec(answer)?.[1]
    return { uid: uid === undefined ? null : Number(uid) }
  }

  close(): void {
    this.#session.close()
  }
}

/** Whether the store can create a folder of this name. */
export function isStorable(folder: string): boolean {
  const parts = folder.split('/')
  const isClean = (part: string) => part !== '' && part === part.trim() && !/["%*;<>\\^`{|}]/.test(part)
  return parts.every(isClean) && !/^[#~]/.test(folder) && encodeMailboxName(folder).length <= 400
}
