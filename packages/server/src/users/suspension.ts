import { type SuspensionReason, suspensionReasons } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import { writeSettings } from './setting-store.ts'
import { holdStatus, statusWithSetting } from './state-store.ts'

export function isSuspensionReason(text: unknown): text is SuspensionReason {
  return suspensionReasons.some((reason) => reason === text)
}

/** A reason as it was written down; one that is not known any more counts as another one. */
export function storedReason(text: string): SuspensionReason {
  return isSuspensionReason(text) ? text : 'other'
}

const key = 'suspension_reason'

/** Why a user is suspended; undefined: he is not, or nobody said. */
export async function readSuspensionReason(db: Db, userId: number): Promise<SuspensionReason | undefined> {
  const row = await statusWithSetting(db, userId, key)
  if (row === undefined || !hasBit(row.status, userStatus.suspended)) return undefined
  return storedReason(row.value)
}

/**
 * Notes why a user is suspended from now on; call it before his state changes. Who is suspended for something else
 * does not come to be suspended for debt, or a payment would free him.
 */
export async function noteSuspension(trx: Db, userId: number, reason: SuspensionReason): Promise<void> {
  const status = await holdStatus(trx, userId)
  if (reason === 'unpaid' && hasBit(status, userStatus.suspended)) return
  await writeSettings(trx, userId, { [key]: reason })
}

/** Forgets why; the record of changes keeps it. */
export function forgetSuspension(trx: Db, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [key]: null })
}
