import { createHash } from 'node:crypto'
import type { ImapValue } from '../../provisioning/cyrus/imap/imap-syntax.ts'
import type { ImapSession, IncomingLiteral, ResponseWords } from './imap-session.ts'
import { ImapProtocolError } from './session-errors.ts'

/** What identifies a message and what is kept of it beside its text. */
export interface MessageFacts {
  readonly uid: number
  readonly size: number
  readonly flags: readonly string[]
  /** Seconds since 1970; null if the server's date is invalid. */
  readonly receivedAt: number | null
  readonly messageId: string
}

/** Bytes of a list of UIDs: more than 700,000. */
const mostSearchBytes = 8 * 1024 * 1024
/** Highest UID (RFC 9051 §2.3.1.1). */
const highestUid = 2 ** 32 - 1

/** Opens a folder for reading and returns its UIDVALIDITY. Throws ImapNo. */
export async function openFolder(session: ImapSession, mailbox: string): Promise<number> {
  const { responses } = await session.run(`EXAMINE ${mailbox}`)
  for (const words of responses) {
    const at = words.findIndex((word) => typeof word === 'string' && /^\[UIDVALIDITY$/i.test(word))
    const validity = at === -1 ? Number.NaN : Number.parseInt(String(words[at + 1]), 10)
    if (Number.isSafeInteger(validity)) return validity
  }
  return 0
}

/** Returns the UIDs of the open folder above another one, in ascending order. */
export async function uidsAfter(session: ImapSession, uid: number): Promise<number[]> {
  if (uid >= highestUid) return []
  const found = new Set<number>()
  const onResponse = ([kind, ...words]: ResponseWords) => {
    if (String(kind).toUpperCase() !== 'SEARCH') return
    // a range up to the last message contains at least that one
    for (const word of words) {
      const one = Number(word)
      if (Number.isSafeInteger(one) && one > uid && one <= highestUid) found.add(one)
    }
  }
  await session.run(`UID SEARCH UID ${uid + 1}:*`, { onResponse, mostBytes: mostSearchBytes })
  return [...found].sort((one, other) => one - other)
}

/** Reads facts of the messages in a set of UIDs, such as `7:*`. */
export async function readFacts(
  session: ImapSession,
  set: string,
  onFacts: (facts: MessageFacts) => void,
): Promise<void> {
  const onResponse = (words: ResponseWords) => {
    const facts = factsOf(words)
    if (facts !== undefined) onFacts(facts)
  }
  const items = 'UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]'
  await session.run(`UID FETCH ${set} (${items})`, { onResponse, patience: 600_000 })
}

/** Milliseconds that a message may take: 100 MB at 1.3 Mbit/s. */
const messagePatience = 600_000

/** Streams a message of the open folder. Returns false if the server sends none. Throws ImapNo. */
export async function readMessage(
  session: ImapSession,
  uid: number,
  onBody: (body: IncomingLiteral) => Promise<void>,
): Promise<boolean> {
  let count = 0
  await session.run(`UID FETCH ${uid} (BODY.PEEK[])`, {
    onResponse: () => {},
    onBody: async (body) => {
      if (++count > 1) throw new ImapProtocolError('several messages instead of one')
      await onBody(body)
    },
    patience: messagePatience,
  })
  return count === 1
}

/** Returns the facts in a FETCH response; undefined if there are none. */
export function factsOf([, kind, items]: ResponseWords): MessageFacts | undefined {
  if (String(kind).toUpperCase() !== 'FETCH' || !Array.isArray(items)) return undefined
  // an array of the parser's values
  const words = items as readonly ImapValue[]
  const after = (name: string) => {
    const at = words.findIndex((word) => typeof word === 'string' && word.toUpperCase() === name)
    return at === -1 ? undefined : words[at + 1]
  }
  const [uid, size] = [Number(after('UID')), Number(after('RFC822.SIZE'))]
  if (!Number.isSafeInteger(uid) || uid < 1 || !Number.isSafeInteger(size) || size < 0) return undefined
  const flags = after('FLAGS')
  return {
    uid,
    size,
    flags: Array.isArray(flags) ? flags.map(String) : [],
    receivedAt: parseDate(String(after('INTERNALDATE'))),
    messageId: /^message-id:\s*(\S.*?)\s*$/im.exec(String(after(']') ?? '').slice(0, 4096))?.[1] ?? '',
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Parses a date of IMAP, such as ` 1-Feb-2026 10:00:00 +0100`, to seconds. */
export function parseDate(text: string): number | null {
  const match = /^\s?(\d{1,2})-([A-Z][a-z]{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/.exec(
    text,
  )
  if (match === null) return null
  const [, day, month = '', year, hour, minute, second, sign, zoneHours, zoneMinutes] = match
  const index = months.indexOf(month)
  if (index === -1) return null
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const local = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
  return local / 1000 - zone * 60
}

/** Writes seconds as a date of IMAP. */
export function writeDate(seconds: number): string {
  const date = new Date(seconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`
}

/** Returns what is the same for two copies of a message. */
export function fingerprint({ messageId, size }: MessageFacts, receivedAt: number): string {
  return createHash('sha256').update(`${messageId}\n${size}\n${receivedAt}`).digest('base64url').slice(0, 20)
}

const systemFlags = new Map(
  ['\\Seen', '\\Answered', '\\Flagged', '\\Deleted', '\\Draft'].map((flag) => [flag.toLowerCase(), flag]),
)

/** Keywords of a message that are kept; stores limit their number. */
const mostKeywords = 20

/** Returns the flags that another server accepts. */
export function portableFlags(flags: readonly string[]): string[] {
  const system = flags.flatMap((flag) => systemFlags.get(flag.toLowerCase()) ?? [])
  const keywords = flags.filter((flag) => /^[\w$][\w$.:+-]{0,63}$/.test(flag))
  return [...new Set([...system, ...keywords.slice(0, mostKeywords)])]
}
