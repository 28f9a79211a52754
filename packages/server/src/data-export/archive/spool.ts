import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes collected before they are written, and read at once. */
const blockBytes = 64 * 1024

/** Bytes that are needed again later and must not fill the memory. The file has no name, so nothing is left over. */
export class Spool implements AsyncDisposable {
  readonly #file: FileHandle
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** Bytes added so far. */
  size = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-export-'))
    const file = await open(join(folder, 'spool'), 'wx+', 0o600)
    await rm(folder, { recursive: true })
    return new Spool(file)
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    this.size += bytes.length
    if (this.#heldBytes >= blockBytes) await this.#flush()
  }

  /** Yields everything added so far. */
  async *read(): AsyncGenerator<Uint8Array> {
    await this.#flush()
    for (let at = 0; at < this.size; ) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, this.size - at))
      const { bytesRead } = await this.#file.read(block, 0, block.length, at)
      if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
      yield block.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    if (this.#heldBytes === 0) return
    const block = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    await this.#file.appendFile(block)
  }
}
