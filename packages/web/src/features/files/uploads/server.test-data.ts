import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '../../../platform/api/api-error.ts'
import type { BegunUpload, ContentFacts, UploadMemory, UploadTransport } from './transport/transport.ts'

interface Begun {
  facts: ContentFacts
  bytes: Buffer
}

export interface StoredFile {
  name: string
  parent: string | null
  bytes: Buffer
}

/** What a call is about to do; may throw, and may change how much of a chunk arrives. */
type Fault = (call: string) => Promise<void> | void

/** A server that keeps files in memory, as the contract has it, with faults where a test wants them. */
export class MemoryServer implements UploadTransport {
  readonly files = new Map<string, StoredFile>()
  readonly begun = new Map<string, Begun>()
  readonly calls: string[] = []
  readonly chunkSize: number
  fault: Fault = () => undefined
  /** Bytes of the next chunk that arrive before the connection breaks. */
  breakAfter: number | undefined
  /** The answer to the next call is lost, although it was carried out. */
  loseAnswer = false
  /** Changes what is stored of a finished file. */
  corrupt = false
  readonly #keys = new Map<string, unknown>()

  constructor(chunkSize = 2 ** 20) {
    this.chunkSize = chunkSize
  }

  async folder({ parent, path }: Parameters<UploadTransport['folder']>[0]): Promise<string | null> {
    await this.#call('folder')
    return path.length > 0 ? [parent ?? '', ...path].join('/') : parent
  }

  async whole(
    content: Blob,
    facts: ContentFacts,
    key: string,
    { signal }: Parameters<UploadTransport['whole']>[3],
  ): Promise<{ id: string }> {
    await this.#call('whole', signal)
    const bytes = Buffer.from(await content.arrayBuffer())
    const answer = this.#once(key, () => {
      if (facts.sha256 !== hex(bytes)) throw new ApiError('', { status: 422, errors: { sha256: 'other' } })
      return { id: this.#store(facts, bytes) }
    })
    this.#mayLose()
    return answer
  }

  async begin(facts: ContentFacts, key: string, signal: AbortSignal) {
    await this.#call('begin', signal)
    const answer = this.#once(key, () => {
      this.#mustBeFree(facts)
      const uploadId = randomUUID()
      this.begun.set(uploadId, { facts, bytes: Buffer.alloc(0) })
      return { uploadId, maxChunkSize: this.chunkSize }
    })
    this.#mayLose()
    return answer
  }

  async chunk(
    uploadId: string,
    from: number,
    content: Blob,
    { onSent, signal }: Parameters<UploadTransport['chunk']>[3],
  ): Promise<{ uploaded: number } | { id: string }> {
    await this.#call('chunk', signal)
    const begun = this.#find(uploadId)
    const uploaded = begun.bytes.length
    if (from !== uploaded) throw new ApiError('', { status: 409, uploaded })
    const bytes = Buffer.from(await bytesOf(content))
    const arrived = this.breakAfter ?? bytes.length
    begun.bytes = Buffer.concat([begun.bytes, bytes.subarray(0, arrived)])
    onSent(arrived)
    if (this.breakAfter !== undefined) {
      this.breakAfter = undefined
      throw lost()
    }
    if (begun.bytes.length < begun.facts.size) {
      this.#mayLose()
      return { uploaded: begun.bytes.length }
    }
    const id = this.#store(begun.facts, begun.bytes)
    this.#finished.set(uploadId, id)
    this.begun.delete(uploadId)
    this.#mayLose()
    return { id }
  }

  readonly #finished = new Map<string, string>()

  async progress(uploadId: string, signal: AbortSignal) {
    await this.#call('progress', signal)
    const id = this.#finished.get(uploadId)
    if (id !== undefined) return { isComplete: true as const, id }
    const { bytes } = this.#find(uploadId)
    return { isComplete: false as const, uploaded: bytes.length, maxChunkSize: this.chunkSize }
  }

  async discard(uploadId: string): Promise<void> {
    await this.#call('discard')
    this.begun.delete(uploadId)
  }

  async checksum(id: string, signal: AbortSignal): Promise<string | null> {
    await this.#call('checksum', signal)
    return hex(this.files.get(id)?.bytes ?? Buffer.alloc(0))
  }

  async #call(name: string, signal?: AbortSignal): Promise<void> {
    this.calls.push(name)
    await this.fault(name)
    signal?.throwIfAborted()
  }

  #once<T>(key: string, act: () => T): T {
    if (!this.#keys.has(key)) this.#keys.set(key, act())
    return this.#keys.get(key) as T // what was stored under this key
  }

  #find(uploadId: string): Begun {
    const begun = this.begun.get(uploadId)
    if (!begun) throw new ApiError('', { status: 404 })
    return begun
  }

  #mayLose(): void {
    if (!this.loseAnswer) return
    this.loseAnswer = false
    throw lost()
  }

  #mustBeFree({ name, parent, conflict, item }: ContentFacts): void {
    const isTaken = [...this.files.values()].some((file) => file.name === name && file.parent === parent)
    if (isTaken && conflict === 'fail' && !item) throw new ApiError('taken', { status: 409 })
  }

  #store(facts: ContentFacts, bytes: Buffer): string {
    this.#mustBeFree(facts)
    const stored = this.corrupt ? Buffer.from(bytes.map((byte) => byte ^ 1)) : bytes
    const same = [...this.files].find(
      ([, file]) => file.name === facts.name && file.parent === facts.parent,
    )?.[0]
    const id = facts.item ?? (facts.conflict === 'replace' ? same : undefined) ?? randomUUID()
    const isSecond = facts.conflict === 'rename' && same !== undefined
    this.files.set(id, {
      name: isSecond ? `${facts.name} (2)` : facts.name,
      parent: facts.parent,
      bytes: stored,
    })
    return id
  }
}

/** A file that the browser cannot read looks as if the connection broke. */
async function bytesOf(content: Blob): Promise<ArrayBuffer> {
  try {
    return await content.arrayBuffer()
  } catch {
    throw lost()
  }
}

/** The connection broke. */
export function lost(): ApiError {
  return new ApiError('', { status: 0 })
}

function hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A memory that lives as long as a test. */
export class TestMemory implements UploadMemory {
  begun: BegunUpload[] = []
  readonly claimed = new Set<string>()

  find(wanted: Omit<BegunUpload, 'uploadId'>): BegunUpload | undefined {
    return this.begun.find(
      (one) => one.name === wanted.name && one.size === wanted.size && one.modified === wanted.modified,
    )
  }

  remember(begun: BegunUpload): void {
    this.begun.push(begun)
  }

  forget(uploadId: string): void {
    this.begun = this.begun.filter((one) => one.uploadId !== uploadId)
  }

  claim(uploadId: string): Promise<(() => void) | undefined> {
    if (this.claimed.has(uploadId)) return Promise.resolve(undefined)
    this.claimed.add(uploadId)
    return Promise.resolve(() => void this.claimed.delete(uploadId))
  }
}
