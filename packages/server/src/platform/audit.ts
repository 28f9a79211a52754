import type { Clock } from './clock.ts'
import type { Db } from './db/database.ts'
import { insertEvent } from './event-store.ts'

/** Who made a change and from where; jobs have neither. */
export interface Actor {
  readonly userId?: number
  readonly email?: string
  readonly ip?: string
  /** The staff member, if they impersonated a user. */
  readonly staff?: { readonly userId: number; readonly email: string }
  /** Name of the API key that was used; for a key of the account there is no `userId`. */
  readonly apiKey?: string
}

export interface AuditEntry {
  readonly tenantId: number
  readonly objectType: string
  readonly objectId: number
  /** Event name `object.verb`: `user.created`, `password.changed`. */
  readonly event: string
  readonly actor: Actor
  readonly comment?: string
  /** Details that explain the entry; never a secret. */
  readonly data?: Record<string, unknown>
}

/** Logs who did what to which object, from where, in the transaction of the change. */
export async function audit(db: Db, clock: Clock, entry: AuditEntry): Promise<void> {
  await insertEvent(db, entry, clock.now())
}
