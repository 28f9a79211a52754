import { createHash, randomUUID } from 'node:crypto'
import type { HttpRequest, HttpStack } from 'tus-js-client'
import { expect } from 'vitest'
import { ApiError } from '../../../platform/api/api-error.ts'
import type { BegunUpload, ContentFacts, UploadMemory, UploadTransport } from './transport/transport.ts'
import { sendByTus } from './transport/tus.ts'

interface Begun {
  facts: ContentFacts
  bytes: Buffer
}

export interface StoredFile {
  name: string
  parent: string | null
  bytes: Buffer
}

interface TusRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob | null
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, number>>
}

/** Called before each request; may throw, and may change how much of a chunk arrives. */
type Fault = (call: string) => Promise<void> | void

/**
 * In-memory file server that follows the contract, with injectable faults. The tus client library talks to
 * it like to the real server.
 */
export class MemoryServer implements UploadTransport {
  readonly files = new Map<string, StoredFile>()
  readonly begun = new Map<string, Begun>()
  readonly calls: string[] = []
  readonly chunkSize: number
  fault: Fault = () => undefined
  /** The connection breaks after this many bytes of the next chunk. */
  breakAfter: number | undefined
  /** Loses the response to the next request, although it was carried out. */
  loseAnswer = false
  /** Stores the last chunk but stops before creating the file. */
  endsBeforeFile = false
  /** Corrupts the content of finished files. */
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

  async progress(uploadId: string, signal: AbortSignal) {
    await this.#call('progress', signal)
    const id = this.#finished.get(uploadId)
    if (id !== undefined) return { isComplete: true as const, id }
    const { bytes } = this.#find(uploadId)
    return { isComplete: false as const, uploaded: bytes.length, maxChunkSize: this.chunkSize }
  }

  rest(uploadId: string, content: Blob, options: Parameters<UploadTransport['rest']>[2]): Promise<void> {
    const httpStack = stackOf((request) => this.#tus(uploadId, request))
    return sendByTus(content, { ...options, uploadUrl: `/tus/${uploadId}`, httpStack })
  }

  readonly #finished = new Map<string, string>()

  /** The server's side of the protocol (tus.io, version 1.0.0). */
  async #tus(uploadId: string, { method, headers, body, onSent, signal }: TusRequest): Promise<Answer> {
    expect(headers['Tus-Resumable']).toBe('1.0.0')
    if (method === 'HEAD') {
      await this.#call('offset', signal)
      const { facts, bytes } = this.#find(uploadId)
      if (bytes.length === facts.size) this.#completeSilently(uploadId)
      return { status: 200, headers: { 'Upload-Offset': bytes.length, 'Upload-Length': facts.size } }
    }
    expect(method).toBe('PATCH')
    expect(headers['Content-Type']).toBe('application/offset+octet-stream')
    await this.#call('chunk', signal)
    const begun = this.#find(uploadId)
    // like the server's library, without a message
    if (Number(headers['Upload-Offset']) !== begun.bytes.length) throw new ApiError('', { status: 409 })
    expect(body?.size).toBeLessThanOrEqual(this.chunkSize)
    const bytes = Buffer.from(await bytesOf(body ?? new Blob()))
    const arrived = this.breakAfter ?? bytes.length
    begun.bytes = Buffer.concat([begun.bytes, bytes.subarray(0, arrived)])
    onSent(arrived)
    if (this.breakAfter !== undefined) {
      this.breakAfter = undefined
      throw lost()
    }
    const offset = begun.bytes.length
    if (offset === begun.facts.size && !this.endsBeforeFile) this.#complete(uploadId)
    this.#mayLose()
    return { status: 204, headers: { 'Upload-Offset': offset } }
  }

  /** Responses to HEAD have no message. */
  #completeSilently(uploadId: string): void {
    try {
      this.#complete(uploadId)
    } catch {
      throw new ApiError('', { status: 409 })
    }
  }

  #complete(uploadId: string): void {
    const { facts, bytes } = this.#find(uploadId)
    this.#finished.set(uploadId, this.#store(facts, bytes))
    this.begun.delete(uploadId)
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
    return this.#keys.get(key) as T // the value stored under this key
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
    if (isTaken && conflict === 'fail' && !item)
      throw new ApiError('taken', { status: 409, fromServer: true })
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

/** Reads content; an unreadable file looks like a broken connection. */
async function bytesOf(content: Blob): Promise<ArrayBuffer> {
  try {
    return await content.arrayBuffer()
  } catch {
    throw lost()
  }
}

/** The library's HTTP stack as one function. */
function stackOf(send: (request: TusRequest) => Promise<Answer>): HttpStack {
  return { getName: () => 'memory', createRequest: (method, url) => requestOf(send, method, url) }
}

function requestOf(send: (request: TusRequest) => Promise<Answer>, method: string, url: string): HttpRequest {
  const headers: Record<string, string> = {}
  const abort = new AbortController()
  let onSent: (bytes: number) => void = () => undefined
  return {
    getMethod: () => method,
    getURL: () => url,
    getHeader: (name) => headers[name],
    setHeader: (name, value) => {
      headers[name] = value
    },
    setProgressHandler: (handler) => {
      onSent = handler
    },
    send: async (body: Blob | null) => {
      const request = {
        method,
        headers,
        body,
        onSent: (bytes: number) => onSent(bytes),
        signal: abort.signal,
      }
      const answer = await send(request)
      return {
        getStatus: () => answer.status,
        getHeader: (name) => answer.headers[name]?.toString(),
        getBody: () => '',
        getUnderlyingObject: () => undefined,
      }
    },
    abort: async () => abort.abort(),
    getUnderlyingObject: () => undefined,
  }
}

/** The error of a broken connection. */
export function lost(): ApiError {
  return new ApiError('', { status: 0 })
}

function hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** An upload memory that lives as long as a test. */
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
