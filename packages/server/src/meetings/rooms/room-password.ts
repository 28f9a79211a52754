import { timingSafeEqual } from 'node:crypto'
import { type Secrets, sha256 } from '../../platform/secrets.ts'

export const roomPasswordPurpose = 'room-password'

/** The password of a room as the database keeps it: people read it on the room's page, so it is sealed, not hashed. */
export function sealPassword(secrets: Secrets, password: string | null): Buffer | null {
  return password === null ? null : secrets.encrypt(roomPasswordPurpose, password)
}

/** The password of a room; null: it has none. */
export function openPassword(secrets: Secrets, sealed: Buffer | null): string | null {
  return sealed === null ? null : secrets.decrypt(roomPasswordPurpose, sealed)
}

/** Whether two passwords are the same, in a time that does not tell how much of them is. */
export function isSamePassword(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other))
}
