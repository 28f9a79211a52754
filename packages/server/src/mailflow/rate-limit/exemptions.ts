import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { deleteExemption, type ExemptionSubject, insertExemption } from './exemption-store.ts'

export interface ExemptionParts {
  readonly db: Db
  readonly clock: Clock
}

export interface ExemptedBy {
  readonly actor: Actor
  readonly comment?: string
}

type Subject = ExemptionSubject & { readonly tenantId: number }

/** Lets a user, or all users of a domain, send without limits; false if they already do. */
export function exempt({ db, clock }: ExemptionParts, subject: Subject, by: ExemptedBy): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await insertExemption(trx, subject, clock.now()))) return false
    await audit(trx, clock, { ...entryOf(subject), event: 'sending.exempted', ...by })
    return true
  })
}

/** Applies the limits again to a user or a domain; false if they weren't exempt. */
export function endExemption(
  { db, clock }: ExemptionParts,
  subject: Subject,
  by: ExemptedBy,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await deleteExemption(trx, subject))) return false
    await audit(trx, clock, { ...entryOf(subject), event: 'sending.limited', ...by })
    return true
  })
}

function entryOf({ kind, id, tenantId }: Subject) {
  return { tenantId, objectType: kind, objectId: id }
}
