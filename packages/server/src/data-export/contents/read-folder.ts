import { PassThrough } from 'node:stream'
import { quoted } from '../../mail-import/imap/folder-list.ts'
import type { ImapSession } from '../../mail-import/imap/imap-session.ts'
import {
  type MessageFacts,
  openFolder,
  readFacts,
  readMessage,
  uidsAfter,
} from '../../mail-import/imap/messages.ts'
import { quotedMessage, separator } from './mbox.ts'

/** Messages whose facts are read at once. */
const batch = 100

/** Opens a folder and returns the UIDs of its messages. Throws ImapNo. */
export async function openedFolder(session: ImapSession, name: string): Promise<number[]> {
  await openFolder(session, quoted(name))
  return uidsAfter(session, 0)
}

/** Yields the messages of the open folder as one mailbox file. `onMessage` is called after each. */
export async function* readMailbox(
  session: ImapSession,
  uids: readonly number[],
  onMessage: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const pipe = new PassThrough({ highWaterMark: 256 * 1024 })
  const filling = fill(pipe, session, uids, onMessage).then(
    () => pipe.end(),
    (error: unknown) => pipe.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  try {
    // streams of bytes yield buffers
    for await (const part of pipe) yield part as Buffer
  } finally {
    pipe.destroy()
    await filling
  }
}

async function fill(
  pipe: PassThrough,
  session: ImapSession,
  uids: readonly number[],
  onMessage: () => Promise<void>,
): Promise<void> {
  for (let at = 0; at < uids.length; at += batch) {
    const facts: MessageFacts[] = []
    await readFacts(session, uids.slice(at, at + batch).join(','), (one) => facts.push(one))
    for (const { uid, flags, receivedAt } of facts.sort((one, other) => one.uid - other.uid)) {
      await readMessage(session, uid, async ({ content }) => {
        await write(pipe, Buffer.from(separator({ flags, receivedAt: receivedAt ?? 0 })))
        for await (const part of quotedMessage(content)) await write(pipe, part)
      })
      await onMessage()
    }
  }
}

/** The reader of an archive went away. */
class ReaderGone extends Error {
  override name = 'ReaderGone'
}

async function write(pipe: PassThrough, part: Buffer): Promise<void> {
  if (pipe.destroyed) throw new ReaderGone()
  if (pipe.write(part)) return
  await new Promise<void>((done) => {
    const go = () => {
      pipe.off('drain', go).off('close', go)
      done()
    }
    pipe.on('drain', go).on('close', go)
  })
}
