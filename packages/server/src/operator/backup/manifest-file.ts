import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupDamaged, BackupError } from './errors.ts'
import { partSchema } from './part-file.ts'
import { type BackupSecrets, readSecrets } from './sealed-secrets.ts'

/** A table of the database with its rows in COPY text format. */
const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: partSchema,
  /** For a partition: its parent and bounds. */
  partition: z.object({ parent: z.string(), bounds: z.string() }).optional(),
})

const manifestSchema = z.object({
  format: z.literal(1),
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** Version of Gatehouse that made the backup. */
  version: z.string(),
  /** Migrations that the schema contains, in order. */
  migrations: z.array(z.string()).min(1),
  /** Version of the job queue's schema. */
  queueVersion: z.number().int(),
  /** Statements that create the schema. */
  definition: partSchema,
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string() })),
  files: z.object({
    /** copied: the backup contains the content; listed: only its list. */
    kind: z.enum(['copied', 'listed']),
    pieces: z.number().int(),
    bytes: z.number(),
    /** Pieces that a file needs and the store doesn't have. */
    missing: z.number().int(),
    list: partSchema,
  }),
})

export type Manifest = z.infer<typeof manifestSchema>
export type DumpedTable = z.infer<typeof tableSchema>

/** An entry of the list of pieces. */
export const pieceSchema = z.object({
  id: z.uuid(),
  /** Encrypted size; null if the content isn't in the backup. */
  bytes: z.number().int().nullable(),
  sha256: z.string().nullable(),
})

export type ListedPiece = z.infer<typeof pieceSchema>

/** Paths inside a backup. */
export function pathsOf(folder: string) {
  return {
    manifest: join(folder, 'manifest.json'),
    signature: join(folder, 'manifest.hmac'),
    secrets: join(folder, 'secrets.json'),
    definition: join(folder, 'schema.sql.gz'),
    database: join(folder, 'database'),
    files: join(folder, 'files'),
    list: join(folder, 'files.jsonl.gz'),
    rowsOf: ({ schema, name }: Pick<DumpedTable, 'schema' | 'name'>) =>
      join(folder, 'database', `${schema}.${name}.copy.gz`),
  }
}

/** Writes the manifest and its signature. A backup without them is unfinished. */
export async function writeManifest(folder: string, manifest: Manifest, key: string): Promise<void> {
  const paths = pathsOf(folder)
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  const options = { flag: 'wx', mode: 0o600, flush: true } as const
  await writeFile(paths.signature, signatureOf(text, key).toString('hex'), options)
  await writeFile(paths.manifest, text, options)
}

/** Reads a backup's manifest and secrets. Throws BackupError unless both are authentic. */
export async function openBackup(
  folder: string,
  passphrase: string,
): Promise<{ readonly manifest: Manifest; readonly secrets: BackupSecrets }> {
  const paths = pathsOf(folder)
  const text = await readFile(paths.manifest, 'utf8').catch(() => {
    throw new BackupError(`${folder} is not a finished backup: it has no manifest.json.`)
  })
  const secrets = await readSecrets(paths.secrets, passphrase)
  const signature = Buffer.from(await readFile(paths.signature, 'latin1').catch(() => ''), 'hex')
  const expected = signatureOf(text, secrets.manifestKey)
  const isAuthentic = signature.length === expected.length && timingSafeEqual(signature, expected)
  if (!isAuthentic) throw new BackupDamaged('manifest.json', 'was changed')
  const format = z.object({ format: z.number(), version: z.string() }).parse(JSON.parse(text))
  if (format.format !== 1) {
    throw new BackupError(
      `The backup was made by version ${format.version} in a format that this version can't read. Restore it with version ${format.version}.`,
    )
  }
  return { manifest: manifestSchema.parse(JSON.parse(text)), secrets }
}

function signatureOf(text: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest()
}
