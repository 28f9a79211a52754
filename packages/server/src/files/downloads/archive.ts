import { once } from 'node:events'
import { Readable } from 'node:stream'
import ZipStream from 'zip-stream'
import { archiveName, freeName } from '../file-name.ts'
import type { Item } from '../items/item.ts'
import { descendantsOf } from '../items/tree-store.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import { versionOf } from '../version-store.ts'

/** Maximum number of items in an archive. */
export const mostInArchive = 50_000

/** An archive entry: its path and contents. */
interface Entry {
  readonly path: string
  readonly item: Item
}

/** Types that are already compressed are only stored. */
const packed = /^(image|audio|video)\/(?!svg|bmp)|zip|gzip|rar|7z|pdf|officedocument|opendocument/

/**
 * Returns the archive entries of items, with collections expanded. Names are safe on every system and unique
 * within a folder. Undefined: there are too many.
 */
export async function archiveEntries(
  { db }: Pick<FileStorage, 'db'>,
  items: readonly Item[],
): Promise<Entry[] | undefined> {
  const collections = items.filter((item) => item.type === 'collection')
  const below =
    collections.length === 0
      ? []
      : await descendantsOf(
          db,
          collections.map((item) => item.id),
          mostInArchive + 1,
        )
  if (below.length + items.length > mostInArchive) return undefined
  const entries: Entry[] = []
  const taken = new Set<string>()
  /** Paths of a collection, which may have several parents. */
  const paths = new Map<string, string[]>()
  const add = (folder: string, item: Item) => {
    const name = archiveName(item.name)
    const path = `${folder}${freeName(name, (one) => taken.has(`${folder}${one}`.toLowerCase()))}`
    taken.add(path.toLowerCase())
    entries.push({ path: item.type === 'collection' ? `${path}/` : path, item })
    if (item.type === 'collection') paths.set(item.id, [...(paths.get(item.id) ?? []), `${path}/`])
  }
  for (const item of items) add('', item)
  // parents come first, so the paths of a collection are known before those of its children
  for (const item of below) {
    for (const folder of paths.get(item.parentId) ?? []) add(folder, item)
    if (entries.length > mostInArchive) return undefined
  }
  return entries
}

/**
 * Streams a zip archive of entries. Files that the virus scanner flagged or that were just deleted are
 * omitted.
 */
export async function* archive(
  storage: FileStorage,
  entries: readonly Entry[],
  isOwner: boolean,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream({ zlib: { level: 3 } })
  const filling = fill(zip, storage, entries, isOwner).catch((error: unknown) => {
    zip.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  try {
    for await (const part of zip) yield part as Uint8Array // the library yields bytes
    await filling
  } finally {
    zip.destroy()
  }
}

async function fill(
  zip: ZipStream,
  storage: FileStorage,
  entries: readonly Entry[],
  isOwner: boolean,
): Promise<void> {
  for (const { path, item } of entries) {
    if (zip.destroyed) return
    const date = item.changedAt
    if (item.type === 'collection') {
      await add(zip, Buffer.alloc(0), { name: path, date, type: 'directory' })
      continue
    }
    const version = await versionOf(storage.db, item)
    const isOpen = version?.scan !== 'infected' && (isOwner || version?.scan !== 'waiting')
    if (version === undefined || !isOpen) continue
    const content = Readable.from(readContent(storage, version.contentId, 0, version.size), {
      objectMode: false,
    })
    await add(zip, content, { name: path, date, store: packed.test(version.mimetype) })
  }
  zip.finish()
}

type EntryFacts = Parameters<ZipStream['entry']>[1]

/** Adds an entry. Resolves when it is written or when the reader has gone away. */
async function add(zip: ZipStream, source: Readable | Buffer, facts: EntryFacts): Promise<void> {
  const stopped = new AbortController()
  const closed = once(zip, 'close', { signal: stopped.signal }).catch(() => undefined)
  try {
    const written = new Promise<void>((resolve, reject) => {
      if (source instanceof Readable) source.once('error', reject)
      zip.entry(source, facts, (error) => (error == null ? resolve() : reject(error)))
    })
    written.catch(() => undefined)
    await Promise.race([written, closed])
  } finally {
    stopped.abort()
    if (source instanceof Readable) source.destroy()
  }
}
