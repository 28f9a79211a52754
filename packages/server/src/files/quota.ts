import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { storageUnits, usageOfUsers, usedBy } from './usage-store.ts'

const gibibyte = 1024 ** 3

/** Bytes that a user may have: a GiB for each unit of storage, and what everybody has. */
export async function quotaOf(db: Db, userId: number, freeGib: number): Promise<number> {
  return ((await storageUnits(db, userId)) + freeGib) * gibibyte
}

/** Bytes that the files of a user take, and bytes that there is room for. */
export interface StorageUse {
  /** Null: there never was a file. */
  readonly used: number | null
  readonly limit: number
}

/** How full the room of each of some users is. */
export async function storageOf(
  db: Db,
  userIds: readonly number[],
  freeGib: number,
): Promise<ReadonlyMap<number, StorageUse>> {
  const rows = await usageOfUsers(db, userIds)
  return new Map(rows.map(({ id, used, units }) => [id, { used, limit: (units + freeGib) * gibibyte }]))
}

/** There is no room for more. A 422 at `size`. */
export class QuotaExceeded extends ValidationError {
  constructor() {
    super({ size: { key: 'files.quota' } })
  }
}

/**
 * Throws QuotaExceeded when a user has more than there is room for, after what this transaction has added, and `more`
 * bytes beside. Whoever adds holds the user's count, so that many at once do not pass it together.
 */
export async function requireRoom(db: Db, userId: number, freeGib: number, more = 0): Promise<void> {
  if ((await usedBy(db, userId)) + more > (await quotaOf(db, userId, freeGib))) throw new QuotaExceeded()
}
