import type { Clock } from './clock.ts'
import type { Db } from './db/database.ts'
import { insertEvent } from './event-store.ts'

/** Who did it and from where; a job has neither. */
export interface Actor {
  readonly userId?: number
  readonly email?: string
  readonly ip?: string
  /** Who it really was, where staff acted in somebody's name. */
  readonly staff?: { readonly userId: number; readonly email: string }
}

export interface AuditEntry {
  readonly tenantId: number
  readonly objectType: string
  readonly objectId: number
  /** What happened, as `object.verb`: `user.created`, `password.changed`. */
  readonly event: string
  readonly actor: Actor
  readonly comment?: string
  /** Facts that help to understand the entry; never a secret. */
  readonly data?: Record<string, unknown>
}

/** Writes who did what to which object, from where, in the transaction of the change itself. */
export async function audit(db: Db, clock: Clock, entry: AuditEntry): Promise<void> {
  await insertEvent(db, entry, clock.now())
}
