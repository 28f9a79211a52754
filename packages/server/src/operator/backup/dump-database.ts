import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { copyOut } from '../../platform/db/copy.ts'
import type { SchemaHistory } from '../../platform/db/migrate.ts'
import { baseline } from '../../platform/db/schema-state.ts'
import {
  beginSnapshot,
  endTransaction,
  type FoundTable,
  listMigrations,
  listSequences,
  listTables,
  lockTables,
  piecesStatement,
  readQueueVersion,
  rowsStatement,
} from './dump-store.ts'
import { BackupError } from './errors.ts'
import { type DumpedTable, type Manifest, pathsOf } from './manifest-file.ts'
import { type Part, writePart } from './part-file.ts'

export type Dump = Pick<Manifest, 'migrations' | 'queueVersion' | 'definition' | 'tables' | 'sequences'> & {
  /** Tables that aren't Gatehouse's, which are left out. */
  readonly skipped: readonly string[]
  /** List of the pieces in the same state of the database. */
  readonly pieces: Part
}

/**
 * Writes one consistent state of the database into a folder: the statements that create the schema, and the
 * rows of each table. Throws BackupError unless the schema is that of this version.
 */
export async function dumpDatabase(
  pool: Pool,
  { schema, migrations }: SchemaHistory,
  folder: string,
  piecesFile: string,
): Promise<Dump> {
  const paths = pathsOf(folder)
  await mkdir(paths.database, { mode: 0o700 })
  const client = await pool.connect()
  let isDone = false
  try {
    await beginSnapshot(client)
    const recorded = await listMigrations(client)
    requireCurrent(recorded, [baseline, ...Object.keys(migrations)])
    const known = new Set(schema.flatMap((text) => tablesOf(text)))
    const found = await listTables(client)
    const ours = found.filter((table) => isOurs(table, known))
    await lockTables(client, ours)
    const tables: DumpedTable[] = []
    for (const table of ours) {
      const rows = await writePart(paths.rowsOf(table), copyOut(client, rowsStatement(table)))
      tables.push({ ...table, columns: [...table.columns], rows })
    }
    const dump = {
      ...{ migrations: recorded, tables },
      queueVersion: await readQueueVersion(client),
      definition: await writePart(paths.definition, Readable.from([Buffer.from(schema.join('\n'))])),
      sequences: await listSequences(client),
      skipped: found.filter((table) => !isOurs(table, known)).map(({ name }) => name),
      pieces: await writePart(piecesFile, copyOut(client, piecesStatement)),
    }
    await endTransaction(client, 'commit')
    isDone = true
    return dump
  } finally {
    // a connection that failed during a copy can't be reused
    client.release(!isDone)
  }
}

/** Returns the tables that statements create. */
function tablesOf(text: string): string[] {
  return [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm)].map(
    ([, name = '']) => name,
  )
}

function isOurs({ schema, name, partition }: FoundTable, known: ReadonlySet<string>): boolean {
  if (schema === 'graphile_worker') return true
  return name.startsWith('kysely_migration') || known.has(partition?.parent ?? name)
}

function requireCurrent(recorded: readonly string[], current: readonly string[]): void {
  const newest = recorded.at(-1)
  if (newest === undefined) throw new BackupError('The database is empty: there is nothing to back up.')
  const isSame = recorded.length === current.length && recorded.every((name) => current.includes(name))
  if (isSame) return
  throw new BackupError(
    `The schema of the database is ${newest}, that of this version is ${current.at(-1)}. Make the backup with the version that uses the database, or upgrade the database first (db:migrate).`,
  )
}
