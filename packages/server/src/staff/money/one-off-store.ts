import type { OneOffState } from '@gatehouse/contract/billing/one-offs'
import { type RawBuilder, sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person, Role } from '../../platform/http/callers/principal.ts'
import { newUuid } from '../../platform/ids.ts'
import type { SearchScope } from '../search/search-source-store.ts'

/** Seconds until a request expires. */
const requestLife = 7 * day
/** Window in seconds over which one person's bookings are added up. */
const limitWindow = day

/** A bonus or penalty with its approval by a second staff member, pending or decided. */
export interface OneOffRow {
  readonly id: string
  readonly walletId: string
  readonly ownerId: number
  readonly ownerEmail: string
  readonly ownerRole: Role | null
  readonly controllerIds: readonly number[]
  readonly isOwnerDeleted: boolean
  readonly tenantId: number
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly state: Exclude<OneOffState, 'expired'>
  readonly requestedBy: number
  readonly requesterEmail: string
  readonly requesterRole: 'admin' | 'reseller'
  readonly requesterTenantId: number
  readonly deciderEmail: string | null
  readonly comment: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly decidedAt: Date | null
}

const columns = sql`r.id, r.wallet_id, o.id as owner_id, o.email as owner_email, o.role as owner_role,
  o.deleted_at is not null as is_owner_deleted, r.tenant_id,
  array(select c.user_id from wallet_controllers c where c.wallet_id = w.id) as controller_ids, r.amount, r.currency, r.description,
  r.state, r.requested_by, r.requester_email, r.requester_role, r.requester_tenant_id, r.decider_email, r.comment,
  r.created_at, r.expires_at, r.decided_at
  from one_off_requests r join wallets w on w.id = r.wallet_id join users o on o.id = w.user_id`

export interface NewOneOff {
  readonly tenantId: number
  readonly walletId: string
  /** Cents; penalties are negative. */
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly by: Person & { readonly email: string }
}

/** Stores a booking request and returns its id. */
export async function insertOneOff(db: Db, clock: Clock, facts: NewOneOff): Promise<string> {
  const id = newUuid()
  const { by } = facts
  const now = clock.now()
  await db
    .insertInto('oneOffRequests')
    .values({
      id,
      tenantId: facts.tenantId,
      walletId: facts.walletId,
      amount: facts.amount,
      currency: facts.currency,
      description: facts.description,
      requestedBy: by.userId,
      requesterEmail: by.email,
      requesterRole: by.role === 'admin' ? 'admin' : 'reseller',
      requesterTenantId: by.tenantId,
      createdAt: now,
      expiresAt: after(now, requestLife),
    })
    .execute()
  return id
}

/** Returns a request, within the scope's tenant. */
export async function readOneOff(db: Db, scope: SearchScope, id: string): Promise<OneOffRow | undefined> {
  const { rows } =
    await sql<OneOffRow>`select ${columns} where r.id = ${id}::uuid and ${inScope(scope)}`.execute(db)
  return rows[0]
}

/** Newest first. */
export async function listOneOffs(
  db: Db,
  scope: SearchScope,
  filter: { readonly state: OneOffState | null | undefined; readonly now: Date },
  part: { readonly limit: number; readonly offset: number },
): Promise<OneOffRow[]> {
  const { rows } = await sql<OneOffRow>`select ${columns} where ${inScope(scope)} and ${inState(filter)}
    order by r.created_at desc, r.id desc limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows
}

function inScope({ tenantId }: SearchScope): RawBuilder<unknown> {
  return tenantId === undefined ? sql`true` : sql`r.tenant_id = ${tenantId}`
}

function inState({ state, now }: { state: OneOffState | null | undefined; now: Date }): RawBuilder<unknown> {
  if (state == null) return sql`true`
  if (state === 'pending') return sql`r.state = 'pending' and r.expires_at > ${now}::timestamptz`
  if (state === 'expired') return sql`r.state = 'pending' and r.expires_at <= ${now}::timestamptz`
  return sql`r.state = ${state}`
}

/** Decides a pending request. Returns false if it was decided meanwhile or has expired. */
export async function decideOneOff(
  trx: Db,
  clock: Clock,
  id: string,
  decision: {
    readonly state: 'approved' | 'refused' | 'withdrawn'
    readonly decidedBy: number | null
    readonly email: string | null
    readonly comment: string | null
  },
): Promise<boolean> {
  const now = clock.now()
  const row = await trx
    .updateTable('oneOffRequests')
    .set({
      state: decision.state,
      decidedBy: decision.decidedBy,
      deciderEmail: decision.email,
      comment: decision.comment,
      decidedAt: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the requester still works here in that role; requests of former colleagues are not booked. */
export async function isStillStaff(db: Db, { requestedBy, requesterRole }: OneOffRow): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', requestedBy)
    .where('role', '=', requesterRole)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Serializes a staff member's own bookings until the transaction ends; lock this before wallets. */
export async function holdBooker(trx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`one-off:${userId}`}, 0))`.execute(trx)
}

/** Returns the cents that a person has booked without approval within a day, across all wallets. */
export async function bookedAlone(db: Db, clock: Clock, userId: number): Promise<number> {
  const since = after(clock.now(), -limitWindow)
  const { rows } = await sql<{
    sum: number
  }>`select coalesce(sum(abs(amount)), 0)::float8 as sum from ledger_entries
    where actor_id = ${userId} and created_at > ${since}::timestamptz
      and key like 'staff:%' and key not like 'staff:%:%'`.execute(db)
  return rows[0]?.sum ?? 0
}
