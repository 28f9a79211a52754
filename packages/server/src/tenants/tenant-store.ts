import type { TenantLimits } from '@gatehouse/contract/staff/tenants'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { foldedPattern } from '../platform/db/like-pattern.ts'
import { systemTenant } from '../platform/tenant.ts'

/** A stored tenant, with its customers' usage. */
export interface TenantRow {
  readonly id: number
  readonly title: string
  readonly settings: Record<string, string>
  readonly proofToken: string
  readonly createdAt: Date
  readonly walletId: string | null
  readonly currency: string | null
  readonly balance: number | null
}

const columns = sql`t.id, t.title, t.settings, t.proof_token, t.created_at, t.wallet_id, w.currency, w.balance
  from tenants t left join wallets w on w.id = t.wallet_id`

export async function readTenant(db: Db, id: number): Promise<TenantRow | undefined> {
  const { rows } = await sql<TenantRow>`select ${columns} where t.id = ${id}`.execute(db)
  return rows[0]
}

/** The same, locked until the transaction ends: changes of a tenant's settings and names are serialized. */
export async function holdTenant(trx: Db, id: number): Promise<TenantRow | undefined> {
  await sql`select from tenants where id = ${id} for no key update`.execute(trx)
  return readTenant(trx, id)
}

/** Returns tenants by title; `only` limits them to that one. */
export async function listTenants(
  db: Db,
  filter: { readonly search?: string | null | undefined; readonly only?: number | undefined },
  part: { readonly limit: number; readonly offset: number },
): Promise<TenantRow[]> {
  const found: RawBuilder<unknown> =
    filter.search == null ? sql`true` : sql`fold_text(t.title) like ${foldedPattern(filter.search)}`
  const own = filter.only === undefined ? sql`true` : sql`t.id = ${filter.only}`
  const { rows } = await sql<TenantRow>`select ${columns} where ${found} and ${own}
    order by lower(t.title), t.id limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows
}

export interface TenantUsage {
  readonly users: number
  /** Gigabytes. */
  readonly storage: number
  /** Fees in cents per month. */
  readonly spend: number
}

/** Returns the current usage of a tenant's customers. */
export async function tenantUsage(db: Db, tenantId: number): Promise<TenantUsage> {
  const { rows } = await sql<TenantUsage>`select
    (select count(*)::int from users where tenant_id = ${tenantId} and deleted_at is null and role is null) as users,
    coalesce(sum(1) filter (where k.handler = 'Storage'), 0)::int as storage,
    coalesce(sum(e.fee / e.months), 0)::int as spend
    from users o join wallets w on w.user_id = o.id join entitlements e on e.wallet_id = w.id
      join skus k on k.id = e.sku_id
    where o.tenant_id = ${tenantId} and o.deleted_at is null and e.deleted_at is null`.execute(db)
  return rows[0] ?? { users: 0, storage: 0, spend: 0 }
}

export async function readLimits(db: Db, tenantId: number): Promise<TenantLimits> {
  const rows = await db.selectFrom('tenantLimits').selectAll().where('tenantId', '=', tenantId).execute()
  const of = (kind: keyof TenantLimits) => rows.find((row) => row.kind === kind)?.value ?? null
  return { users: of('users'), storage: of('storage'), spend: of('spend') }
}

/** Sets limits; null removes one. */
export async function writeLimits(
  db: Db,
  tenantId: number,
  limits: { readonly [Kind in keyof TenantLimits]?: number | null | undefined },
): Promise<void> {
  for (const kind of ['users', 'storage', 'spend'] as const) {
    const value = limits[kind]
    if (value === undefined) continue
    await db.deleteFrom('tenantLimits').where('tenantId', '=', tenantId).where('kind', '=', kind).execute()
    if (value !== null) {
      await db.insertInto('tenantLimits').values({ tenantId, kind, value }).execute()
    }
  }
}

/** Sets or removes settings; null removes one. */
export async function writeTenantSettings(
  db: Db,
  tenantId: number,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  const kept = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
  const removed = Object.keys(changes).filter((key) => changes[key] === null)
  await sql`update tenants set settings = (settings - ${removed}::text[]) || ${JSON.stringify(kept)}::jsonb
    where id = ${tenantId}`.execute(db)
}

/** A tenant's branding settings. */
export interface BrandedTenant {
  readonly id: number
  readonly title: string
  readonly settings: Record<string, string>
  /** Whether it was found by its host. */
  readonly isHost: boolean
}

/**
 * Returns the tenant that verified the host (lower case, no trailing dot; empty for none), otherwise the one
 * with the id.
 */
export async function findBranded(
  db: Db,
  { id, host }: { readonly id: number | undefined; readonly host: string },
): Promise<BrandedTenant | undefined> {
  const { rows } = await sql<BrandedTenant>`select t.id, t.title, t.settings, n.name is not null as is_host
    from tenants t left join tenant_names n
      on n.tenant_id = t.id and n.name = ${host} and n.is_host and n.confirmed_at is not null
    where t.id <> ${systemTenant} and (n.name is not null or t.id = ${id ?? -1})
    order by is_host desc limit 1`.execute(db)
  return rows[0]
}

/** A tenant as shown in e-mails. */
export interface TenantSite {
  readonly title: string
  readonly settings: Record<string, string>
  /** Verified hosts of the tenant. */
  readonly hosts: readonly string[]
}

export async function readTenantSite(db: Db, id: number): Promise<TenantSite | undefined> {
  const { rows } = await sql<TenantSite>`select title, settings, array(select name from tenant_names
      where tenant_id = t.id and is_host and confirmed_at is not null) as hosts
    from tenants t where id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the tenant of a user. */
export async function tenantOfUser(db: Db, userId: number): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('tenantId').where('id', '=', userId).executeTakeFirst()
  return row?.tenantId
}

/** Locks and returns the limits of the tenant of a wallet's owner, until the transaction ends. */
export async function holdTenantLimits(
  trx: Db,
  walletId: string,
): Promise<{ tenantId: number; kind: 'users' | 'storage' | 'spend'; value: number }[]> {
  const { rows } = await sql<{ tenantId: number; kind: 'users' | 'storage' | 'spend'; value: number }>`
    select l.tenant_id, l.kind, l.value from tenant_limits l
    where l.kind in ('users', 'storage', 'spend')
      and l.tenant_id = (select o.tenant_id from wallets w join users o on o.id = w.user_id where w.id = ${walletId})
    order by l.kind for update`.execute(trx)
  return rows
}
