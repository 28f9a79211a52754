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

/** Parses a stored reason; unknown ones become `other`. */
export function storedReason(text: string): StoredReason {
  return storedReasons.find((reason) => reason === text) ?? 'other'
}

/** The setting that stores why a user is suspended. */
export const suspensionKey = 'suspension_reason'

/** Returns why a user is suspended; undefined if they aren't, or no reason was given. */
export async function readSuspensionReason(db: Db, userId: number): Promise<StoredReason | undefined> {
  const row = await statusWithSetting(db, userId, suspensionKey)
  if (row === undefined || !hasBit(row.status, userStatus.suspended)) return undefined
  return storedReason(row.value)
}

/**
 * Stores the reason of a suspension; call it before changing the user's state. Doesn't replace another reason
 * by debt, since a payment would then unsuspend the user, nor by the account, which could then unsuspend them
 * itself.
 */
export async function noteSuspension(trx: Db, userId: number, reason: StoredReason): Promise<void> {
  const status = await holdStatus(trx, userId)
  const isWeak = reason === 'unpaid' || reason === 'account'
  if (isWeak && hasBit(status, userStatus.suspended)) return
  await writeSettings(trx, userId, { [suspensionKey]: reason })
}

/** Deletes the reason; the audit log keeps it. */
export function forgetSuspension(trx: Db, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [suspensionKey]: null })
}
