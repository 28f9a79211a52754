import { domainStatus, domainType } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

const { active, confirmed, deleted, ldapReady, suspended, verified } = domainStatus
const isNew = domainStatus.new

/** The only transitions of a domain's state; each adds and removes status bits at once. */
const transitions = {
  /** The name was found in the DNS. */
  verify: { add: verified, remove: 0 },
  /** The account has proved that it owns the name. */
  confirm: { add: confirmed, remove: 0 },
  /** The proof has to be given again. */
  forget: { add: isNew, remove: confirmed | verified | active },
  suspend: { add: suspended, remove: 0 },
  unsuspend: { add: 0, remove: suspended },
  ldapReady: { add: ldapReady, remove: 0 },
  /** The back ends have forgotten a deleted domain. */
  removed: { add: deleted, remove: ldapReady, ofDeleted: true },
  /** A deleted domain comes back; whether the name is still the account's has to be proved again. */
  restore: { add: isNew, remove: deleted | confirmed | verified | active | ldapReady, ofDeleted: true },
} as const

export type DomainTransition = keyof typeof transitions

/** The state does not allow the change: there is no such domain, or it is deleted, or it is not. */
export class IllegalDomainTransition extends Error {
  override name = 'IllegalDomainTransition'
}

/**
 * Changes a domain's state in one statement, so that two writers never undo each other's bits, and normalises it
 * (reference api-objects §3). Returns whether a bit differs now. Throws IllegalDomainTransition.
 */
export async function transitionDomain(
  db: Db,
  clock: Clock,
  id: number,
  name: DomainTransition,
): Promise<boolean> {
  const step = transitions[name]
  const next = normalised(sql`((d.status | ${step.add}::int) & ~${step.remove}::int)`)
  const ofDeleted = 'ofDeleted' in step
  const { rows } = await sql<{ changed: boolean }>`
    with before as (select id, status from domains where id = ${id} for no key update)
    update domains d set status = ${next}, updated_at = ${clock.now()}
    from before b where d.id = b.id and d.deleted_at ${sql.raw(ofDeleted ? 'is not null' : 'is null')}
      and (${ofDeleted} or d.status & ${deleted}::int = 0)
    returning d.status <> b.status as changed`.execute(db)
  const [row] = rows
  if (row === undefined) throw new IllegalDomainTransition(`domain ${id}: ${name}`)
  return row.changed
}

/**
 * CONFIRMED adds VERIFIED and ACTIVE, DELETED and SUSPENDED remove ACTIVE, ACTIVE removes NEW. So a suspension that
 * is lifted leaves a domain active again only if it is confirmed. Public domains are as their operator says.
 */
function normalised(status: RawBuilder<unknown>): RawBuilder<number> {
  const ready = confirmed | verified | active
  const halted = deleted | suspended
  return sql<number>`case
    when d.type & ${domainType.public}::int <> 0 then ${status}
    when ${status} & ${halted}::int <> 0 and ${status} & ${confirmed}::int <> 0
      then (${status} | ${verified}::int) & ~${active}::int
    when ${status} & ${halted}::int <> 0 then ${status} & ~${active}::int
    when ${status} & ${confirmed}::int <> 0 then (${status} | ${ready}::int) & ~${isNew}::int
    when ${status} & ${active}::int <> 0 then ${status} & ~${isNew}::int
    else ${status} end`
}
