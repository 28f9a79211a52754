import { once } from 'node:events'
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { Spool } from './spool.ts'

/** Content up to this size is compressed in memory, which is much faster than a stream for each small file. */
const smallBytes = 64 * 1024

const level = 3
/** Names are UTF-8. */
const utf8Flag = 0x0800
/** Sizes and checksum follow the content. */
const laterFlag = 0x0008
/** ZIP64 (APPNOTE 4.4.3). */
const zip64Version = 45
/** Made on Unix, so that readers apply the permissions. */
const madeBy = (3 << 8) | zip64Version
/** A regular file that its owner may read and write. */
const attributes = (0o100600 << 16) >>> 0
const max32 = 0xffffffff
const max16 = 0xffff

interface Written {
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly isStored: boolean
  readonly flags: number
}

/**
 * Writes a ZIP64 archive (APPNOTE 6.3.3). The central directory is spooled, because the memory for that of many
 * files would grow with their number.
 */
export class ZipWriter implements AsyncDisposable {
  readonly #directory: Spool
  #offset = 0
  #entries = 0

  private constructor(directory: Spool) {
    this.#directory = directory
  }

  static async open(): Promise<ZipWriter> {
    return new ZipWriter(await Spool.open())
  }

  /** Yields an entry. Content that is compressed already is only stored. */
  async *entry(
    path: string,
    date: Date,
    content: AsyncIterable<Uint8Array>,
    isPacked: boolean,
  ): AsyncGenerator<Uint8Array> {
    const name = Buffer.from(path)
    const start = this.#offset
    const source = content[Symbol.asyncIterator]()
    try {
      const { head, isAll } = await readHead(source)
      const parts = isAll
        ? smallEntry(name, date, Buffer.concat(head), isPacked)
        : largeEntry(name, date, restOf(head, source), isPacked)
      let part = await parts.next()
      for (; part.done !== true; part = await parts.next()) {
        this.#offset += part.value.length
        yield part.value
      }
      await this.#directory.add(directoryRecord(name, date, start, part.value))
      this.#entries++
    } finally {
      await source.return?.()
    }
  }

  /** Yields the central directory, which ends the archive. */
  async *end(): AsyncGenerator<Uint8Array> {
    yield* this.#directory.read()
    yield endRecords(this.#entries, this.#directory.size, this.#offset)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory[Symbol.asyncDispose]()
  }
}

async function readHead(source: AsyncIterator<Uint8Array>) {
  const head: Uint8Array[] = []
  for (let bytes = 0; bytes <= smallBytes; ) {
    const next = await source.next()
    if (next.done === true) return { head, isAll: true }
    // a source may reuse its buffer
    head.push(Buffer.from(next.value))
    bytes += next.value.length
  }
  return { head, isAll: false }
}

async function* restOf(head: readonly Uint8Array[], source: AsyncIterator<Uint8Array>) {
  yield* head
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
}

async function* smallEntry(
  name: Buffer,
  date: Date,
  content: Buffer,
  isPacked: boolean,
): AsyncGenerator<Uint8Array, Written> {
  const packed = isPacked ? content : deflateRawSync(content, { level })
  const isStored = packed.length >= content.length
  const body = isStored ? content : packed
  const written = { crc: crc32(content), packed: body.length, size: content.length, isStored }
  yield Buffer.concat([localHeader(name, date, { ...written, flags: utf8Flag }), body])
  return { ...written, flags: utf8Flag }
}

async function* largeEntry(
  name: Buffer,
  date: Date,
  content: AsyncIterable<Uint8Array>,
  isPacked: boolean,
): AsyncGenerator<Uint8Array, Written> {
  const flags = utf8Flag | laterFlag
  yield localHeader(name, date, { crc: 0, packed: 0, size: 0, isStored: isPacked, flags })
  let [crc, size, packed] = [0, 0, 0]
  async function* metered() {
    for await (const part of content) {
      crc = crc32(part, crc)
      size += part.length
      // the compressor reads it later, when a source may have reused its buffer
      yield isPacked ? part : Buffer.from(part)
    }
  }
  for await (const part of isPacked ? metered() : deflated(metered())) {
    packed += part.length
    yield part
  }
  const written = { crc, packed, size, isStored: isPacked, flags }
  yield descriptor(written)
  return written
}

async function* deflated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(content, { objectMode: false })
  const deflate = createDeflateRaw({ level })
  source.on('error', (error) => deflate.destroy(error))
  source.pipe(deflate)
  try {
    // streams of bytes yield buffers
    for await (const part of deflate) yield part as Buffer
  } finally {
    const isOpen = !source.closed
    source.destroy()
    deflate.destroy()
    if (isOpen) await once(source, 'close').catch(() => undefined)
  }
}

function localHeader(name: Buffer, date: Date, { crc, packed, size, isStored, flags }: Written): Buffer {
  const isLater = (flags & laterFlag) !== 0
  // announces sizes of 64 bits after the content
  const extra = isLater ? zip64Extra([0, 0]) : Buffer.alloc(0)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(zip64Version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(isStored ? 0 : 8, 8)
  header.writeUInt32LE(dosDate(date), 10)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(isLater ? max32 : packed, 18)
  header.writeUInt32LE(isLater ? max32 : size, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

function descriptor({ crc, packed, size }: Written): Buffer {
  const record = Buffer.alloc(24)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(crc, 4)
  record.writeBigUInt64LE(BigInt(packed), 8)
  record.writeBigUInt64LE(BigInt(size), 16)
  return record
}

function directoryRecord(name: Buffer, date: Date, offset: number, written: Written): Buffer {
  const { crc, packed, size, isStored, flags } = written
  const large = [size, packed, offset].filter((value) => value >= max32)
  const extra = large.length === 0 ? Buffer.alloc(0) : zip64Extra(large)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(madeBy, 4)
  record.writeUInt16LE(zip64Version, 6)
  record.writeUInt16LE(flags, 8)
  record.writeUInt16LE(isStored ? 0 : 8, 10)
  record.writeUInt32LE(dosDate(date), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(Math.min(packed, max32), 20)
  record.writeUInt32LE(Math.min(size, max32), 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(attributes, 38)
  record.writeUInt32LE(Math.min(offset, max32), 42)
  return Buffer.concat([record, name, extra])
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + at * 8)
  return extra
}

/** The end of the central directory in both forms (APPNOTE 4.3.14 to 4.3.16). */
function endRecords(entries: number, bytes: number, offset: number): Buffer {
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(madeBy, 12)
  large.writeUInt16LE(zip64Version, 14)
  large.writeBigUInt64LE(BigInt(entries), 24)
  large.writeBigUInt64LE(BigInt(entries), 32)
  large.writeBigUInt64LE(BigInt(bytes), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, max16), 8)
  end.writeUInt16LE(Math.min(entries, max16), 10)
  end.writeUInt32LE(Math.min(bytes, max32), 12)
  end.writeUInt32LE(Math.min(offset, max32), 16)
  const isLarge = entries >= max16 || bytes >= max32 || offset >= max32
  return isLarge ? Buffer.concat([large, locator, end]) : end
}

/** Date and time of MS-DOS, in UTC and steps of two seconds. */
function dosDate(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}
