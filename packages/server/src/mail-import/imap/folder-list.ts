import type { ImapValue } from '../../provisioning/cyrus/imap/imap-syntax.ts'
import { decodeMailboxName } from '../../provisioning/cyrus/imap/modified-utf7.ts'
import type { ImapSession, ResponseWords } from './imap-session.ts'
import { factsOf, openFolder } from './messages.ts'
import { ImapNo, ImapProtocolError } from './session-errors.ts'

/** A folder of a server that contains messages. */
export interface ListedFolder {
  /** The name as the server spells it, one character per byte. */
  readonly name: string
  /** The readable name from the top. */
  readonly path: readonly string[]
  /** Attributes in lower case, such as `\sent`. */
  readonly attributes: ReadonlySet<string>
}

/** Returns the folders that can be read. Throws ImapProtocolError if there are more than `most`. */
export async function listFolders(session: ImapSession, most: number): Promise<ListedFolder[]> {
  const isExtended = session.can('LIST-EXTENDED') && session.can('SPECIAL-USE')
  const found = new Map<string, ListedFolder>()
  const onResponse = (words: ResponseWords) => {
    const folder = folderOf(words)
    if (folder === undefined) return
    found.set(folder.name, folder)
    if (found.size > most) throw new ImapProtocolError(`more than ${most} folders`)
  }
  await session.run(`LIST "" "*"${isExtended ? ' RETURN (SPECIAL-USE)' : ''}`, { onResponse })
  return [...found.values()]
}

/** Returns a folder of a LIST response; undefined if it can't be read or its name can't be sent. */
function folderOf([kind, attributes, delimiter, name]: ResponseWords): ListedFolder | undefined {
  if (kind !== 'LIST' || typeof name !== 'string' || !isSendable(name)) return undefined
  const list = (Array.isArray(attributes) ? attributes : []) as readonly ImapValue[]
  const known = new Set(list.map((one) => String(one).toLowerCase()))
  if (known.has('\\noselect') || known.has('\\nonexistent')) return undefined
  const parts = typeof delimiter === 'string' && delimiter !== '' ? name.split(delimiter) : [name]
  const path = parts.map(readableName).filter((part) => part !== '')
  return path.length === 0 ? undefined : { name, path, attributes: known }
}

/** Line ends and other control characters can't be part of a quoted name. */
function isSendable(name: string): boolean {
  return name !== '' && name.length <= 1000 && /^[\x20-\x7e\x80-\xff]+$/.test(name)
}

/** Some servers send UTF-8 instead of the encoding of names. */
function readableName(part: string): string {
  return /^[\x20-\x7e]*$/.test(part) ? decodeMailboxName(part) : Buffer.from(part, 'latin1').toString()
}

/** Renders the name of a folder as the server spelled it. */
export function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Prefixes of the folders of other users and of shared folders. */
export async function foreignPrefixes(session: ImapSession): Promise<string[]> {
  if (!session.can('NAMESPACE')) return []
  const { responses } = await session.run('NAMESPACE')
  const [, , ...foreign] = responses.find(([kind]) => kind === 'NAMESPACE') ?? []
  return foreign.flatMap((list) =>
    listOf(list).flatMap((one) => {
      const [prefix] = listOf(one)
      return typeof prefix === 'string' && prefix !== '' ? [prefix] : []
    }),
  )
}

function listOf(value: ImapValue | undefined): readonly ImapValue[] {
  return Array.isArray(value) ? value : []
}

export interface FolderSize {
  readonly messages: number | null
  /** Null: the server doesn't tell. */
  readonly bytes: number | null
}

/** Messages of a folder whose sizes are added up if the server doesn't. */
const mostAdded = 50_000

/** Returns how much a folder contains. */
export async function readSize(session: ImapSession, name: string): Promise<FolderSize> {
  const items = session.can('STATUS=SIZE') ? 'MESSAGES SIZE' : 'MESSAGES'
  try {
    const status = await readStatus(session, quoted(name), items)
    const messages = status.get('MESSAGES') ?? null
    const isSummed = !status.has('SIZE') && messages !== null && messages <= mostAdded
    return {
      messages,
      bytes: isSummed ? await addSizes(session, name, messages) : (status.get('SIZE') ?? null),
    }
  } catch (error) {
    if (error instanceof ImapNo) return { messages: null, bytes: null }
    throw error
  }
}

async function addSizes(session: ImapSession, name: string, messages: number): Promise<number> {
  if (messages === 0) return 0
  let bytes = 0
  await openFolder(session, quoted(name))
  const onResponse = (words: ResponseWords) => {
    bytes += factsOf(words)?.size ?? 0
  }
  await session.run('UID FETCH 1:* (UID RFC822.SIZE)', { onResponse })
  return Number.isSafeInteger(bytes) ? bytes : 0
}

/** Returns numbers about a folder by name. Throws ImapNo. */
export async function readStatus(
  session: ImapSession,
  mailbox: string,
  items: string,
): Promise<ReadonlyMap<string, number>> {
  const { responses } = await session.run(`STATUS ${mailbox} (${items})`)
  const words = listOf(responses.find(([kind]) => kind === 'STATUS')?.[2])
  const values = new Map<string, number>()
  for (let at = 0; at + 1 < words.length; at += 2) {
    const value = Number(words[at + 1])
    if (Number.isSafeInteger(value) && value >= 0) values.set(String(words[at]).toUpperCase(), value)
  }
  return values
}
