import { userStatus } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import type { FileSettings } from '../file-settings.ts'
import { quotaOf } from '../quota.ts'
import { listQuery } from '../read-query.ts'
import { usedBy } from '../usage-store.ts'
import { listShared } from './list-store.ts'

export interface FileFacts {
  /** Bytes. */
  readonly used: number
  readonly quota: number
  readonly sharedWithMe: number
}

/** Counts a user's own files and those shared with them. */
export async function fileFacts(
  db: Db,
  reader: Person,
  { FILES_FREE_GIB }: Pick<FileSettings, 'FILES_FREE_GIB'>,
): Promise<FileFacts> {
  const blocked = userStatus.suspended | userStatus.degraded
  const { total } = await listShared(db, reader, listQuery({ size: 1 }), blocked)
  return {
    used: await usedBy(db, reader.userId),
    quota: await quotaOf(db, reader.userId, FILES_FREE_GIB),
    sharedWithMe: total,
  }
}
