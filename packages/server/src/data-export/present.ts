import type { DataExport } from '@gatehouse/contract/directory/data-exports'
import { wireDate } from '../platform/clock.ts'
import type { StoredExport } from './export-store.ts'

/** An archive at the end of its period is expired, even before it is deleted. */
export function presentExport(row: StoredExport, now: Date): DataExport {
  const isOver = row.state === 'ready' && row.expiresAt !== null && row.expiresAt <= now
  return {
    id: row.id,
    kind: row.kind,
    state: isOver ? 'expired' : row.state,
    created_at: wireDate(row.createdAt),
    objects: row.objects,
    total: row.total,
    takenAt: row.takenAt && wireDate(row.takenAt),
    size: row.size,
    expiresAt: row.expiresAt && wireDate(row.expiresAt),
  }
}
