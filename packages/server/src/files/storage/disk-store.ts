import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newUuid } from '../../platform/ids.ts'
import { type ContentStore, ObjectMissing, type ObjectWriter } from './content-store.ts'
import { markFile } from './folder-mark.ts'
import { sealedSegment } from './segments.ts'

const megabyte = 1024 * 1024

/**
 * Stores objects as files below a folder. An object is written to a temporary name, fsynced and then renamed,
 * so that a file under its final name is always complete. The last, random characters of an id distribute
 * files over subfolders.
 */
export class DiskStore implements ContentStore {
  readonly pieceBytes = 64 * megabyte
  readonly #root: string
  /** Folders known to be durable. */
  readonly #folders = new Map<string, Promise<void>>()

  private constructor(root: string) {
    this.#root = root
  }

  /** Opens a folder and creates it if necessary. */
  static async open(root: string): Promise<DiskStore> {
    await mkdir(join(root, 'tmp'), { recursive: true, mode: 0o700 })
    return new DiskStore(root)
  }

  async create(id: string): Promise<ObjectWriter> {
    const temporary = this.#temporary(id)
    const file = await open(temporary, 'wx', 0o600)
    return {
      write: (parts) => writeAll(file, parts),
      commit: async () => {
        await file.datasync()
        await file.close()
        const path = this.#path(id)
        await this.#makeFolder(dirname(path))
        await rename(temporary, path)
        await syncFolder(dirname(path))
      },
      discard: async () => {
        await file.close().catch(() => undefined)
        await rm(temporary, { force: true }).catch(() => undefined)
      },
    }
  }

  async *read(id: string, start: number, length: number): AsyncGenerator<Uint8Array> {
    if (length === 0) return
    const file = await open(this.#path(id)).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing(id) : error
    })
    try {
      yield* inUnits(file, start, start + length)
    } finally {
      await file.close()
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true })
    await rm(this.#temporary(id), { force: true })
  }

  async probe(): Promise<void> {
    const id = newUuid()
    const writer = await this.create(id)
    await writer.write([Buffer.from('probe')])
    await writer.commit()
    const { size } = await stat(this.#path(id))
    await this.remove(id)
    if (size !== 5) throw new Error(`a test file of 5 bytes has ${size} bytes`)
  }

  close(): void {
    this.#folders.clear()
  }

  /** Lists the ids of all objects, finished or not, for comparison with the database. */
  async *list(): AsyncGenerator<string> {
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name !== markFile) yield entry.name
    }
  }

  #path(id: string): string {
    return join(this.#root, id.slice(-2), id.slice(-4, -2), id)
  }

  #temporary(id: string): string {
    return join(this.#root, 'tmp', id)
  }

  /** Creates a folder durably, so that it survives a power failure. */
  #makeFolder(folder: string): Promise<void> {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const made = mkdir(folder, { recursive: true, mode: 0o700 }).then(async () => {
      await syncFolder(dirname(folder))
      await syncFolder(this.#root)
    })
    this.#folders.set(folder, made)
    // retry next time if it failed
    made.catch(() => this.#folders.delete(folder))
    return made
  }
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  for (let rest = parts; rest.length > 0; ) {
    const { bytesWritten } = await file.writev(rest)
    rest = afterBytes(rest, bytesWritten)
  }
}

/** Returns the parts without their first bytes. */
function afterBytes(parts: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes
  for (const [place, part] of parts.entries()) {
    if (left < part.length) return [part.subarray(left), ...parts.slice(place + 1)]
    left -= part.length
  }
  return []
}

/**
 * Reads a file from `start` to `end` in whole segments, as readers need them. Reads ahead one segment,
 * alternating between two buffers, because allocating memory costs more than processing it. Ends early at the
 * end of the file.
 */
async function* inUnits(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  const unit = Math.min(sealedSegment, end - start)
  let used = Buffer.allocUnsafeSlow(Math.min(unit, end - start - unit))
  let free = Buffer.allocUnsafeSlow(unit)
  let position = start
  const begin = () => {
    const buffer = free.subarray(0, Math.min(unit, end - position))
    free = used
    used = buffer
    position += buffer.length
    const reading = fillFrom(file, buffer, position - buffer.length)
    // the awaiting code handles the failure
    reading.catch(() => undefined)
    return reading
  }
  let next = begin()
  try {
    for (let bytes = await next; bytes.length > 0; bytes = await next) {
      next = begin()
      yield bytes
    }
  } finally {
    // the file must not be closed during a read
    await next.catch(() => undefined)
  }
}

/** Reads until the buffer is full or the file ends; returns the bytes read. */
async function fillFrom(file: FileHandle, buffer: Buffer, position: number): Promise<Uint8Array> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Fsyncs a folder, which makes new names in it durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
