import { isLanguage } from '@gatehouse/contract/language'
import type { Pool } from 'pg'
import { issueReceiptsOf, type ReceiptParts } from '../billing/receipts/issue-receipts.ts'
import type { ReceiptLook } from '../billing/receipts/receipt-pdf.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { version } from '../platform/release/version.ts'
import type { Secrets } from '../platform/secrets.ts'
import { ArchiveWriter, type Member } from './archive/archive-writer.ts'
import type { ExportManifest, LedgerEnd } from './archive/manifest-format.ts'
import { signingKey } from './archive/signing-key.ts'
import { readMailOwners } from './contents/mail-owners.ts'
import { type MailOwner, type MailStore, mailMembers } from './contents/mail-store.ts'
import { openSnapshot, type Snapshot } from './contents/snapshot-store.ts'
import { FileList } from './contents/write-files.ts'
import { receiptMembers } from './contents/write-receipts.ts'
import {
  countRecords,
  ledgerMember,
  type OnProgress,
  recordMembers,
  type Subject,
} from './contents/write-records.ts'

export interface WriteParts extends ReceiptParts {
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly secrets: Secrets
  readonly storage: FileStorage
  readonly look: ReceiptLook
  /** Undefined: no mail store is connected. */
  readonly mail: MailStore | undefined
  /** URL of the installation. */
  readonly url: string
}

/** An export to be written. */
export interface Order extends Subject {
  readonly id: string
  readonly email: string
  readonly language: string | null
}

export interface Watch {
  /** Told once how much there is, and the moment of the snapshot. */
  readonly onStart: (facts: { readonly total: number; readonly takenAt: Date }) => Promise<void>
  /** Throws to stop. */
  readonly onProgress: OnProgress
}

/**
 * Yields the archive of an export. Records and the list of files come from one snapshot of the database, which ends
 * before contents and mail are read.
 */
export async function* writeExport(
  parts: WriteParts,
  order: Order,
  watch: Watch,
): AsyncGenerator<Uint8Array> {
  const { clock, storage, mail } = parts
  if (order.walletId !== null) await issueReceiptsOf(parts, order.walletId)
  const takenAt = clock.now()
  const ledger: LedgerEnd[] = []
  await using writer = await ArchiveWriter.open(takenAt)
  await using files = await FileList.open()
  const owners: MailOwner[] = []
  {
    await using opened = await openSnapshot(parts.pool)
    const { snapshot } = opened
    await watch.onStart({ total: await countRecords(snapshot, order), takenAt })
    for await (const member of snapshotMembers(parts, order, snapshot, watch.onProgress, ledger, files)) {
      yield* writer.add(member)
    }
    if (mail !== undefined) owners.push(...(await readMailOwners(snapshot, order)))
  }
  for await (const member of files.contentMembers(storage, watch.onProgress)) yield* writer.add(member)
  const mailReadFrom = mail === undefined ? null : clock.now().toISOString()
  let omitted = files.omitted
  if (mail !== undefined) {
    const onOmitted = () => omitted++
    for await (const member of mailMembers(mail, owners, watch.onProgress, onOmitted)) {
      yield* writer.add(member)
    }
  }
  const facts: Omit<ExportManifest, 'contents'> = {
    ...{ format: 'gatehouse-export-1', id: order.id, kind: order.kind },
    ...{ user: { id: order.userId, email: order.email }, account: order.walletId },
    ...{ installation: { url: parts.url, version }, takenAt: takenAt.toISOString(), mailReadFrom },
    ...{ ledger, omitted },
  }
  yield* writer.end(signingKey(parts.secrets), facts)
}

async function* snapshotMembers(
  { look }: WriteParts,
  order: Order,
  snapshot: Snapshot,
  onProgress: OnProgress,
  ledger: LedgerEnd[],
  files: FileList,
): AsyncGenerator<Member> {
  yield* recordMembers(snapshot, order, onProgress)
  const { walletId } = order
  if (walletId !== null) {
    yield ledgerMember(snapshot, { ...order, walletId }, onProgress, (end) => ledger.push(end))
    const language = isLanguage(order.language) ? order.language : 'en'
    yield* receiptMembers(snapshot, order, language, look)
  }
  yield files.listMember(snapshot, order)
}
