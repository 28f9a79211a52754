import { exportKinds } from '@gatehouse/contract/directory/data-exports'
import { z } from 'zod'

/** Files of an archive that describe it. They come last and aren't listed themselves. */
export const describingFiles = {
  contents: 'contents.jsonl',
  manifest: 'manifest.json',
  signature: 'manifest.jws',
} as const

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A line of `contents.jsonl`. */
export const listedFile = z.object({
  path: z.string(),
  bytes: z.number().int().min(0),
  sha256: hash,
  /** Records, messages or entries in it; 1 for other files. */
  count: z.number().int().min(0),
  what: z.string(),
})

export type ListedFile = z.infer<typeof listedFile>

/** The last entry of a ledger; its hash covers all entries before it. */
export const ledgerEnd = z.object({
  wallet: z.string(),
  path: z.string(),
  entries: z.number().int().min(0),
  /** Minor units of the currency. */
  balance: z.number().int(),
  /** Hash of the last entry; empty without entries. */
  hash: z.string(),
})

export type LedgerEnd = z.infer<typeof ledgerEnd>

export const exportManifest = z.object({
  format: z.literal('gatehouse-export-1'),
  id: z.string(),
  kind: z.enum(exportKinds),
  /** Who requested it, and whose data it contains. */
  user: z.object({ id: z.number().int(), email: z.string() }),
  account: z.string().nullable(),
  /** URL and version of the installation that made it. */
  installation: z.object({ url: z.string(), version: z.string() }),
  /** The moment that all records and the list of files show. */
  takenAt: z.string(),
  /** When mail, calendars and contacts were read; null if no mail store is connected. */
  mailReadFrom: z.string().nullable(),
  contents: z.object({ files: z.number().int(), bytes: z.number().int(), sha256: hash }),
  ledger: z.array(ledgerEnd),
  /** What could not be included. */
  omitted: z.number().int(),
})

export type ExportManifest = z.infer<typeof exportManifest>
