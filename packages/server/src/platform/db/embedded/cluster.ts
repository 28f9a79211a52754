import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { PostgresBinaries } from './binaries.ts'
import { EmbeddedPostgresError, InitialiseError, systemErrorCode } from './errors.ts'
import { type RunAs, runCommand } from './process/run-command.ts'
import { DATABASE_USER } from './settings.ts'

const UNFINISHED = 'data.unfinished-'

/** The folder with PostgreSQL's own files. */
export const dataFolderOf = (place: string) => join(place, 'data')

/** Returns the major version of the data; null if there is none yet. */
export async function dataVersionOf(place: string): Promise<string | null> {
  const data = dataFolderOf(place)
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  })
  if (version !== null) return version.trim()
  const content = await readdir(data).catch(() => [])
  if (content.length > 0)
    throw new EmbeddedPostgresError(
      `${data} contains files but is not a PostgreSQL data folder (no PG_VERSION). Restore it from a backup, or move it away to start with an empty database.`,
    )
  return null
}

/**
 * Creates the database files in a sibling folder that is renamed once complete, so that a killed process
 * leaves nothing that looks like a database.
 */
export async function initialiseCluster(options: {
  place: string
  binaries: PostgresBinaries
  runAs: RunAs | null
  durable: boolean
}): Promise<void> {
  const { place, binaries, runAs, durable } = options
  await removeUnfinished(place)
  const unfinished = join(place, `${UNFINISHED}${randomUUID()}`)
  await mkdir(unfinished, { mode: 0o700 })
  if (runAs) await chown(unfinished, runAs.uid, runAs.gid)
  const initdb = join(binaries.bin, 'initdb')
  const { code, output, spawnError } = await runCommand(
    initdb,
    [
      ...['-D', unfinished, '-U', DATABASE_USER, '--encoding=UTF8', ...localeArguments(binaries.major)],
      ...['--auth-local=trust', '--auth-host=reject', '--data-checksums', '--no-instructions'],
      ...(durable ? [] : ['--no-sync']),
    ],
    runAs,
  )
  if (code !== 0) {
    await removeUnfinished(place)
    throw new InitialiseError(initdb, spawnError ?? output)
  }
  await rename(unfinished, dataFolderOf(place))
}

/** Removes incomplete files of killed processes. */
export async function removeUnfinished(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(UNFINISHED)) continue
    // An initdb whose parent was killed may still be writing; the rest is removed at the next start.
    await rm(join(place, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/**
 * Returns locale settings that are provided by PostgreSQL rather than the operating system: the same collation
 * and case mapping for all of Unicode on every machine. The built-in provider requires version 17.
 */
function localeArguments(major: number): string[] {
  return major >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C', '--locale-provider=icu', '--icu-locale=und']
}
