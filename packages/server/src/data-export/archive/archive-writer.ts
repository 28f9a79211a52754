import { createHash } from 'node:crypto'
import { describingFiles, type ExportManifest, type ListedFile } from './manifest-format.ts'
import { type SigningKey, signDetached } from './signing-key.ts'
import { Spool } from './spool.ts'
import { ZipWriter } from './zip-writer.ts'

/** A file of an archive. */
export interface Member {
  readonly path: string
  /** What it is, for readers of the list. */
  readonly what: string
  readonly content: AsyncIterable<Uint8Array>
  /** Returns the number of records, once the content was read; 1 if absent. */
  readonly count?: () => number
  readonly date?: Date
  /** Whether the content is compressed already. */
  readonly isPacked?: boolean
}

/** Writes an archive, whose last files list and sign all others. */
export class ArchiveWriter implements AsyncDisposable {
  readonly #zip: ZipWriter
  readonly #list: Spool
  readonly #listHash = createHash('sha256')
  readonly #date: Date
  #files = 0

  private constructor(zip: ZipWriter, list: Spool, date: Date) {
    this.#zip = zip
    this.#list = list
    this.#date = date
  }

  /** `date` is that of files without their own. */
  static async open(date: Date): Promise<ArchiveWriter> {
    return new ArchiveWriter(await ZipWriter.open(), await Spool.open(), date)
  }

  /** Yields the bytes of a file. */
  async *add({ path, what, content, count, date, isPacked = false }: Member): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    let bytes = 0
    async function* metered() {
      for await (const part of content) {
        bytes += part.length
        hash.update(part)
        yield part
      }
    }
    yield* this.#zip.entry(path, date ?? this.#date, metered(), isPacked)
    const listed: ListedFile = { path, bytes, sha256: hash.digest('hex'), count: count?.() ?? 1, what }
    const line = Buffer.from(`${JSON.stringify(listed)}\n`)
    this.#listHash.update(line)
    this.#files++
    await this.#list.add(line)
  }

  /** Yields the list, the manifest and its signature, and ends the archive. */
  async *end(key: SigningKey, facts: Omit<ExportManifest, 'contents'>): AsyncGenerator<Uint8Array> {
    const contents = { files: this.#files, bytes: this.#list.size, sha256: this.#listHash.digest('hex') }
    yield* this.#plain(describingFiles.contents, this.#list.read())
    const manifest: ExportManifest = { ...facts, contents }
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    yield* this.#plain(describingFiles.manifest, only(text))
    yield* this.#plain(describingFiles.signature, only(Buffer.from(`${signDetached(key, text)}\n`)))
    yield* this.#zip.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#list[Symbol.asyncDispose]()
    await this.#zip[Symbol.asyncDispose]()
  }

  #plain(path: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    return this.#zip.entry(path, this.#date, content, false)
  }
}

/** Yields one part. */
export async function* only(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part
}
