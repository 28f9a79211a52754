import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A message on its way through: in memory, or in a file if it is too large to be filtered. */
export type ReceivedMessage =
  | { readonly kind: 'small'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly open: () => Readable; readonly remove: () => Promise<void> }

/** A message that was read to its end, but not kept. */
export interface TooLargeMessage {
  readonly kind: 'too-large'
}

/** Bytes of messages. */
export interface MessageSizes {
  /** Larger ones are kept in a file. */
  readonly mostBytes: number
  /** Larger ones are read to their end, but not kept. */
  readonly largest: number
}

class TooLarge extends Error {
  override name = 'TooLarge'
}

/** Reads a message. The caller removes a large one. */
export async function receive(
  stream: AsyncIterable<Buffer>,
  sizes: MessageSizes,
): Promise<ReceivedMessage | TooLargeMessage> {
  const chunks: Buffer[] = []
  let size = 0
  const rest = stream[Symbol.asyncIterator]()
  for (;;) {
    const next = await rest.next()
    if (next.done === true) return { kind: 'small', bytes: Buffer.concat(chunks) }
    chunks.push(next.value)
    size += next.value.length
    if (size > sizes.mostBytes) return spool(chunks, rest, sizes.largest)
  }
}

async function spool(
  begun: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
  largest: number,
): Promise<ReceivedMessage | TooLargeMessage> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'))
  const file = join(folder, 'message')
  const remove = () => rm(folder, { recursive: true, force: true })
  async function* all() {
    yield* begun
    let size = begun.reduce((sum, { length }) => sum + length, 0)
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      size += next.value.length
      if (size > largest) throw new TooLarge()
      yield next.value
    }
  }
  try {
    await pipeline(all(), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    await remove()
    // the client reads no answer before it has sent everything
    while ((await rest.next()).done !== true);
    if (error instanceof TooLarge) return { kind: 'too-large' }
    throw error
  }
  return { kind: 'large', open: () => createReadStream(file), remove }
}
