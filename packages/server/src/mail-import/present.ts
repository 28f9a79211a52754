import type { ImportProblem, ImportState, SkipReason } from '@gatehouse/contract/mail/import-terms'
import type { ImportReport, MailImport } from '@gatehouse/contract/mail/mail-import'
import { wireDate } from '../platform/clock.ts'
import type { ImportSums, StoredFolder, StoredSkip } from './import-store.ts'

/** Returns an import as the API sends it. */
export function presentImport({ import: row, folder, ...sums }: ImportSums): MailImport {
  const { id, host, port, login, answer } = row
  return {
    ...{ id, host, port, login, answer, ...sums },
    security: row.security === 'starttls' ? 'starttls' : 'tls',
    // the database only contains what this room writes
    state: row.state as ImportState,
    problem: row.problem as ImportProblem | null,
    created_at: wireDate(row.createdAt),
    ended_at: row.endedAt === null ? null : wireDate(row.endedAt),
    processed: sums.copied + sums.existing + sums.skipped,
    rate: row.state === 'running' ? Number(row.rate) : null,
    folder: row.endedAt === null ? folder : null,
  }
}

/** Returns an import with its folders and the skipped messages. */
export function presentReport(
  sums: ImportSums,
  folders: readonly StoredFolder[],
  skips: readonly StoredSkip[],
): ImportReport {
  const paths = new Map(folders.map(({ n, path }) => [n, path]))
  return {
    ...presentImport(sums),
    folders: folders.map(({ path, target, messages, copied, existing, skipped, isDone }) => {
      return { path, target, messages, copied, existing, skipped, isDone }
    }),
    skips: skips.map(({ n, uid, bytes, reason, answer }) => ({
      path: paths.get(n) ?? '',
      uid: uid === 0 ? null : uid,
      bytes,
      reason: reason as SkipReason, // as above
      answer,
    })),
  }
}
