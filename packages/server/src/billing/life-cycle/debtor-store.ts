import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A customer with a negative balance. */
export interface Debtor {
  readonly id: number
  readonly email: string
  readonly balance: number
  readonly currency: string
  readonly since: Date
  readonly isDegraded: boolean
}

/** ID of a tenant; undefined for all. */
type Scope = number | undefined

/** Number of customers with a negative balance, up to a limit. */
export async function countDebtors(db: Db, scope: Scope, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select ${debtors(scope)} limit ${most}) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Those that have owed longest. */
export async function longestDebtors(db: Db, scope: Scope, limit: number): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`select o.id, o.email, w.balance, w.currency, d.negative_since as since,
      o.status & ${userStatus.degraded}::int <> 0 as is_degraded
    ${debtors(scope)} order by d.negative_since, o.id limit ${limit}`.execute(db)
  return rows
}

/** Number of degraded accounts, up to a limit. The condition matches the index `users_degraded`. */
export async function countDegraded(db: Db, scope: Scope, most: number): Promise<number> {
  const isDegraded = sql`status & ${sql.lit(userStatus.degraded)} <> 0`
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from users where deleted_at is null and ${isDegraded} and ${ofTenant(scope, 'tenant_id')}
      limit ${most}) found`.execute(db)
  return rows[0]?.count ?? 0
}

function debtors(scope: Scope): RawBuilder<unknown> {
  return sql`from wallet_debts d join wallets w on w.id = d.wallet_id join users o on o.id = w.user_id
    where o.deleted_at is null and o.role is null and ${ofTenant(scope, 'o.tenant_id')}`
}

function ofTenant(scope: Scope, column: string): RawBuilder<unknown> {
  return scope === undefined ? sql`true` : sql`${sql.ref(column)} = ${scope}`
}
