import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { linesOf } from '../../platform/text-lines.ts'
import {
  describingFiles,
  type ExportManifest,
  exportManifest,
  type LedgerEnd,
  listedFile,
} from '../archive/manifest-format.ts'
import { ExportDamaged } from './errors.ts'
import type { PublicKey } from './read-keys.ts'
import { LedgerCheck } from './verify-ledger.ts'
import { verifySignature } from './verify-signature.ts'

/** Bytes of a manifest or its signature, at most. */
const mostManifestBytes = 4 * 1024 * 1024

/** What an intact archive contains. */
export interface Verified {
  readonly manifest: ExportManifest
  /** Id of the key that signed it. */
  readonly kid: string
  readonly bytes: number
}

interface Found {
  readonly bytes: number
  readonly sha256: string
}

/**
 * Reads a whole archive and compares it with its signed manifest: each file, no others, and the chain of each ledger.
 * Throws ExportDamaged.
 */
export async function verifyArchive(file: string, keys: readonly PublicKey[]): Promise<Verified> {
  const zip = await opened(file)
  try {
    const describing = await readDescribing(zip)
    const text = describing.get(describingFiles.manifest)
    const signature = describing.get(describingFiles.signature)
    if (text === undefined || signature === undefined) {
      throw new ExportDamaged('The archive has no signed manifest.')
    }
    const kid = verifySignature(text, signature.toString(), keys)
    const manifest = exportManifest.parse(JSON.parse(text.toString()))
    const bytes = await verifyFiles(await opened(file), manifest)
    return { manifest, kid, bytes }
  } finally {
    zip.close()
  }
}

async function opened(file: string): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true }
  return yauzl.openPromise(file, options).catch((error: unknown) => {
    const isOfSystem = error instanceof Error && 'code' in error
    if (isOfSystem) throw error
    throw new ExportDamaged('The file is no ZIP archive, or is incomplete.', { cause: error })
  })
}

/** Returns the contents of the manifest and its signature. */
async function readDescribing(zip: ZipFile): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for await (const entry of entriesOf(zip)) {
    const { fileName, uncompressedSize } = entry
    if (fileName !== describingFiles.manifest && fileName !== describingFiles.signature) continue
    if (found.has(fileName)) throw new ExportDamaged(`${fileName} appears twice.`)
    if (uncompressedSize > mostManifestBytes) throw new ExportDamaged(`${fileName} is too long.`)
    found.set(fileName, await readAll(zip, entry))
  }
  return found
}

async function verifyFiles(zip: ZipFile, manifest: ExportManifest): Promise<number> {
  const found = new Map<string, Found>()
  const ledgers = new Map(manifest.ledger.map((end) => [end.path, end]))
  let list: Entry | undefined
  let total = 0
  try {
    for await (const entry of entriesOf(zip)) {
      const path = entry.fileName
      if (path === describingFiles.manifest || path === describingFiles.signature) continue
      if (found.has(path)) throw new ExportDamaged(`${path} appears twice.`)
      const facts = await readFacts(zip, entry, ledgers.get(path))
      ledgers.delete(path)
      found.set(path, facts)
      total += facts.bytes
      if (path === describingFiles.contents) list = entry
    }
    const [missing] = ledgers.keys()
    if (missing !== undefined) throw new ExportDamaged(`${missing} is missing.`)
    if (list === undefined) throw new ExportDamaged(`${describingFiles.contents} is missing.`)
    compareList(found.get(describingFiles.contents), manifest)
    found.delete(describingFiles.contents)
    await compareFiles(linesOf(contentOf(zip, list)), found)
    return total
  } finally {
    zip.close()
  }
}

function compareList(found: Found | undefined, { contents }: ExportManifest): void {
  const isSame = found?.bytes === contents.bytes && found.sha256 === contents.sha256
  if (!isSame) throw new ExportDamaged(`${describingFiles.contents} was changed.`)
}

/** Compares the listed files with those found, and removes them. */
async function compareFiles(listed: AsyncIterable<string>, found: Map<string, Found>): Promise<void> {
  for await (const line of listed) {
    const { path, bytes, sha256 } = listedFile.parse(JSON.parse(line))
    const present = found.get(path)
    if (present === undefined) throw new ExportDamaged(`${path} is missing.`)
    if (present.bytes !== bytes || present.sha256 !== sha256) throw new ExportDamaged(`${path} was changed.`)
    found.delete(path)
  }
  const [added] = found.keys()
  if (added !== undefined) throw new ExportDamaged(`${added} does not belong to the export.`)
}

async function readFacts(zip: ZipFile, entry: Entry, ledger: LedgerEnd | undefined): Promise<Found> {
  const hash = createHash('sha256')
  let bytes = 0
  const check = ledger && new LedgerCheck(ledger.wallet)
  async function* metered() {
    for await (const part of contentOf(zip, entry)) {
      bytes += part.length
      hash.update(part)
      yield part
    }
  }
  if (check === undefined) for await (const _part of metered());
  else for await (const line of linesOf(metered())) check.add(line)
  const problem = ledger && check?.finish(ledger)
  if (problem !== undefined)
    throw new ExportDamaged(`The ledger ${entry.fileName} is not intact: ${problem}.`)
  return { bytes, sha256: hash.digest('hex') }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    for await (const entry of zip.eachEntry()) yield entry
  } catch (error) {
    if (error instanceof ExportDamaged) throw error
    throw new ExportDamaged('The archive is damaged: its directory can’t be read.', { cause: error })
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    const stream = await zip.openReadStreamPromise(entry)
    // streams of bytes yield buffers
    for await (const part of stream) yield part as Buffer
  } catch (error) {
    throw new ExportDamaged(`${entry.fileName} can’t be read.`, { cause: error })
  }
}

function readAll(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return buffer(contentOf(zip, entry))
}
