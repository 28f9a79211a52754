import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { BackupDamaged } from './errors.ts'

const checksum = z.string().regex(/^[0-9a-f]{64}$/)

/** Size and SHA-256 of a file, and the SHA-256 of its uncompressed content. */
export const partSchema = z.object({
  bytes: z.number().int().nonnegative(),
  sha256: checksum,
  contentSha256: checksum,
})

export type Part = z.infer<typeof partSchema>

/** Writes a compressed part durably. Memory use doesn't depend on its size. */
export async function writePart(file: string, content: AsyncIterable<Uint8Array>): Promise<Part> {
  const [plain, stored] = [new Meter(), new Meter()]
  await pipeline(
    Readable.from(content, { objectMode: false }),
    plain,
    createGzip({ level: 5 }),
    stored,
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  )
  return { bytes: stored.bytes, sha256: stored.sha256(), contentSha256: plain.sha256() }
}

/** Yields the content of a part. Throws BackupDamaged, at its end if only the checksum is wrong. */
export async function* readPart(file: string, part: Part): AsyncGenerator<Buffer> {
  const name = basename(file)
  const { size } = await stat(file).catch(() => ({ size: undefined }))
  if (size === undefined) throw new BackupDamaged(name, 'is missing')
  if (size !== part.bytes) throw new BackupDamaged(name, `has ${size} instead of ${part.bytes} bytes`)
  const [plain, stored] = [new Meter(), new Meter()]
  let failure: unknown
  // errors of any step end the last one, whose iterator throws
  pipeline(createReadStream(file), stored, createGunzip(), plain).catch((error: unknown) => {
    failure = error
  })
  try {
    // streams of bytes yield buffers
    for await (const chunk of plain) yield chunk as Buffer
  } catch (error) {
    throw new BackupDamaged(name, `can't be decompressed (${messageOf(failure ?? error)})`)
  }
  const isIntact = stored.sha256() === part.sha256 && plain.sha256() === part.contentSha256
  if (!isIntact) throw new BackupDamaged(name, 'has a wrong checksum')
}

/** Counts and hashes what passes. */
class Meter extends Transform {
  bytes = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length
    this.#hash.update(chunk)
    done(null, chunk)
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
