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

/** Reads a message. The caller removes a large one. */
export async function receive(stream: AsyncIterable<Buffer>, mostBytes: number): Promise<ReceivedMessage> {
  const chunks: Buffer[] = []
  let size = 0
  const rest = stream[Symbol.asyncIterator]()
  for (;;) {
    const next = await rest.next()
    if (next.done === true) return { kind: 'small', bytes: Buffer.concat(chunks) }
    chunks.push(next.value)
    size += next.value.length
    if (size > mostBytes) return spool(chunks, rest)
  }
}

async function spool(begun: readonly Buffer[], rest: AsyncIterator<Buffer>): Promise<ReceivedMessage> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'))
  const file = join(folder, 'message')
  const remove = () => rm(folder, { recursive: true, force: true })
  async function* all() {
    yield* begun
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  }
  try {
    await pipeline(all(), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return { kind: 'large', open: () => createReadStream(file), remove }
}
