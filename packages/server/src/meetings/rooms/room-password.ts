import { timingSafeEqual } from 'node:crypto'
import { type Secrets, sha256 } from '../../platform/secrets.ts'

export const roomPasswordPurpose = 'room-password'

/**
 * Seals a room's password for the database. It is displayed on the room's page, so it is encrypted rather than
 * hashed.
 */
export function sealPassword(secrets: Secrets, password: string | null): Buffer | null {
  return password === null ? null : secrets.encrypt(roomPasswordPurpose, password)
}

/** Decrypts the password of a room; null if it has none. */
export function openPassword(secrets: Secrets, sealed: Buffer | null): string | null {
  return sealed === null ? null : secrets.decrypt(roomPasswordPurpose, sealed)
}

/** Compares two passwords in constant time. */
export function isSamePassword(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other))
}
