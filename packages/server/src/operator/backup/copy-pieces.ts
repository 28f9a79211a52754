import { createHash } from 'node:crypto'
import { type ContentStore, ObjectMissing } from '../../files/storage/content-store.ts'
import { linesOf } from '../../platform/text-lines.ts'
import { BackupDamaged } from './errors.ts'
import { type ListedPiece, pieceSchema } from './manifest-file.ts'

/** Size and checksum of a copied piece. */
interface Copied {
  readonly bytes: number
  readonly sha256: string
}

/** What became of the pieces so far. */
export interface PieceCounts {
  pieces: number
  bytes: number
  missing: number
}

/**
 * Copies pieces and yields their entries for the list. A piece that no file needs may be deleted meanwhile and
 * is left out; one that a file needs is counted as missing.
 */
export async function* backUpPieces(
  wanted: AsyncIterable<string>,
  from: ContentStore,
  to: ContentStore,
  counts: PieceCounts,
): AsyncGenerator<Buffer> {
  for await (const line of wanted) {
    const [id = '', need] = line.split('\t')
    const copied = await copyPiece(id, from, to)
    if (copied === undefined) {
      if (need === 'needed') counts.missing++
      continue
    }
    counts.pieces++
    counts.bytes += copied.bytes
    yield entryOf({ id, ...copied })
  }
}

/** Yields entries of pieces that are not copied. */
export async function* listPieces(
  wanted: AsyncIterable<string>,
  counts: PieceCounts,
): AsyncGenerator<Buffer> {
  for await (const line of wanted) {
    const [id = ''] = line.split('\t')
    counts.pieces++
    yield entryOf({ id, bytes: null, sha256: null })
  }
}

function entryOf(piece: ListedPiece): Buffer {
  return Buffer.from(`${JSON.stringify(piece)}\n`)
}

/** Copies the pieces of a list unless they are already there, and checks them. Throws BackupDamaged. */
export async function restorePieces(
  list: AsyncIterable<Buffer>,
  from: ContentStore,
  to: ContentStore,
): Promise<void> {
  for await (const piece of readList(list)) {
    if (isSame(piece, await measure(piece.id, to))) continue
    // left by an interrupted restore
    await to.remove(piece.id)
    requireSame(piece, await copyPiece(piece.id, from, to))
  }
}

/** Reads all pieces of a backup. Throws BackupDamaged. */
export async function verifyPieces(list: AsyncIterable<Buffer>, store: ContentStore): Promise<void> {
  for await (const piece of readList(list)) requireSame(piece, await measure(piece.id, store))
}

/** Yields the entries of a list. */
export async function* readList(list: AsyncIterable<Buffer>): AsyncGenerator<ListedPiece> {
  for await (const line of linesOf(list)) yield pieceSchema.parse(JSON.parse(line))
}

function isSame(piece: ListedPiece, found: Copied | undefined): boolean {
  return found?.bytes === piece.bytes && found?.sha256 === piece.sha256
}

function requireSame(piece: ListedPiece, found: Copied | undefined): void {
  if (isSame(piece, found)) return
  throw new BackupDamaged(`piece ${piece.id}`, found === undefined ? 'is missing' : 'was changed')
}

/** Undefined if the store doesn't have the piece. */
async function copyPiece(id: string, from: ContentStore, to: ContentStore): Promise<Copied | undefined> {
  const writer = await to.create(id)
  try {
    // a chunk is valid only until the next one
    const copied = await measure(id, from, (chunk) => writer.write([Buffer.from(chunk)]))
    await (copied === undefined ? writer.discard() : writer.commit())
    return copied
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function measure(
  id: string,
  store: ContentStore,
  each: (chunk: Uint8Array) => Promise<void> = async () => {},
): Promise<Copied | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of store.read(id, 0, store.pieceBytes * 2)) {
      hash.update(chunk)
      bytes += chunk.length
      await each(chunk)
    }
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}
