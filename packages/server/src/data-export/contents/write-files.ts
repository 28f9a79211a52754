import { z } from 'zod'
import { ObjectMissing } from '../../files/storage/content-store.ts'
import type { FileStorage } from '../../files/storage/file-storage.ts'
import { readContent } from '../../files/storage/read-content.ts'
import { ContentDamaged } from '../../files/storage/segments.ts'
import { linesOf } from '../../platform/text-lines.ts'
import { type Member, only } from '../archive/archive-writer.ts'
import { Spool } from '../archive/spool.ts'
import { archivePath, userFolder } from './file-path.ts'
import { filesStatement } from './records-store.ts'
import type { Snapshot } from './snapshot-store.ts'
import { type OnProgress, type Subject, selection } from './write-records.ts'

/** Types that are already compressed. */
const packed = /^(image|audio|video)\/(?!svg|bmp)|zip|gzip|rar|7z|pdf|officedocument|opendocument/

const foundFile = z.object({
  id: z.string(),
  owner_id: z.number(),
  owner: z.string(),
  type: z.enum(['file', 'collection']),
  names: z.array(z.string()),
  ids: z.array(z.string()),
  numbers: z.array(z.number()),
  created_at: z.date(),
  deleted_at: z.date().nullable(),
  number: z.number().nullable(),
  content_id: z.string().nullable(),
  size: z.number().nullable(),
  changed_at: z.date().nullable(),
  replaced_at: z.date().nullable(),
  sha256: z.string().nullable(),
  scan: z.string().nullable(),
  content_type: z.string().nullable(),
})

type FoundFile = z.output<typeof foundFile>

/** A content to be copied after the snapshot. */
const wantedContent = z.object({
  path: z.string(),
  contentId: z.string(),
  size: z.number(),
  type: z.string(),
  changedAt: z.coerce.date(),
})

/** The files of an export as the snapshot shows them. */
export class FileList implements AsyncDisposable {
  readonly #wanted: Spool
  readonly #missing: string[] = []
  /** Versions whose content is to be copied. */
  count = 0
  /** Versions without content in the archive. */
  omitted = 0

  private constructor(wanted: Spool) {
    this.#wanted = wanted
  }

  static async open(): Promise<FileList> {
    return new FileList(await Spool.open())
  }

  /** Returns the file that lists files and collections, and notes their contents while it is written. */
  listMember(snapshot: Snapshot, subject: Subject): Member {
    let count = 0
    const note = (row: unknown) => this.#note(foundFile.parse(row))
    async function* content() {
      for await (const rows of snapshot.read(selection(filesStatement, subject))) {
        const listed: string[] = []
        for (const row of rows) listed.push(`${JSON.stringify(await note(row))}\n`)
        count += rows.length
        yield Buffer.from(listed.join(''))
      }
    }
    return {
      ...{
        path: 'data/files.jsonl',
        what: 'Files and collections, each version with its path in the archive',
      },
      ...{ content: content(), count: () => count },
    }
  }

  /** Yields the contents. Those that were deleted long ago are left out. */
  async *contentMembers(storage: FileStorage, onProgress: OnProgress): AsyncGenerator<Member> {
    for await (const line of linesOf(this.#wanted.read())) {
      const { path, contentId, size, type, changedAt } = wantedContent.parse(JSON.parse(line))
      const content = await beginReading(readContent(storage, contentId, 0, size))
      if (content === undefined) this.#missing.push(path)
      else yield { path, what: 'File', date: changedAt, isPacked: packed.test(type), content }
      await onProgress(1)
    }
    if (this.#missing.length > 0) yield this.#missingMember()
  }

  #missingMember(): Member {
    this.omitted += this.#missing.length
    const lines = this.#missing.map((path) => `${JSON.stringify({ path })}\n`).join('')
    const what = 'Files whose content is missing in the store or damaged there'
    return { path: 'data/missing-files.jsonl', what, content: only(Buffer.from(lines)) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wanted[Symbol.asyncDispose]()
  }

  async #note(found: FoundFile) {
    const path = found.type === 'file' ? pathOf(found) : null
    const isInfected = found.scan === 'infected'
    const { content_id: contentId, size, content_type: type, changed_at: changedAt } = found
    const isWanted = path !== null && contentId !== null && !isInfected
    if (isWanted) {
      const wanted = { path, contentId, size: size ?? 0, type: type ?? '', changedAt }
      await this.#wanted.add(Buffer.from(`${JSON.stringify(wanted)}\n`))
      this.count++
    } else if (found.type === 'file') this.omitted++
    return {
      ...{ id: found.id, ownerId: found.owner_id, type: found.type, name: found.names.at(-1) },
      ...{ collections: found.names.slice(0, -1), createdAt: found.created_at, deletedAt: found.deleted_at },
      ...{ version: found.number, size, mediaType: type, changedAt, replacedAt: found.replaced_at },
      ...{ sha256: found.sha256, path: isWanted ? path : null },
      ...(isInfected && { omitted: 'infected' }),
    }
  }
}

function pathOf(found: FoundFile): string {
  const folder = userFolder(found.owner_id, found.owner)
  const parts = found.names.map((name, at) => ({
    ...{ name, id: found.ids[at] ?? '', number: found.numbers[at] ?? 1 },
  }))
  const isOld = found.replaced_at !== null
  if (isOld) return `file-versions/${folder}/${found.id}/${found.number ?? 0}`
  return `${found.deleted_at === null ? 'files' : 'deleted-files'}/${folder}/${archivePath(parts)}`
}

/** Returns the same content; undefined if its beginning can't be read. */
async function beginReading(
  source: AsyncGenerator<Uint8Array>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const first = await source.next()
    return first.done === true ? source : startingWith(first.value, source)
  } catch (error) {
    if (error instanceof ObjectMissing || error instanceof ContentDamaged) return undefined
    throw error
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first
  yield* rest
}
