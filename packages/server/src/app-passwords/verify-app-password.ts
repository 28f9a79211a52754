import type { AppPasswordScope } from '@gatehouse/contract/app-passwords'
import { after, type Clock, minute } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { type AppPasswordHasher, readAppPassword } from './secret.ts'
import { findAppPassword, noteAppPasswordUse } from './store.ts'

export interface AppPasswordSignIn {
  readonly userId: number
  readonly secret: string
  /** What the program asks to be let in to. */
  readonly service: AppPasswordScope
  readonly ip: string
}

/** `unknown` also for what is no app password at all. */
export type AppPasswordVerdict =
  | { readonly outcome: 'accepted'; readonly id: string }
  | { readonly outcome: 'unknown' | 'expired' | 'wrong-scope' }

/** Seconds between two notes of the last use: a mail program may sign in many times a minute. */
const noteEvery = minute

/** Checks the app password that a program signs in with. One read; a use is written down once a minute at most. */
export async function verifyAppPassword(
  { db, clock, hasher }: { readonly db: Db; readonly clock: Clock; readonly hasher: AppPasswordHasher },
  { userId, secret, service, ip }: AppPasswordSignIn,
): Promise<AppPasswordVerdict> {
  const plain = readAppPassword(secret)
  const found = plain && (await findAppPassword(db, userId, hasher.hash(userId, plain)))
  if (!found) return { outcome: 'unknown' }
  const at = clock.now()
  if (found.expires_at !== null && found.expires_at <= at) return { outcome: 'expired' }
  if (!found.scopes.includes(service)) return { outcome: 'wrong-scope' }
  const unless = after(at, -noteEvery)
  if (found.last_used_at === null || found.last_used_at <= unless) {
    await noteAppPasswordUse(db, found.id, { at, ip, service }, unless)
  }
  return { outcome: 'accepted', id: found.id }
}
