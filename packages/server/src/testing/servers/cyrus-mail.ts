import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { simpleParser } from 'mailparser'
import type { TestCyrus } from './cyrus.ts'

/** Sends IMAP commands as a user and returns what the server says. */
export async function sendImap(
  cyrus: TestCyrus,
  login: string,
  password: string,
  commands: readonly string[],
): Promise<string> {
  const socket = createConnection(cyrus.ports.imap, '127.0.0.1')
  const all = [`LOGIN "${login}" "${password}"`, 'ENABLE UTF8=ACCEPT', ...commands, 'LOGOUT']
  socket.write(all.map((command, index) => `a${index} ${command}\r\n`).join(''))
  const said = await text(socket)
  const index = said.search(/^a\d+ (?:NO|BAD) (?!.*(?:UTF8|Mailbox does not exist))/m)
  if (index !== -1) throw new Error(said.slice(index).split('\r\n')[0])
  return said
}

export interface DeliveredMessage {
  readonly subject: string | undefined
  readonly flags: readonly string[]
}

/** Returns the messages in a folder of a user, oldest first; none if the folder doesn't exist. */
export async function readMessages(
  cyrus: TestCyrus,
  user: string,
  password: string,
  folder: string,
): Promise<DeliveredMessage[]> {
  const name = folder.replaceAll(/["\\]/g, '\\$&')
  const said = await sendImap(cyrus, user, password, [
    `EXAMINE "${modifiedUtf7(name)}"`,
    'UID FETCH 1:* (FLAGS BODY.PEEK[HEADER])',
  ])
  const found = said.matchAll(/FLAGS \(([^)]*)\)[^{]*\{(\d+)\}\r\n/g)
  return Promise.all(
    [...found].map(async (match) => {
      const start = match.index + match[0].length
      const { subject } = await simpleParser(said.slice(start, start + Number(match[2])))
      const flags = (match[1] ?? '').split(' ').filter((flag) => flag !== '' && flag !== '\\Recent')
      return { subject, flags }
    }),
  )
}

/** Mailbox names in IMAP4rev1 (RFC 3501 §5.1.3). */
function modifiedUtf7(name: string): string {
  return name.replaceAll('&', '&-').replaceAll(/[^\x20-\x7e]+/g, (run) => {
    const bytes = Buffer.from(run, 'utf16le').swap16()
    return `&${bytes.toString('base64').replaceAll('/', ',').replace(/=+$/, '')}-`
  })
}
