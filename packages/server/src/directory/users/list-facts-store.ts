import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { heldUntilKey } from '../../users/addresses/recovery-address-store.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { suspensionKey } from '../../users/suspension.ts'

/** Data for the facts and rights of a list row in addition to the user. */
export interface FactRow {
  readonly id: number
  readonly tenantId: number
  readonly role: Role | null
  readonly status: number
  readonly ownerId: number
  readonly controllerIds: readonly number[]
  readonly currency: string
  /** Percent. */
  readonly discount: number
  readonly lastSignIn: Date | null
  readonly suspensionReason: string | null
  readonly externalEmail: string | null
  readonly heldUntil: string | null
}

/** Reads the facts of active users, each from its own index. */
export async function readFactRows(db: Db, ids: readonly number[]): Promise<FactRow[]> {
  const setting = (key: string) =>
    sql`(select value from user_settings where user_id = u.id and key = ${key})`
  const { rows } = await sql<FactRow>`select u.id, u.tenant_id, u.role, u.status, w.user_id as owner_id,
      array(select c.user_id from wallet_controllers c where c.wallet_id = w.id) as controller_ids,
      w.currency, coalesce(d.discount, 0) as discount,
      (select s.last_used_at from sessions s where s.user_id = u.id and s.impersonation_id is null
        order by s.last_used_at desc limit 1) as last_sign_in,
      ${setting(suspensionKey)} as suspension_reason, ${setting('external_email')} as external_email,
      ${setting(heldUntilKey)} as held_until
    from users u join wallets w on w.id = u.wallet_id left join discounts d on d.id = w.discount_id
    where u.id = any(${ids}::bigint[]) and u.deleted_at is null`.execute(db)
  return rows
}

/** Units of one SKU and price held by a user. */
export interface HeldUnits {
  readonly userId: number
  readonly skuId: string
  /** Cents for `months`. */
  readonly cost: number
  readonly months: number
  readonly count: number
}

/** Returns the units held by users, grouped. */
export async function readHeldUnits(db: Db, ids: readonly number[]): Promise<HeldUnits[]> {
  const { rows } =
    await sql<HeldUnits>`select object_id as user_id, sku_id, cost, months, count(*)::int as count
    from entitlements where object_type = 'user' and object_id = any(${ids}::bigint[]) and deleted_at is null
    group by object_id, sku_id, cost, months`.execute(db)
  return rows
}

/** Returns the contents of a tenant's packages. */
export async function readPackageUnits(
  db: Db,
  tenantId: number,
): Promise<{ packageId: string; name: Record<string, string>; skuId: string; qty: number }[]> {
  const { rows } = await sql<{
    packageId: string
    name: Record<string, string>
    skuId: string
    qty: number
  }>`select p.id as package_id, p.name, l.sku_id, l.qty
    from packages p join package_skus l on l.package_id = p.id
    where p.tenant_id = ${tenantId} order by p.title`.execute(db)
  return rows
}

/** Counts the users in the accounts that a user owns or controls, and the domains of their addresses. */
export async function countMembers(
  db: Db,
  readerId: number,
): Promise<{ readonly users: number; readonly domains: number }> {
  const { rows } = await sql<{ users: number; domains: number }>`select count(*)::int as users,
      count(distinct split_part(u.email, '@', 2))::int as domains
    from users u where u.wallet_id = any(${walletsUnder(readerId)}) and u.deleted_at is null`.execute(db)
  return rows[0] ?? { users: 0, domains: 0 }
}

/** Counts the units of each price that the users of those accounts have. */
export async function countMemberPrices(
  db: Db,
  readerId: number,
): Promise<
  {
    readonly currency: string
    readonly discount: number
    readonly cost: number
    readonly months: number
    readonly count: number
  }[]
> {
  const { rows } = await sql<{
    currency: string
    discount: number
    cost: number
    months: number
    count: number
  }>`select w.currency, coalesce(d.discount, 0) as discount, e.cost, e.months, e.count
    from (select wallet_id, cost, months, count(*)::int as count from entitlements
        where wallet_id = any(${walletsUnder(readerId)}) and object_type = 'user' and deleted_at is null
        group by wallet_id, cost, months) e
      join wallets w on w.id = e.wallet_id left join discounts d on d.id = w.discount_id`.execute(db)
  return rows
}
