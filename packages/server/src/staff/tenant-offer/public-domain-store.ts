import { domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

type Failure = Schema['publicDomainClaims']['failure']

/** A public domain of a tenant, or one it has claimed. */
export interface PublicDomainRow {
  readonly namespace: string
  readonly state: 'waiting' | 'open' | 'closed'
  readonly failure: Failure
  readonly checkedAt: Date | null
  readonly createdAt: Date
}

interface Row {
  namespace: string
  state: PublicDomainRow['state']
  failure: Failure
  checkedAt: Date | null
  createdAt: Date
}

/** Returns a tenant's public domains by name, including unverified claims; `name` limits them to that one. */
export async function readPublicDomains(db: Db, tenantId: number, name?: string): Promise<PublicDomainRow[]> {
  const { rows } = await sql<Row>`select * from (
      select namespace, case when signup_closed_at is null then 'open' else 'closed' end as state, null as failure,
          null::timestamptz as checked_at, created_at
        from domains where tenant_id = ${tenantId} and type & ${domainType.public} <> 0 and deleted_at is null
      union all
      select namespace, 'waiting', failure, checked_at, claimed_at from public_domain_claims
        where tenant_id = ${tenantId}) found
    where ${name ?? null}::text is null or namespace = ${name ?? null} order by namespace, state`.execute(db)
  return rows.map(({ checkedAt, createdAt, ...row }) => ({
    ...row,
    checkedAt,
    createdAt,
  }))
}

/** Claims a domain. Returns false if the tenant already claimed it. */
export async function claimPublicDomain(
  trx: Db,
  clock: Clock,
  tenantId: number,
  namespace: string,
): Promise<boolean> {
  const row = await trx
    .insertInto('publicDomainClaims')
    .values({ tenantId, namespace, claimedAt: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('namespace')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a claim when it is withdrawn or verified. Returns false if there is none. */
export async function dropClaim(trx: Db, tenantId: number, namespace: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('publicDomainClaims')
    .where('tenantId', '=', tenantId)
    .where('namespace', '=', namespace)
    .returning('namespace')
    .executeTakeFirst()
  return row !== undefined
}

/** Records that a check didn't find the proof. */
export async function noteClaimFailure(
  db: Db,
  clock: Clock,
  claim: { readonly tenantId: number; readonly namespace: string; readonly failure: Failure },
): Promise<void> {
  await db
    .updateTable('publicDomainClaims')
    .set({ checkedAt: clock.now(), failure: claim.failure })
    .where('tenantId', '=', claim.tenantId)
    .where('namespace', '=', claim.namespace)
    .execute()
}

/** Closes a public domain for sign-up, or reopens it. Returns false if unchanged or not found. */
export async function setOpen(
  trx: Db,
  clock: Clock,
  domain: { readonly tenantId: number; readonly namespace: string; readonly isOpen: boolean },
): Promise<boolean> {
  const { tenantId, namespace, isOpen } = domain
  const now = clock.now()
  const row = await trx
    .updateTable('domains')
    .set({ signupClosedAt: isOpen ? null : now, updatedAt: now })
    .where('tenantId', '=', tenantId)
    .where('namespace', '=', namespace)
    .where(sql<boolean>`type & ${domainType.public} <> 0`)
    .where('deletedAt', 'is', null)
    .where('signupClosedAt', isOpen ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
