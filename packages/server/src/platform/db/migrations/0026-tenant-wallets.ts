import { type Kysely, sql } from 'kysely'

/** Every reseller looks after the wallet of the tenant, not only the one who owns it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into wallet_controllers (wallet_id, user_id)
    select t.wallet_id, u.id from users u join tenants t on t.id = u.tenant_id join wallets w on w.id = t.wallet_id
    where u.role = 'reseller' and u.deleted_at is null and w.user_id <> u.id on conflict do nothing`,
  `update users u set wallet_id = t.wallet_id from tenants t
    where u.role = 'reseller' and u.deleted_at is null and t.id = u.tenant_id and t.wallet_id is not null`,
]
