import { DiskStore } from '../../files/storage/disk-store.ts'
import { readList, verifyPieces } from './copy-pieces.ts'
import { type Manifest, openBackup, pathsOf } from './manifest-file.ts'
import { readPart } from './part-file.ts'
import type { BackupSecrets } from './sealed-secrets.ts'

/**
 * Reads a whole backup and checks the seal, the manifest, and the checksum of each part and each piece. Throws
 * BackupError. Returns its description and secrets.
 */
export async function verifyBackup(
  folder: string,
  passphrase: string,
): Promise<{ readonly manifest: Manifest; readonly secrets: BackupSecrets }> {
  const opened = await openBackup(folder, passphrase)
  const { definition, tables, files } = opened.manifest
  const paths = pathsOf(folder)
  await readThrough(readPart(paths.definition, definition))
  for (const table of tables) await readThrough(readPart(paths.rowsOf(table), table.rows))
  const list = readPart(paths.list, files.list)
  if (files.kind === 'copied') await verifyPieces(list, await DiskStore.open(paths.files))
  else await readThrough(readList(list))
  return opened
}

async function readThrough(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}
