import type { Db } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { geoLockOf } from './sign-in-store.ts'

/**
 * Whether a user who limits sign-in to some countries may sign in from this one. An unknown country matches
 * none. `setting` is the stored JSON list of ISO codes; without one there is no limit, and an unreadable one
 * allows nobody.
 */
export function passesGeoLock(setting: string | undefined, country: string | undefined): boolean {
  if (setting === undefined || setting === '') return true
  const allowed = readCodes(setting)
  if (allowed?.length === 0) return true
  return country !== undefined && allowed?.includes(country) === true
}

function readCodes(setting: string): readonly unknown[] | undefined {
  try {
    const codes: unknown = JSON.parse(setting)
    return Array.isArray(codes) ? codes : undefined
  } catch {
    return undefined
  }
}

/** Throws SignInRefused if the user's geo-lock rejects this network address. */
export async function requireGeoLock(db: Db, locator: Locator, userId: number, ip: string): Promise<void> {
  const setting = await geoLockOf(db, userId)
  if (!passesGeoLock(setting, locator.country(ip))) throw new SignInRefused('geolocation')
}
