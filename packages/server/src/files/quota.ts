import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { storageUnits, usageOfUsers, usedBy } from './usage-store.ts'

const gibibyte = 1024 ** 3

/** A user's quota in bytes: one GiB per unit of storage plus the free allowance. */
export async function quotaOf(db: Db, userId: number, freeGib: number): Promise<number> {
  return ((await storageUnits(db, userId)) + freeGib) * gibibyte
}

/** Bytes used by a user's files, and the quota in bytes. */
export interface StorageUse {
  /** Null: the user never had a file. */
  readonly used: number | null
  readonly limit: number
}

/** Returns the storage use of several users. */
export async function storageOf(
  db: Db,
  userIds: readonly number[],
  freeGib: number,
): Promise<ReadonlyMap<number, StorageUse>> {
  const rows = await usageOfUsers(db, userIds)
  return new Map(rows.map(({ id, used, units }) => [id, { used, limit: (units + freeGib) * gibibyte }]))
}

/** The quota is exceeded. A 422 at `size`. */
export class QuotaExceeded extends ValidationError {
  constructor() {
    super({ size: { key: 'files.quota' } })
  }
}

/**
 * Throws QuotaExceeded if the user's files, including those added in this transaction, plus `more` bytes
 * exceed the quota. Writers lock the user's usage row, so that concurrent uploads can't exceed it together.
 */
export async function requireRoom(db: Db, userId: number, freeGib: number, more = 0): Promise<void> {
  if ((await usedBy(db, userId)) + more > (await quotaOf(db, userId, freeGib))) throw new QuotaExceeded()
}
