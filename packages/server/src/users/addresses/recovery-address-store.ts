import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { writeSettings } from '../setting-store.ts'

/** Seconds for which an external address that staff have set gets no link for a new password. */
export const recoveryHold = 24 * hour

/** The setting that says until when; absent: links go to the address. */
export const heldUntilKey = 'externalEmailHeldUntil'

/**
 * Keeps links for a new password from an external address that staff have just set. The user is told of the change at the
 * address before, and has that long to object: whoever sets the address and asks for the link gets nothing.
 */
export function holdRecoveryAddress(trx: Db, clock: Clock, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [heldUntilKey]: after(clock.now(), recoveryHold).toISOString() })
}

/** Ends the hold: the user, or a controller of the account, has set the address. */
export function releaseRecoveryAddress(trx: Db, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [heldUntilKey]: null })
}

/** Until when the external address gets no link, of the stored setting; undefined: it does now. */
export function heldUntil(stored: string | null, now: Date): Date | undefined {
  const until = stored === null ? undefined : new Date(stored)
  return until !== undefined && until > now ? until : undefined
}

/** The external address of a user, and until when it gets no link; both undefined where there is none. */
export async function readRecoveryAddress(
  db: Db,
  userId: number,
  now: Date,
): Promise<{ readonly address: string | undefined; readonly heldUntil: Date | undefined }> {
  const rows = await db
    .selectFrom('userSettings')
    .select(['key', 'value'])
    .where('userId', '=', userId)
    .where('key', 'in', ['external_email', heldUntilKey])
    .execute()
  const settings = new Map(rows.map(({ key, value }) => [key, value]))
  return {
    address: settings.get('external_email'),
    heldUntil: heldUntil(settings.get(heldUntilKey) ?? null, now),
  }
}
