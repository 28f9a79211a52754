import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { DiskStore } from '../../files/storage/disk-store.ts'
import { FileKeys } from '../../files/storage/file-keys.ts'
import { markFile } from '../../files/storage/folder-mark.ts'
import { readFolderMark } from '../../files/storage/folder-mark-store.ts'
import { openStore } from '../../files/storage/open-store.ts'
import { findDamage } from '../../files/storage/verify-contents.ts'
import { withAdvisoryLock } from '../../platform/db/advisory-lock.ts'
import { migrate, migrateQueue } from '../../platform/db/migrate.ts'
import { replaceMasterSecret } from '../../platform/installation-keys/master-secret.ts'
import { openSecrets } from '../../platform/installation-keys/open-secrets.ts'
import { countProcesses } from '../../platform/jobs/pool-store.ts'
import { version } from '../../platform/release/version.ts'
import { sealedColumns } from '../sealed-columns.ts'
import { startUpLock } from '../start-up-lock.ts'
import { restorePieces } from './copy-pieces.ts'
import type { BackupParts } from './create-backup.ts'
import { BackupError } from './errors.ts'
import { loadDatabase } from './load-database.ts'
import { isEmptyDatabase, nameOfDatabase } from './load-store.ts'
import { type Manifest, pathsOf } from './manifest-file.ts'
import { readPart } from './part-file.ts'
import { verifyBackup } from './verify-backup.ts'

/** Left in the folder of files while a restore runs; contains the id of the backup. */
const unfinishedMark = 'gatehouse-restore'

export interface RestoreOptions {
  readonly passphrase: string
  /** Name of the database whose contents may be replaced. */
  readonly replaces?: string | undefined
  readonly onStep: (sentence: string) => void
}

/** What was found in the restored installation. */
export interface Restored {
  readonly manifest: Manifest
  /** Inconsistencies of the ledger. */
  readonly ledgerProblems: readonly string[]
  readonly contents: number
  readonly damagedContents: readonly string[]
}

/**
 * Restores a backup: checks all of it, copies the files, loads the database in one transaction, upgrades its
 * schema, and verifies the result. An interrupted restore can be run again. Throws BackupError.
 */
export async function restoreBackup(
  parts: BackupParts,
  folder: string,
  { passphrase, replaces, onStep }: RestoreOptions,
): Promise<Restored> {
  const { database, history } = parts
  onStep('Checking the backup.')
  const { manifest, secrets } = await verifyBackup(folder, passphrase)
  requireKnown(manifest, Object.keys(history.migrations))
  return withAdvisoryLock(database.pool, startUpLock, async () => {
    const isReplacing = await requireRoom(parts, manifest, replaces)
    await restoreMasters(parts, secrets.masters, replaces !== undefined)
    await restoreFiles(parts, folder, manifest, onStep)
    onStep(`Loading ${manifest.tables.length} tables.`)
    await migrateQueue(database)
    await loadDatabase(database.pool, folder, manifest, { replaces: isReplacing })
    onStep('Upgrading the schema.')
    await migrate(database, history)
    await finishFiles(parts)
    onStep('Verifying the result.')
    return { manifest, ...(await verify(parts)) }
  })
}

function requireKnown(manifest: Manifest, migrations: readonly string[]): void {
  const newest = migrations.at(-1) ?? ''
  const unknown = manifest.migrations.filter((name) => name > newest)
  if (unknown.length === 0) return
  throw new BackupError(
    `The backup was made by version ${manifest.version} (schema ${unknown.at(-1)}), this is version ${version} (schema ${newest}). Restore it with version ${manifest.version} or newer.`,
  )
}

/** Returns whether existing contents are replaced. Throws BackupError if they must not be. */
async function requireRoom(
  { database: { pool }, config }: BackupParts,
  manifest: Manifest,
  replaces: string | undefined,
): Promise<boolean> {
  if ((await countProcesses(pool)) > 0) {
    throw new BackupError('A server is running on this database. Stop all servers and gateways first.')
  }
  const client = await pool.connect()
  try {
    const name = await nameOfDatabase(client)
    if (replaces !== undefined && replaces !== name) {
      throw new BackupError(`The database is called ${name}, not ${replaces}. Nothing was changed.`)
    }
    const isEmpty = await isEmptyDatabase(client)
    if (replaces === undefined && !isEmpty) {
      throw new BackupError(
        `The database ${name} isn't empty. Restore into an empty database, or add --replace=${name} to replace all its contents.`,
      )
    }
    const folder = folderOf(config)
    const isUsed =
      manifest.files.kind === 'copied' && folder !== undefined && (await isOccupied(folder, manifest))
    if (replaces === undefined && isUsed) {
      throw new BackupError(
        `The folder ${folder} contains files. Restore into an empty folder, or add --replace=${name} to keep its files and add those of the backup.`,
      )
    }
    return !isEmpty
  } finally {
    client.release()
  }
}

/** Whether a folder has contents other than those of an interrupted restore of the same backup. */
async function isOccupied(folder: string, { id }: Manifest): Promise<boolean> {
  const entries = await readdir(folder).catch(() => [])
  if (entries.length === 0) return false
  const mark = await readFile(join(folder, unfinishedMark), 'utf8').catch(() => undefined)
  return mark !== id
}

async function restoreMasters(
  { config }: BackupParts,
  masters: readonly string[],
  mayReplace: boolean,
): Promise<void> {
  const outcome = await replaceMasterSecret(config, masters, mayReplace)
  if (outcome === 'restored') return
  throw new BackupError(
    outcome === 'setting differs'
      ? "SECRET_KEY isn't the master secret of the backup. Remove the setting: the secret of the backup is then written to DATA_DIR/secrets/master."
      : 'DATA_DIR/secrets/master contains another master secret than the backup. Move the file away first.',
  )
}

async function restoreFiles(
  { config }: BackupParts,
  backup: string,
  manifest: Manifest,
  onStep: (sentence: string) => void,
): Promise<void> {
  const folder = folderOf(config)
  if (manifest.files.kind !== 'copied') {
    onStep('The content of files is not part of this backup: it must be in its folder or bucket.')
    return
  }
  if (folder === undefined) {
    throw new BackupError(
      'The backup contains the content of files: set FILESYSTEM_DISK=local to restore it.',
    )
  }
  onStep(`Copying ${manifest.files.pieces} pieces of files.`)
  const paths = pathsOf(backup)
  const to = await DiskStore.open(folder)
  await writeFile(join(folder, unfinishedMark), manifest.id, { mode: 0o600, flush: true })
  await restorePieces(readPart(paths.list, manifest.files.list), await DiskStore.open(paths.files), to)
}

/** Gives the folder the mark that the database knows, which completes the restore. */
async function finishFiles({ config, database }: BackupParts): Promise<void> {
  const folder = folderOf(config)
  const mark = await readFolderMark(database.db)
  if (folder === undefined || mark === undefined) return
  await DiskStore.open(folder)
  await writeFile(join(folder, markFile), `${mark}\n`, { mode: 0o600, flush: true })
  await rm(join(folder, unfinishedMark), { force: true })
}

async function verify(parts: BackupParts): Promise<Omit<Restored, 'manifest'>> {
  const { database, clock, config } = parts
  const secrets = await openSecrets(database.db, config, async () => sealedColumns)
  const store = await openStore(config, database.db)
  const damagedContents: string[] = []
  let contents = 0
  try {
    const keys = new FileKeys(database.db, clock, secrets)
    for await (const { contentId, problem } of findDamage({ db: database.db, clock, store, keys })) {
      contents++
      if (problem !== undefined) damagedContents.push(`${contentId}  ${problem}`)
    }
  } finally {
    store.close()
  }
  const findings = await verifyLedger(database.db)
  return {
    ledgerProblems: findings.map(({ check, count }) => `${check}: ${count}`),
    contents,
    damagedContents,
  }
}

function folderOf(config: BackupParts['config']): string | undefined {
  return config.FILESYSTEM_DISK === 'local'
    ? (config.FILES_FOLDER ?? join(config.dataDir, 'files'))
    : undefined
}
