import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { copyBinaries } from './binaries-copy.ts'
import { BinariesMissingError, DataVersionMismatchError, type RejectedBinaries } from './errors.ts'
import type { EmbeddedPostgresLog } from './log.ts'
import { type RunAs, runCommand } from './process/run-command.ts'
import type { Surroundings } from './surroundings.ts'

/** The oldest major version supported by the product's SQL. */
export const OLDEST_SUPPORTED = 15

/** Binaries that run on this machine as the chosen user. */
export interface PostgresBinaries {
  readonly bin: string
  /** As printed by the program, e.g. `18.4`. */
  readonly version: string
  readonly major: number
}

/** Requirements for the binaries. */
export interface BinariesWanted {
  readonly surroundings: Pick<Surroundings, 'npmBinaries' | 'machineBinaries' | 'binaryCaches'>
  readonly runAs: RunAs | null
  readonly dataFolder: string
  /** The content of PG_VERSION; null if there is no data yet. */
  readonly dataVersion: string | null
  readonly log: EmbeddedPostgresLog
}

/**
 * Finds working binaries: npm's, a copy of them readable by the user, then the machine's. Existing data
 * requires binaries of the same major version.
 */
export async function findBinaries(wanted: BinariesWanted): Promise<PostgresBinaries> {
  const { surroundings, dataVersion } = wanted
  const search: Search = { wanted, rejected: [], otherVersions: [] }
  const found = (await searchNpm(search)) ?? (await searchFolders(search, surroundings.machineBinaries))
  if (found !== null) return found
  if (dataVersion !== null && search.otherVersions.length > 0)
    throw new DataVersionMismatchError(wanted.dataFolder, dataVersion, search.otherVersions)
  throw new BinariesMissingError(OLDEST_SUPPORTED, search.rejected)
}

interface Search {
  readonly wanted: BinariesWanted
  readonly rejected: RejectedBinaries[]
  readonly otherVersions: string[]
}

async function searchNpm(search: Search): Promise<PostgresBinaries | null> {
  const { npmBinaries, binaryCaches } = search.wanted.surroundings
  if (npmBinaries === null) return null
  const asInstalled = await consider(search, join(npmBinaries, 'bin'))
  if (asInstalled !== 'does not run') return asInstalled
  for (const cache of binaryCaches) {
    try {
      const copy = await copyBinaries(npmBinaries, cache)
      search.wanted.log('debug', 'PostgreSQL binaries are used from a copy', { copy })
      const copied = await consider(search, join(copy, 'bin'))
      if (copied !== 'does not run') return copied
    } catch (error) {
      search.rejected.push({
        folder: cache,
        reason: `cannot hold a copy of ${npmBinaries}: ${String(error)}`,
      })
    }
  }
  return null
}

async function searchFolders(search: Search, folders: readonly string[]): Promise<PostgresBinaries | null> {
  for (const bin of folders) {
    const found = await consider(search, bin)
    if (found !== null && found !== 'does not run') return found
  }
  return null
}

/** Returns the binaries if suitable; null if they run but have the wrong version. */
async function consider(search: Search, bin: string): Promise<PostgresBinaries | null | 'does not run'> {
  const { runAs, dataVersion } = search.wanted
  const found = await tryBinaries(bin, runAs)
  if ('reason' in found) {
    if (found.reason !== ABSENT) search.rejected.push({ folder: bin, reason: found.reason })
    return 'does not run'
  }
  if (found.major < OLDEST_SUPPORTED) {
    search.rejected.push({ folder: bin, reason: `version ${found.version} is too old` })
    return null
  }
  if (dataVersion !== null && String(found.major) !== dataVersion) {
    search.otherVersions.push(`${found.version} (${bin})`)
    return null
  }
  return found
}

const ABSENT = 'not there'

async function tryBinaries(bin: string, runAs: RunAs | null): Promise<PostgresBinaries | { reason: string }> {
  const { code, output, spawnError } = await runCommand(join(bin, 'postgres'), ['--version'], runAs)
  if (spawnError === 'ENOENT') return { reason: ABSENT }
  if (spawnError !== null) return { reason: `does not start: ${spawnError}` }
  const [, version, major] = /\(PostgreSQL\) ((\d+)\S*)/.exec(output) ?? []
  if (code !== 0 || version === undefined || major === undefined)
    return { reason: `does not run: ${output.trim() || `exit code ${code}`}` }
  if (!(await canRead(join(bin, 'initdb')))) return { reason: 'has no initdb' }
  return { bin, version, major: Number(major) }
}

async function canRead(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
