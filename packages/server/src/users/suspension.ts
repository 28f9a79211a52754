import {
  type StoredReason,
  type SuspensionReason,
  storedReasons,
  suspensionReasons,
} from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import { writeSettings } from './setting-store.ts'
import { holdStatus, statusWithSetting } from './state-store.ts'

export function isSuspensionReason(text: unknown): text is SuspensionReason {
  return suspensionReasons.some((reason) => reason === text)
}

/** A reason as it was written down; one that is not known any more counts as another one. */
export function storedReason(text: string): StoredReason {
  return storedReasons.find((reason) => reason === text) ?? 'other'
}

/** The setting that keeps why a user is suspended. */
export const suspensionKey = 'suspension_reason'

/** Why a user is suspended; undefined: he is not, or nobody said. */
export async function readSuspensionReason(db: Db, userId: number): Promise<StoredReason | undefined> {
  const row = await statusWithSetting(db, userId, suspensionKey)
  if (row === undefined || !hasBit(row.status, userStatus.suspended)) return undefined
  return storedReason(row.value)
}

/**
 * Notes why a user is suspended from now on; call it before his state changes. Who is suspended for something else
 * does not come to be suspended for debt, or a payment would free him, nor by the account, which would free him itself.
 */
export async function noteSuspension(trx: Db, userId: number, reason: StoredReason): Promise<void> {
  const status = await holdStatus(trx, userId)
  const isWeak = reason === 'unpaid' || reason === 'account'
  if (isWeak && hasBit(status, userStatus.suspended)) return
  await writeSettings(trx, userId, { [suspensionKey]: reason })
}

/** Forgets why; the record of changes keeps it. */
export function forgetSuspension(trx: Db, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [suspensionKey]: null })
}
