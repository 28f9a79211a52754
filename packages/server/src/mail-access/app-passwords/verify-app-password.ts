import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type AppPasswordHasher, readAppPassword } from './secret.ts'
import { findAppPassword, noteAppPasswordUse, type StoredAppPassword } from './store.ts'

export interface AppPasswordSignIn {
  readonly userId: number
  readonly secret: string
  /** The requested service. */
  readonly service: AppPasswordScope
  readonly ip: string
}

/** `unknown` includes text that isn't an app password. */
export type AppPasswordVerdict =
  | { readonly outcome: 'accepted'; readonly id: string }
  | { readonly outcome: 'unknown' | 'expired' | 'wrong-scope' }

/** Seconds between recorded uses, because a mail client may sign in many times a minute. */
const noteEvery = minute

export interface VerifyParts {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: AppPasswordHasher
}

/** Verifies an app password. Needs one query; a use is recorded at most once a minute. */
export async function verifyAppPassword(
  parts: VerifyParts,
  { userId, secret, service, ip }: AppPasswordSignIn,
): Promise<AppPasswordVerdict> {
  const found = await findUsable(parts, { userId, secret, services: [service] })
  if (found.outcome !== 'accepted') return found
  await noteUse(parts, found.appPassword, { service, ip })
  return { outcome: 'accepted', id: found.appPassword.id }
}

export type UsableAppPassword =
  | { readonly outcome: 'accepted'; readonly appPassword: StoredAppPassword }
  | { readonly outcome: 'unknown' | 'expired' | 'wrong-scope' }

/**
 * Same as `verifyAppPassword` without recording the use, for callers with further checks. Any of the services
 * is sufficient.
 */
export async function findUsable(
  { db, clock, hasher }: VerifyParts,
  asked: { readonly userId: number; readonly secret: string; readonly services: readonly AppPasswordScope[] },
): Promise<UsableAppPassword> {
  const plain = readAppPassword(asked.secret)
  const found = plain && (await findAppPassword(db, asked.userId, hasher.hash(asked.userId, plain)))
  if (!found) return { outcome: 'unknown' }
  if (found.expiresAt !== null && found.expiresAt <= clock.now()) return { outcome: 'expired' }
  if (!asked.services.some((service) => found.scopes.includes(service))) return { outcome: 'wrong-scope' }
  return { outcome: 'accepted', appPassword: found }
}

/** Records a use of an app password, at most once a minute. */
export async function noteUse(
  { db, clock }: Pick<VerifyParts, 'db' | 'clock'>,
  { id, lastUsedAt }: StoredAppPassword,
  { service, ip }: { readonly service: AppPasswordScope; readonly ip: string },
): Promise<void> {
  const at = clock.now()
  const unless = after(at, -noteEvery)
  if (lastUsedAt !== null && lastUsedAt > unless) return
  await noteAppPasswordUse(db, id, { at, ip, service }, unless)
}
