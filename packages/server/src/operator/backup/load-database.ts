import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { copyIn, copyOut } from '../../platform/db/copy.ts'
import { beginLoad, endTransaction, insertStatement, rowsStatement } from './dump-store.ts'
import { BackupError } from './errors.ts'
import {
  analyze,
  createPartition,
  createTables,
  dropContents,
  emptyTables,
  restoreRules,
  setSequence,
  suspendRules,
} from './load-store.ts'
import { type DumpedTable, type Manifest, pathsOf } from './manifest-file.ts'
import { readPart } from './part-file.ts'

/**
 * Loads a backup into a database in one transaction, so an interrupted restore changes nothing. Before the
 * commit, all rows are read again and compared with the backup, byte by byte.
 */
export async function loadDatabase(
  pool: Pool,
  folder: string,
  manifest: Manifest,
  { replaces }: { readonly replaces: boolean },
): Promise<void> {
  const definition = await textOf(readPart(pathsOf(folder).definition, manifest.definition))
  const client = await pool.connect()
  try {
    await beginLoad(client)
    if (replaces) await dropContents(client)
    await createTables(client, definition)
    for (const table of manifest.tables) await createPartition(client, table)
    const rules = await suspendRules(client)
    await emptyTables(client, manifest.tables)
    for (const table of manifest.tables) await loadRows(client, folder, table)
    for (const sequence of manifest.sequences) await setSequence(client, sequence)
    await restoreRules(client, rules)
    await endTransaction(client, 'commit')
    await analyze(client)
  } finally {
    // ends the transaction unless it was committed; settings of the session don't return to the pool
    client.release(true)
  }
}

async function loadRows(client: PoolClient, folder: string, table: DumpedTable): Promise<void> {
  await copyIn(client, insertStatement(table), readPart(pathsOf(folder).rowsOf(table), table.rows))
  const hash = createHash('sha256')
  // a stream of bytes
  for await (const chunk of copyOut(client, rowsStatement(table))) hash.update(chunk as Buffer)
  if (hash.digest('hex') === table.rows.contentSha256) return
  throw new BackupError(
    `The rows of ${table.name} differ from the backup after loading. Nothing was changed.`,
  )
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
