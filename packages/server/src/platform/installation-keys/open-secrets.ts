import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { deriveKey, Secrets, seal, unseal } from '../secrets.ts'
import {
  insertFirstKey,
  insertNextKey,
  readKeys,
  resealKey,
  type SealedColumn,
  type StoredKey,
  sampleOf,
} from './key-store.ts'
import {
  type MasterSecrets,
  type MasterSource,
  makeMasterSecret,
  masterFile,
  readMasterSecrets,
} from './master-secret.ts'

const purpose = 'installation-key'

/** The master secret is missing or doesn't belong to this database. The message says what to do. */
export class MasterSecretError extends Error {
  override name = 'MasterSecretError'
}

/** Loads the sealed columns of all rooms, which only an installation from before it had keys needs. */
export type SealedColumns = () => Promise<readonly SealedColumn[]>

/** A decrypted key of the installation. */
export interface OpenKey {
  readonly n: number
  readonly key: Buffer
  readonly isCurrent: boolean
  /** Whether it is sealed with the newest master secret. */
  readonly isUnderNewest: boolean
}

export interface OpenRing {
  readonly masters: MasterSecrets
  /** Oldest first; there is at least one. */
  readonly keys: readonly OpenKey[]
}

/**
 * Decrypts an installation's keys with its master secret, and creates both if there are none. `columns` prove
 * which master secret an installation used before it had keys. Throws MasterSecretError.
 */
export async function openSecrets(db: Db, source: MasterSource, columns: SealedColumns): Promise<Secrets> {
  return secretsOf(await openRing(db, source, columns))
}

/** Returns the keys that `openSecrets` decrypts, as stored in the database. */
export async function openRing(db: Db, source: MasterSource, columns: SealedColumns): Promise<OpenRing> {
  const stored = await readKeys(db)
  if (stored.length === 0) {
    if ((await readMasterSecrets(source)) === undefined) await makeMasterSecret(source.dataDir)
    const masters = await requireMasters(source)
    await insertFirstKey(db, sealKey(masters.listed[0], randomBytes(32)))
    return openRing(db, source, columns)
  }
  const masters = await requireMasters(source)
  for (const { n, sealed } of stored) {
    if (sealed !== null) continue
    const before = await masterBefore(db, masters, columns)
    // a secret with a comma is a list from now on
    const sealing = masters.listed.includes(before) ? before : masters.listed[0]
    await resealKey(db, n, sealKey(sealing, Buffer.from(before, 'utf8')))
    return openRing(db, source, columns)
  }
  return { masters, keys: stored.map((row) => openKey(row, masters)) }
}

/** Returns the secrets derived from decrypted keys. */
export function secretsOf({ masters, keys }: OpenRing): Secrets {
  const [first] = keys
  const current = keys.find(({ isCurrent }) => isCurrent) ?? first
  if (first === undefined || current === undefined) throw new MasterSecretError('The database has no keys.')
  const others = keys.filter((one) => one !== current).toReversed()
  return new Secrets({
    first: first.key,
    current: current.key,
    others: others.map(({ key }) => key),
    isChanging: masters.listed.length > 1,
  })
}

/**
 * Creates the key for a new master secret. It seals nothing before `rotateSecrets`, so that all processes know
 * it by then. Hold the start-up lock.
 */
export async function prepareNextKey(db: Db, source: MasterSource, columns: SealedColumns): Promise<void> {
  const { masters, keys } = await openRing(db, source, columns)
  if (keys.some(({ isUnderNewest }) => isUnderNewest)) return
  await insertNextKey(db, sealKey(masters.listed[0], randomBytes(32)))
}

/** Seals a key with a master secret for the database. */
export function sealKey(master: string, key: Buffer): Buffer {
  return seal(deriveKey(Buffer.from(master, 'utf8'), purpose), key)
}

function openKey({ n, sealed, isCurrent }: StoredKey, masters: MasterSecrets): OpenKey {
  for (const master of masters.readings) {
    const key = sealed === null ? undefined : tryOpen(deriveKey(Buffer.from(master, 'utf8'), purpose), sealed)
    if (key !== undefined) return { n, key, isCurrent, isUnderNewest: master === masters.listed[0] }
  }
  throw wrongSecret(masters)
}

/** Returns the master secret of an installation without keys: the one that decrypts existing data. */
async function masterBefore(db: Db, masters: MasterSecrets, columns: SealedColumns): Promise<string> {
  let isProven = false
  for (const column of await columns()) {
    const sample = await sampleOf(db, column)
    if (sample === undefined) continue
    isProven = true
    const found = masters.readings.find((master) => opens(master, column.purpose, sample))
    if (found !== undefined) return found
  }
  if (isProven) throw wrongSecret(masters)
  return masters.listed.at(-1) ?? masters.listed[0]
}

function opens(master: string, columnPurpose: string, sealed: Buffer): boolean {
  return tryOpen(deriveKey(Buffer.from(master, 'utf8'), columnPurpose), sealed) !== undefined
}

function tryOpen(key: Buffer, sealed: Buffer): Buffer | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}

async function requireMasters(source: MasterSource): Promise<MasterSecrets> {
  const masters = await readMasterSecrets(source)
  if (masters !== undefined) return masters
  throw new MasterSecretError(
    `The master secret of this database is missing: SECRET_KEY is not set and ${masterFile(source.dataDir)} does not exist. Set SECRET_KEY to the secret used with this database, or restore the file from a backup.`,
  )
}

function wrongSecret({ from }: MasterSecrets): MasterSecretError {
  return new MasterSecretError(
    `${from}: this is not the master secret of the database, whose keys are encrypted with another one. Use the previous secret. To change it, put the new secret in front of it, separated by a comma.`,
  )
}
