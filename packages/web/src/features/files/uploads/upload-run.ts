import { ApiError } from '../../../platform/api/api-error.ts'
import { isPassing, type Patience, waitAfter } from './transport/patience.ts'
import type { ContentFacts, UploadMemory, UploadTransport } from './transport/transport.ts'
import type { Upload } from './upload.ts'

/** Bytes up to which a file is sent in one request. */
export const smallFile = 2 ** 20

/** Types whose bodies servers read as input rather than as content. */
const inputTypes = /^(application\/(json|x-www-form-urlencoded)|multipart\/)/i

/** What a run needs. */
export interface RunParts {
  readonly transport: UploadTransport
  readonly memory: UploadMemory
  readonly patience: Patience
  /** The SHA-256 of a file; fails when it cannot be read, and with an `ApiError` when it can be tried again. */
  readonly hash: (file: Blob, signal: AbortSignal) => Promise<string>
}

/** What outlives a pause. */
export interface Session {
  /** Under this key it is begun, or sent, once. */
  key: string
  uploadId?: string
  /** Gives back the right to send to what was begun, which no other tab has meanwhile. */
  release?: () => void
  /** The hash of the file, on which work goes on during a pause. */
  hashing?: { readonly result: Promise<string>; readonly abort: () => void }
}

/** A session that begins anew with the same content. */
export function anew(session?: Session): Session {
  return { key: crypto.randomUUID(), hashing: session?.hashing }
}

/** What was begun is finished, or is somebody else's from now on. */
export function letGo(session: Session): void {
  session.release?.()
  session.release = undefined
  session.uploadId = undefined
}

/** Nothing comes of it any more. */
export function endSession(session: Session): void {
  letGo(session)
  session.hashing?.abort()
}

/** What a run tells while it goes on. */
export interface RunNews {
  readonly onSent: (bytes: number) => void
  readonly onState: (state: 'sending' | 'checking' | 'lost') => void
  readonly onFolder: (folder: string | null) => void
}

export interface RunResult {
  readonly itemId: string
  /** The server has the same content; false: it has another one. */
  readonly isSame: boolean
}

/** The file cannot be read any more: it was changed, moved or deleted. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Sends one file, from wherever it has got to, until the server has all of it. Throws what cannot be helped by waiting. */
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
    // what goes wrong with it is told at the end, where it is asked for again
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

  /** Goes on with what a page before this one has begun, unless another tab is at it. */
  async #claimBegun(parent: string | null): Promise<void> {
    // after a pause it is ours still
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
        // its time is over, and what had been stored of it is gone: from the beginning, but not for ever
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
      // it alone knows what arrived of a chunk that broke off
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

  /** Repeats what may succeed later, for as long as it takes. */
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

  /** Waits until another try makes sense; throws what no try would mend. */
  async #recover(error: unknown, failures: number): Promise<void> {
    this.#signal.throwIfAborted()
    // somebody else sends to the same upload, or did so until now; any other 409 is about the name
    const isTaken = error instanceof ApiError && error.uploaded !== undefined
    if (!isPassing(error) && !isTaken) throw error
    const wait = waitAfter(error, failures)
    if (wait === undefined) throw error
    await this.#mustBeReadable()
    if (!isTaken) this.#news.onState('lost')
    await this.#parts.patience.wait(wait, this.#signal)
  }

  /** A file that cannot be read looks like a network that is lost. */
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
      // the next try reads it again
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
