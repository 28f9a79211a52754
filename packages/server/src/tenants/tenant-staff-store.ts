import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'

/**
 * Gives a reseller the same control over the tenant's wallet as its owner. Does nothing if the tenant has no
 * wallet or the reseller owns it. Call it in the transaction that makes the user a reseller.
 */
export async function joinTenantWallet(trx: Db, userId: number): Promise<void> {
  await sql`insert into wallet_controllers (wallet_id, user_id)
    select t.wallet_id, u.id from users u join tenants t on t.id = u.tenant_id join wallets w on w.id = t.wallet_id
    where u.id = ${userId} and w.user_id <> u.id on conflict do nothing`.execute(trx)
  await sql`update users u set wallet_id = t.wallet_id from tenants t
    where u.id = ${userId} and t.id = u.tenant_id and t.wallet_id is not null`.execute(trx)
}

/** Revokes a former reseller's control of the tenant's wallet and restores their own wallet. */
export async function leaveTenantWallet(trx: Db, userId: number): Promise<void> {
  await sql`delete from wallet_controllers c using users u, tenants t
    where u.id = ${userId} and t.id = u.tenant_id and c.user_id = u.id and c.wallet_id = t.wallet_id`.execute(
    trx,
  )
  await sql`update users u set wallet_id = (select w.id from wallets w where w.user_id = u.id order by w.created_at limit 1)
    where u.id = ${userId} and u.wallet_id = (select t.wallet_id from tenants t where t.id = u.tenant_id)
      and exists (select from wallets w where w.user_id = u.id)`.execute(trx)
}

/**
 * Replaces the tenant's wallet and gives all its resellers control over it. Returns false if the tenant
 * doesn't exist.
 */
export async function moveTenantWallet(trx: Db, tenantId: number, walletId: string): Promise<boolean> {
  const resellers = await trx
    .selectFrom('users')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('role', '=', 'reseller')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of resellers) await leaveTenantWallet(trx, id)
  const changed = await trx
    .updateTable('tenants')
    .set({ walletId })
    .where('id', '=', tenantId)
    .returning('id')
    .executeTakeFirst()
  for (const { id } of resellers) await joinTenantWallet(trx, id)
  return changed !== undefined
}

/** Locks a reseller's tenant until the transaction ends; does nothing for other users. */
export async function holdTenantOfReseller(trx: Db, userId: number): Promise<void> {
  await sql`select from tenants t where t.id = (select tenant_id from users where id = ${userId})
    and exists (select from users where id = ${userId} and role = 'reseller') for no key update`.execute(trx)
}

/** Returns what a tenant would lose with a user. */
export async function readResellerStanding(
  trx: Db,
  userId: number,
): Promise<{ role: Role | null; ownsWallet: boolean; colleagues: number } | undefined> {
  const { rows } = await sql<{ role: Role | null; ownsWallet: boolean; colleagues: number }>`select u.role,
      exists (select from tenants t join wallets w on w.id = t.wallet_id where w.user_id = u.id) as owns_wallet,
      (select count(*)::int from users o where o.tenant_id = u.tenant_id and o.role = 'reseller' and o.id <> u.id
        and o.deleted_at is null) as colleagues
    from users u where u.id = ${userId}`.execute(trx)
  return rows[0]
}
