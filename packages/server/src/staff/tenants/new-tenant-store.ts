import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'

/** Returns the highest tenant id plus one. */
export async function nextTenantId(trx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) + 1 as id from tenants`.execute(trx)
  return rows[0]?.id ?? 1
}

export async function insertTenant(
  trx: Db,
  id: number,
  title: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await trx
    .insertInto('tenants')
    .values({ id, title, settings: JSON.stringify(settings) })
    .execute()
}

/** Sets the wallet that receives a tenant's profits. */
export async function setTenantWallet(trx: Db, id: number, walletId: string): Promise<void> {
  await trx.updateTable('tenants').set({ walletId }).where('id', '=', id).execute()
}

/** Copies the service's catalogue to a tenant: prices, fees, free units, and all settings of the plans. */
export async function copyCatalogue(trx: Db, tenantId: number): Promise<void> {
  const from = systemTenant
  // generates an id per row, so that references can be mapped to the copies
  const ids = async (table: 'skus' | 'packages' | 'plans', active: boolean) => {
    const query = trx.selectFrom(table).select('id').where('tenantId', '=', from)
    const found = await (active ? query.where(sql<boolean>`active`, '=', true) : query).execute()
    return { old: found.map((row) => row.id), made: found.map(() => newUuid()) }
  }
  const skus = await ids('skus', true)
  const packages = await ids('packages', false)
  const plans = await ids('plans', false)
  const map = ({ old, made }: typeof skus) => sql`unnest(${old}::uuid[], ${made}::uuid[])`
  await sql`insert into skus (id, tenant_id, title, name, description, cost, fee, units_free, period, handler, active)
    select m.made, ${tenantId}, s.title, s.name, s.description, s.cost, s.fee, s.units_free, s.period, s.handler, true
    from ${map(skus)} m (old, made) join skus s on s.id = m.old`.execute(trx)
  await sql`insert into packages (id, tenant_id, title, name, description, discount_rate)
    select m.made, ${tenantId}, p.title, p.name, p.description, p.discount_rate
    from ${map(packages)} m (old, made) join packages p on p.id = m.old`.execute(trx)
  await sql`insert into package_skus (package_id, sku_id, qty, cost)
    select p.made, s.made, l.qty, l.cost from package_skus l
      join ${map(packages)} p (old, made) on p.old = l.package_id
      join ${map(skus)} s (old, made) on s.old = l.sku_id`.execute(trx)
  await sql`insert into plans (id, tenant_id, title, name, description, mode, months, free_months, hidden, position)
    select m.made, ${tenantId}, p.title, p.name, p.description, p.mode, p.months, p.free_months, p.hidden, p.position
    from ${map(plans)} m (old, made) join plans p on p.id = m.old`.execute(trx)
  await sql`insert into plan_packages (plan_id, package_id, qty, qty_min, qty_max)
    select p.made, k.made, l.qty, l.qty_min, l.qty_max from plan_packages l
      join ${map(plans)} p (old, made) on p.old = l.plan_id
      join ${map(packages)} k (old, made) on k.old = l.package_id`.execute(trx)
}
