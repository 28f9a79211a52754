import { ApiError } from '../../../platform/api/api-error.ts'
import { isPassing, type Patience, waitAfter } from './transport/patience.ts'
import type { ContentFacts, UploadMemory, UploadTransport } from './transport/transport.ts'
import type { Upload } from './upload.ts'

/** Files up to this many bytes are sent in one request. */
export const smallFile = 2 ** 20

/** Types whose bodies servers parse as input instead of content. */
const inputTypes = /^(application\/(json|x-www-form-urlencoded)|multipart\/)/i

/** Dependencies of a run. */
export interface RunParts {
  readonly transport: UploadTransport
  readonly memory: UploadMemory
  readonly patience: Patience
  /** Returns the SHA-256 of a file. Rejects if it can't be read; with an `ApiError` if a retry may succeed. */
  readonly hash: (file: Blob, signal: AbortSignal) => Promise<string>
}

/** State that outlives a pause. */
export interface Session {
  /** Idempotency key for starting or sending the upload. */
  key: string
  uploadId?: string
  /** Releases the lock that keeps other tabs from sending to the upload. */
  release?: () => void
  /** The hash of the file; hashing continues during a pause. */
  hashing?: { readonly result: Promise<string>; readonly abort: () => void }
}

/** A new session for the same content. */
export function restarted(session?: Session): Session {
  return { key: crypto.randomUUID(), hashing: session?.hashing }
}

/** Releases an upload that is finished or now belongs to another sender. */
export function letGo(session: Session): void {
  session.release?.()
  session.release = undefined
  session.uploadId = undefined
}

/** Ends a session permanently: aborts hashing and releases the upload. */
export function endSession(session: Session): void {
  letGo(session)
  session.hashing?.abort()
}

/** Progress reported by a run. */
export interface RunNews {
  readonly onSent: (bytes: number) => void
  readonly onState: (state: 'sending' | 'checking' | 'lost') => void
  readonly onFolder: (folder: string | null) => void
}

export interface RunResult {
  readonly itemId: string
  /** The server has the same content; false: it differs. */
  readonly isSame: boolean
}

/** The file can no longer be read: it was changed, moved or deleted. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/**
 * Sends one file from its current offset until the server has all of it. Throws errors that waiting can't
 * resolve.
 */
export class UploadRun {
  readonly #upload: Upload
  readonly #session: Session
  readonly #parts: RunParts
  readonly #news: RunNews
  readonly #signal: AbortSignal

  constructor(upload: Upload, session: Session, parts: RunParts, news: RunNews, signal: AbortSignal) {
    this.#upload = upload
    this.#session = session
    this.#parts = parts
    this.#news = news
    this.#signal = signal
  }

  async finish(): Promise<RunResult> {
    const { file, place } = this.#upload
    const { transport } = this.#parts
    const parent = place.item ? null : await this.#patiently(() => transport.folder(place, this.#signal))
    this.#news.onFolder(parent)
    if (file.size <= smallFile && !inputTypes.test(file.type)) return this.#sendWhole(parent)
    return this.#sendInChunks(parent)
  }

  async #sendWhole(parent: string | null): Promise<RunResult> {
    const { file } = this.#upload
    const sha256 = await this.#hash()
    const facts = { ...this.#facts(parent), sha256 }
    const options = { onSent: this.#news.onSent, signal: this.#signal }
    const { id } = await this.#patiently(() =>
      this.#parts.transport.whole(file, facts, this.#session.key, options),
    )
    return { itemId: id, isSame: true }
  }

  async #sendInChunks(parent: string | null): Promise<RunResult> {
    // errors are reported at the end, where the hash is awaited
    this.#hash().catch(() => undefined)
    await this.#claimBegun(parent)
    const itemId = await this.#sendRest(parent)
    this.#news.onState('checking')
    const known = await this.#patiently(() => this.#parts.transport.checksum(itemId, this.#signal))
    const hash = await this.#patiently(() => this.#hash())
    const isSame = known === null || known.toLowerCase() === hash
    this.#forget()
    return { itemId, isSame }
  }

  /** Resumes an upload started before the page was reloaded, unless another tab is sending it. */
  async #claimBegun(parent: string | null): Promise<void> {
    // after a pause, we still hold the lock
    if (this.#session.release) return
    const { memory } = this.#parts
    const { file, name, place } = this.#upload
    const wanted = { name, size: file.size, modified: file.lastModified, parent, item: place.item }
    const uploadId = this.#session.uploadId ?? memory.find(wanted)?.uploadId
    this.#session.release = uploadId ? await memory.claim(uploadId) : undefined
    this.#session.uploadId = this.#session.release && uploadId
  }

  async #sendRest(parent: string | null): Promise<string> {
    for (let beginnings = 0; ; beginnings++) {
      try {
        return await this.#sendChunks(parent)
      } catch (error) {
        // it expired and its content was discarded: start over, but only a limited number of times
        if (!isGone(error) || !this.#session.uploadId || beginnings > 1) throw error
        this.#forget()
        this.#session.key = crypto.randomUUID()
        this.#news.onSent(0)
      }
    }
  }

  #forget(): void {
    const { uploadId } = this.#session
    if (uploadId) this.#parts.memory.forget(uploadId)
    letGo(this.#session)
  }

  async #sendChunks(parent: string | null): Promise<string> {
    const { uploadId: earlier } = this.#session
    let known = earlier ? await this.#whereIs(earlier) : await this.#begin(parent)
    for (let failures = 0; !known.isComplete; ) {
      const { uploadId, uploaded, maxChunkSize: chunkSize } = known
      this.#news.onState('sending')
      this.#news.onSent(uploaded)
      try {
        const options = { chunkSize, onSent: this.#news.onSent, signal: this.#signal }
        await this.#parts.transport.rest(uploadId, this.#upload.file, options)
      } catch (error) {
        failures += 1
        await this.#recover(error, failures)
      }
      // only the server knows what arrived of an interrupted chunk
      known = await this.#whereIs(uploadId)
      if (!known.isComplete && known.uploaded > uploaded) failures = 0
    }
    return known.id
  }

  async #begin(parent: string | null) {
    const { transport, memory } = this.#parts
    const { file, name, place } = this.#upload
    const begun = await this.#patiently(() =>
      transport.begin(this.#facts(parent), this.#session.key, this.#signal),
    )
    this.#session.uploadId = begun.uploadId
    const { size, lastModified: modified } = file
    memory.remember({ uploadId: begun.uploadId, name, size, modified, parent, item: place.item })
    this.#session.release = await memory.claim(begun.uploadId)
    return { ...begun, isComplete: false, uploaded: 0 } as const
  }

  async #whereIs(uploadId: string) {
    const known = await this.#patiently(() => this.#parts.transport.progress(uploadId, this.#signal))
    return { ...known, uploadId }
  }

  /** Retries transient failures for as long as it takes. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        const result = await work()
        if (failures > 1) this.#news.onState('sending')
        return result
      } catch (error) {
        await this.#recover(error, failures)
      }
    }
  }

  /** Waits until a retry makes sense; throws permanent errors. */
  async #recover(error: unknown, failures: number): Promise<void> {
    this.#signal.throwIfAborted()
    // another sender is, or was, using the same upload; any other 409 is about the name
    const isTaken = error instanceof ApiError && error.uploaded !== undefined
    if (!isPassing(error) && !isTaken) throw error
    const wait = waitAfter(error, failures)
    if (wait === undefined) throw error
    await this.#mustBeReadable()
    if (!isTaken) this.#news.onState('lost')
    await this.#parts.patience.wait(wait, this.#signal)
  }

  /** Checks that the file is readable, because an unreadable one looks like a lost network. */
  async #mustBeReadable(): Promise<void> {
    try {
      await this.#upload.file.slice(0, 1).arrayBuffer()
    } catch {
      throw new UnreadableFile()
    }
  }

  async #hash(): Promise<string> {
    this.#session.hashing ??= this.#beginHash()
    try {
      return await this.#session.hashing.result
    } catch (error) {
      // the retry hashes it again
      this.#session.hashing = undefined
      this.#signal.throwIfAborted()
      if (error instanceof ApiError) throw error
      throw new UnreadableFile('', { cause: error })
    }
  }

  #beginHash(): Session['hashing'] & object {
    const abort = new AbortController()
    const result = this.#parts.hash(this.#upload.file, abort.signal)
    return { result, abort: () => abort.abort() }
  }

  #facts(parent: string | null): ContentFacts {
    const { name, file, conflict, place } = this.#upload
    const mtime = Math.max(0, Math.floor(file.lastModified / 1000))
    return { name, parent, item: place.item, conflict, size: file.size, mtime }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
