import type { Clock } from './clock.ts'
import type { Db } from './db/database.ts'
import { newUuid } from './ids.ts'

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
  await db
    .insertInto('event_log')
    .values({
      id: newUuid(),
      tenant_id: entry.tenantId,
      object_type: entry.objectType,
      object_id: entry.objectId,
      event: entry.event,
      actor_id: entry.actor.userId ?? null,
      actor_email: entry.actor.email ?? null,
      ip: entry.actor.ip ?? null,
      comment: entry.comment ?? null,
      data: entry.data === undefined ? null : JSON.stringify(entry.data),
      staff_id: entry.actor.staff?.userId ?? null,
      staff_email: entry.actor.staff?.email ?? null,
      created_at: clock.now(),
    })
    .execute()
}
