import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { PostgresBinaries } from './binaries.ts'
import { EmbeddedPostgresError, InitialiseError, systemErrorCode } from './errors.ts'
import { type RunAs, runCommand } from './process/run-command.ts'
import { DATABASE_USER } from './settings.ts'

const UNFINISHED = 'data.unfinished-'

/** The folder in a place that holds PostgreSQL's own files. */
export const dataFolderOf = (place: string) => join(place, 'data')

/** The major version the data was made by; null when there is none yet. */
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
 * Makes the database files. They grow in a sibling folder that gets its name only when complete, so a
 * process killed in between leaves nothing that could be taken for a database.
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

/** Removes what killed processes left behind. */
export async function removeUnfinished(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(UNFINISHED)) continue
    // An initdb whose parent was killed may still be writing; what it leaves goes at the next start.
    await rm(join(place, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/**
 * Rules of text that come with PostgreSQL and not from the operating system: the same order and the same
 * upper and lower case, all of Unicode, on every machine. The built-in ones came with version 17.
 */
function localeArguments(major: number): string[] {
  return major >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C', '--locale-provider=icu', '--icu-locale=und']
}
