import { domainStatus, domainType } from '@gatehouse/contract/status'
import { type Selectable, sql } from 'kysely'
import { after, type Clock, day } from '../platform/clock.ts'
import { type Db, isUniqueViolation } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'

/** A stored host or domain claim of a tenant. */
export type TenantNameRow = Selectable<Schema['tenantNames']>

/** Days that an unverified claim blocks a host for other tenants. */
const claimDays = 7

/** Another tenant has claimed the host. */
export class HostTaken extends Error {
  override name = 'HostTaken'
  readonly host: string

  constructor(host: string) {
    super(host)
    this.host = host
  }
}

export function readNames(db: Db, tenantId: number): Promise<TenantNameRow[]> {
  return db.selectFrom('tenantNames').selectAll().where('tenantId', '=', tenantId).orderBy('name').execute()
}

/** Counts reseller tenants and their unverified names; for one tenant or all. */
export async function countTenants(
  db: Db,
  only: number | undefined,
): Promise<{ readonly total: number; readonly unproven: number }> {
  const own = (column: string) => (only === undefined ? sql`true` : sql`${sql.ref(column)} = ${only}`)
  const { rows } = await sql<{ total: number; unproven: number }>`select
    (select count(*)::int from tenants where id <> 0 and ${own('id')}) as total,
    (select count(*)::int from tenant_names where confirmed_at is null and ${own('tenant_id')}) as unproven`.execute(
    db,
  )
  return rows[0] ?? { total: 0, unproven: 0 }
}

/** Releases names no longer in a tenant's settings; a host may still be a mail domain. */
export async function releaseNames(
  trx: Db,
  tenantId: number,
  kept: { readonly names: readonly string[]; readonly hosts: readonly string[] },
): Promise<void> {
  await sql`delete from tenant_names where tenant_id = ${tenantId} and name <> all(${kept.names}::text[])`.execute(
    trx,
  )
  await sql`update tenant_names set is_host = false
    where tenant_id = ${tenantId} and is_host and name <> all(${kept.hosts}::text[])`.execute(trx)
}

/**
 * Claims a name for a tenant; an existing claim is unchanged. A host with an expired, unverified claim of
 * another tenant passes to this one. Throws HostTaken, which aborts the transaction.
 */
export async function claimName(
  trx: Db,
  clock: Clock,
  claim: { readonly tenantId: number; readonly name: string; readonly isHost: boolean },
): Promise<void> {
  const { tenantId, name, isHost } = claim
  const now = clock.now()
  if (isHost) {
    await trx
      .deleteFrom('tenantNames')
      .where('name', '=', name)
      .where('isHost', '=', true)
      .where('tenantId', '<>', tenantId)
      .where('confirmedAt', 'is', null)
      .where('claimedAt', '<', after(now, -claimDays * day))
      .execute()
  }
  try {
    await trx
      .insertInto('tenantNames')
      .values({
        ...{ tenantId, name, isHost, claimedAt: now },
        ...{ confirmedAt: null, confirmedBy: null },
      })
      .onConflict((conflict) =>
        conflict
          .columns(['tenantId', 'name'])
          .doUpdateSet({ isHost: sql`tenant_names.is_host or excluded.is_host` }),
      )
      .execute()
  } catch (error) {
    if (isUniqueViolation(error, 'tenant_names_host')) throw new HostTaken(name)
    throw error
  }
}

/** Records that a check didn't find the proof; a name confirmed meanwhile stays confirmed. */
export async function noteFailure(
  db: Db,
  clock: Clock,
  { tenantId, name }: Pick<TenantNameRow, 'tenantId' | 'name'>,
  failure: NonNullable<TenantNameRow['failure']>,
): Promise<void> {
  await db
    .updateTable('tenantNames')
    .set({ checkedAt: clock.now(), failure })
    .where('tenantId', '=', tenantId)
    .where('name', '=', name)
    .where('confirmedAt', 'is', null)
    .execute()
}

/** Confirms a name that the tenant still claims. Returns false if it doesn't, or was already confirmed. */
export async function markConfirmed(
  trx: Db,
  clock: Clock,
  { tenantId, name }: Pick<TenantNameRow, 'tenantId' | 'name'>,
  by: 'dns' | 'staff',
): Promise<boolean> {
  const now = clock.now()
  const row = await trx
    .updateTable('tenantNames')
    .set({ confirmedAt: now, confirmedBy: by, failure: null, ...(by === 'dns' && { checkedAt: now }) })
    .where('tenantId', '=', tenantId)
    .where('name', '=', name)
    .where('confirmedAt', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns why a tenant may send mail from a domain: the domain or a parent is verified, or it is a confirmed
 * domain in the directory that belongs to the tenant, open for sign-up or in its wallet. Customers' domains
 * don't count. Undefined if it may not.
 */
export async function senderProof(
  db: Db,
  tenantId: number,
  domain: string,
): Promise<'name' | 'parent' | 'directory' | undefined> {
  const { confirmed } = domainStatus
  const { rows } = await sql<{ proof: 'name' | 'parent' | 'directory' }>`
    select proof from (
      select case when name = ${domain} then 'name' else 'parent' end as proof from tenant_names
        where tenant_id = ${tenantId} and confirmed_at is not null
          and (name = ${domain} or right(${domain}::text, length(name) + 1) = '.' || name)
      union all
      select 'directory' from domains d join tenants t on t.id = d.tenant_id
        where d.namespace = ${domain} and t.id = ${tenantId} and d.deleted_at is null
          and d.status & ${confirmed} <> 0 and (d.type & ${domainType.public} <> 0 or d.wallet_id = t.wallet_id)
      ) proofs
    order by proof = 'parent', proof = 'directory' limit 1`.execute(db)
  return rows[0]?.proof
}

/** Returns sign-up domains of other tenants, including the service itself. */
export async function foreignSignupDomains(db: Db, tenantId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('namespace')
    .where(sql<boolean>`type & ${domainType.public} <> 0`)
    .where('tenantId', '<>', tenantId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map((row) => row.namespace)
}
