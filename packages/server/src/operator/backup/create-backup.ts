import { randomBytes } from 'node:crypto'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FileSettings } from '../../files/file-settings.ts'
import { DiskStore } from '../../files/storage/disk-store.ts'
import { openStore } from '../../files/storage/open-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SchemaHistory } from '../../platform/db/migrate.ts'
import { newUuid } from '../../platform/ids.ts'
import { type MasterSource, readMasterSecrets } from '../../platform/installation-keys/master-secret.ts'
import { openSecrets } from '../../platform/installation-keys/open-secrets.ts'
import { version } from '../../platform/release/version.ts'
import { linesOf } from '../../platform/text-lines.ts'
import { sealedColumns } from '../sealed-columns.ts'
import { backUpPieces, listPieces, type PieceCounts } from './copy-pieces.ts'
import { dumpDatabase } from './dump-database.ts'
import { BackupError } from './errors.ts'
import { type Manifest, pathsOf, writeManifest } from './manifest-file.ts'
import { readPart, writePart } from './part-file.ts'
import { shortestPassphrase, writeSecrets } from './sealed-secrets.ts'

/** Settings that a backup reads. */
export type BackupConfig = MasterSource & FileSettings

export interface BackupParts {
  readonly database: Database
  readonly clock: Clock
  readonly config: BackupConfig
  readonly history: SchemaHistory
}

export interface CreateOptions {
  readonly passphrase: string
  /** Whether the content of files is copied. Content in a bucket never is. */
  readonly copiesFiles: boolean
}

export interface Created {
  readonly manifest: Manifest
  readonly skipped: readonly string[]
}

/**
 * Makes a backup in a new folder: the database, then the content of files, so that the copy contains all that
 * the database refers to. The folder gets its name at the end; until then it has another one. Throws
 * BackupError.
 */
export async function createBackup(
  parts: BackupParts,
  target: string,
  options: CreateOptions,
): Promise<Created> {
  if (options.passphrase.length < shortestPassphrase) {
    throw new BackupError(`The passphrase must have at least ${shortestPassphrase} characters.`)
  }
  const folder = resolve(target)
  if (await exists(folder)) throw new BackupError(`${target} already exists. Choose another name.`)
  const unfinished = `${folder}.unfinished-${randomBytes(4).toString('hex')}`
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(unfinished, { mode: 0o700 })
  try {
    const created = await write(parts, unfinished, options)
    await rename(unfinished, folder)
    await sync(dirname(folder))
    return created
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function write(parts: BackupParts, folder: string, options: CreateOptions): Promise<Created> {
  const { database, clock, config, history } = parts
  const paths = pathsOf(folder)
  const createdAt = clock.now().toISOString()
  const pieces = join(folder, 'pieces.txt.gz')
  const { skipped, pieces: pieceList, ...dump } = await dumpDatabase(database.pool, history, folder, pieces)
  // proves that the secret belongs to this database
  await openSecrets(database.db, config, async () => sealedColumns)
  const masters = await readMasterSecrets(config)
  const manifestKey = randomBytes(32).toString('base64')
  const secrets = { masters: [...(masters?.listed ?? [])], manifestKey }
  await writeSecrets(paths.secrets, secrets, options.passphrase)
  const files = await writeFiles(parts, folder, linesOf(readPart(pieces, pieceList)), options)
  await rm(pieces)
  const manifest: Manifest = { format: 1, id: newUuid(), createdAt, version, ...dump, files }
  await writeManifest(folder, manifest, manifestKey)
  for (const one of [paths.database, folder]) await sync(one)
  return { manifest, skipped }
}

async function writeFiles(
  { database, config }: BackupParts,
  folder: string,
  wanted: AsyncIterable<string>,
  { copiesFiles }: CreateOptions,
): Promise<Manifest['files']> {
  const { list: file, files } = pathsOf(folder)
  const counts: PieceCounts = { pieces: 0, bytes: 0, missing: 0 }
  if (!copiesFiles || config.FILESYSTEM_DISK !== 'local') {
    const list = await writePart(file, listPieces(wanted, counts))
    return { kind: 'listed', ...counts, list }
  }
  const from = await openStore(config, database.db)
  try {
    const list = await writePart(file, backUpPieces(wanted, from, await DiskStore.open(files), counts))
    return { kind: 'copied', ...counts, list }
  } finally {
    from.close()
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Makes new names in a folder durable. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
