import { domainStatus, domainType } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DnsFound } from '../../platform/db/schema.ts'
import { walletsUnder } from '../../users/member-store.ts'
import type { Trouble } from '../users/user-facts-store.ts'

export interface DomainCounts {
  readonly total: number
  readonly unconfirmed: Trouble
  readonly proofMissing: Trouble
  readonly failed: Trouble
  readonly suspended: Trouble
}

/** Counts the domains in the accounts that a user owns or controls. */
export async function domainCounts(db: Db, readerId: number): Promise<DomainCounts> {
  const { confirmed, suspended } = domainStatus
  const isSuspended = sql`status & ${suspended}::int <> 0`
  const isConfirmed = sql`status & ${confirmed}::int <> 0`
  const { rows } = await sql<DomainCounts>`with mine as materialized (
      select d.id, d.namespace, d.display_name, d.status, d.type, d.missing_since,
        exists (select from provisioning p where p.kind = 'domain' and p.object_id = d.id and p.step = 'backend'
          and p.state = 'failed') as has_failed
      from domains d where d.wallet_id = any(${walletsUnder(readerId)}) and d.deleted_at is null
    )
    select count(*)::int as total,
      ${trouble(sql`not ${isConfirmed} and type & ${domainType.public}::int = 0 and not ${isSuspended}`)} as unconfirmed,
      ${trouble(sql`${isConfirmed} and missing_since is not null`)} as proof_missing,
      ${trouble(sql`has_failed`)} as failed,
      ${trouble(isSuspended)} as suspended
    from mine`.execute(db)
  const [row] = rows
  if (row === undefined) throw new RangeError('aggregate query returned no row')
  return row
}

function trouble(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`json_build_object('count', count(*) filter (where ${condition}),
    'name', (array_agg(display_name order by namespace) filter (where ${condition}))[1],
    'id', (array_agg(id order by namespace) filter (where ${condition}))[1])`
}

export interface CheckedDomain {
  readonly id: number
  readonly namespace: string
  readonly displayName: string
  readonly dnsFound: DnsFound
}

/** Returns the confirmed domains of those accounts whose DNS records were checked, by name. */
export async function checkedDomains(db: Db, readerId: number, limit: number): Promise<CheckedDomain[]> {
  const { confirmed, suspended } = domainStatus
  const { rows } =
    await sql<CheckedDomain>`select d.id, d.namespace, d.display_name, d.dns_found from domains d
    where d.wallet_id = any(${walletsUnder(readerId)}) and d.deleted_at is null and d.dns_checked_at is not null
      and d.status & ${confirmed}::int <> 0 and d.status & ${suspended}::int = 0
    order by d.namespace limit ${limit}`.execute(db)
  return rows
}
