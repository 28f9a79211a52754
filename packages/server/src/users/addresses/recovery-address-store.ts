import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { writeSettings } from '../setting-store.ts'

/** Seconds that an external address set by staff gets no password links. */
export const recoveryHold = 24 * hour

/** Setting with the end of the hold; absent: links are sent. */
export const heldUntilKey = 'externalEmailHeldUntil'

/**
 * Holds back password links from an external address that staff have just set. The user is notified at the
 * previous address and has that time to object: setting the address and requesting a link gains nothing.
 */
export function holdRecoveryAddress(trx: Db, clock: Clock, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [heldUntilKey]: after(clock.now(), recoveryHold).toISOString() })
}

/** Ends the hold, because the user or a controller of the account set the address. */
export function releaseRecoveryAddress(trx: Db, userId: number): Promise<void> {
  return writeSettings(trx, userId, { [heldUntilKey]: null })
}

/** Parses the end of the hold from the stored setting; undefined if there is none. */
export function heldUntil(stored: string | null, now: Date): Date | undefined {
  const until = stored === null ? undefined : new Date(stored)
  return until !== undefined && until > now ? until : undefined
}

/** Returns a user's external address and the end of its hold; both undefined if there is no address. */
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
