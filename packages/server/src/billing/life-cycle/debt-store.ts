import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Debt, DebtStep } from './steps.ts'

/** A wallet with a debt, and its owner. */
export interface DebtAccount extends Debt {
  readonly walletId: string
  readonly balance: number
  readonly ownerId: number
  readonly tenantId: number
  readonly ownerStatus: number
  readonly isOwnerDeleted: boolean
  readonly degradedReminderAt: Date | null
}

/** Reads a wallet's debt; undefined if it has none. */
export async function readDebt(db: Db, walletId: string): Promise<DebtAccount | undefined> {
  const row = await db
    .selectFrom('walletDebts as d')
    .innerJoin('wallets as w', 'w.id', 'd.walletId')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select(['d.negativeSince', 'd.initialAt', 'd.reminderAt', 'd.warningAt', 'd.degradeAt'])
    .select(['d.degradedReminderAt', 'w.balance', 'o.id', 'o.tenantId', 'o.status', 'o.deletedAt'])
    .where('d.walletId', '=', walletId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    walletId,
    balance: row.balance,
    ownerId: row.id,
    tenantId: row.tenantId,
    ownerStatus: row.status,
    isOwnerDeleted: row.deletedAt !== null,
    negativeSince: row.negativeSince,
    taken: {
      initial: row.initialAt,
      reminder: row.reminderAt,
      warning: row.warningAt,
      degrade: row.degradeAt,
    },
    degradedReminderAt: row.degradedReminderAt,
  }
}

const columns = {
  initial: 'initial_at',
  reminder: 'reminder_at',
  warning: 'warning_at',
  degrade: 'degrade_at',
} as const satisfies Record<DebtStep, string>

/** Records that a step was taken. */
export async function markStep(db: Db, walletId: string, step: DebtStep, now: Date): Promise<void> {
  await db
    .updateTable('walletDebts')
    .set({ [columns[step]]: now })
    .where('walletId', '=', walletId)
    .execute()
}

/** Records when the owner of a degraded account was last reminded. */
export async function markDegradedReminder(db: Db, walletId: string, now: Date): Promise<void> {
  await db
    .updateTable('walletDebts')
    .set({ degradedReminderAt: now })
    .where('walletId', '=', walletId)
    .execute()
}

/** Wallets with a debt for which a step or reminder may be due; excludes deleted owners. */
export async function walletsToDun(db: Db, now: Date): Promise<string[]> {
  const since = (interval: string): RawBuilder<unknown> =>
    sql`${now}::timestamptz - interval '${sql.raw(interval)}'`
  const { rows } = await sql<{ id: string }>`select d.wallet_id as id
    from wallet_debts d join wallets w on w.id = d.wallet_id join users o on o.id = w.user_id
    where o.deleted_at is null and case
      when o.status & ${userStatus.degraded}::int <> 0
        then d.degraded_reminder_at is null or d.degraded_reminder_at <= ${since('14 days')}
      when d.negative_since <= ${since('14 days')} then d.degrade_at is null
      when d.negative_since <= ${since('12 days')} then d.warning_at is null
      when d.negative_since <= ${since('7 days')} then d.reminder_at is null
      else d.negative_since <= ${since('1 hour')} and d.initial_at is null end
    order by d.negative_since, d.wallet_id`.execute(db)
  return rows.map((row) => row.id)
}

/** Wallets whose owners were degraded for a debt that has been settled. */
export async function walletsToRecover(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('walletSettings as s')
    .innerJoin('wallets as w', 'w.id', 's.walletId')
    .select('w.id')
    .where('s.key', '=', 'degraded_for_debt')
    .where('w.balance', '>=', 0)
    .execute()
  return rows.map((row) => row.id)
}

/** Owner of a wallet. */
export async function ownerOf(
  db: Db,
  walletId: string,
): Promise<{ id: number; tenantId: number; status: number; isDeleted: boolean }> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select(['o.id', 'o.tenantId', 'o.status', 'o.deletedAt'])
    .where('w.id', '=', walletId)
    .executeTakeFirstOrThrow()
  return { id: row.id, tenantId: row.tenantId, status: row.status, isDeleted: row.deletedAt !== null }
}

/** A wallet whose owner is deleted or being deleted. */
export async function closingWallet(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as u', 'u.id', 'w.userId')
    .select(['w.balance', 'w.currency', 'u.id as ownerId', 'u.tenantId'])
    .select('u.deletedAt as closedAt')
    .where('w.id', '=', walletId)
    .executeTakeFirstOrThrow()
}

/** Cents of the ledger entry with this key; undefined if there is none. */
export async function entryAmount(db: Db, key: string): Promise<number | undefined> {
  const query = db.selectFrom('ledgerEntries').select('amount').where('key', '=', key)
  return (await query.executeTakeFirst())?.amount
}

/** Balance of a wallet in cents. */
export async function balanceOf(db: Db, walletId: string): Promise<number> {
  const query = db.selectFrom('wallets').select('balance').where('id', '=', walletId)
  return (await query.executeTakeFirstOrThrow()).balance
}

/** True if any user of an account, including its owner, has a status bit. */
export async function hasMembersWith(
  db: Db,
  walletId: string,
  ownerId: number,
  bit: number,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from users
    where deleted_at is null and status & ${bit}::int <> 0
      and (wallet_id = ${walletId} or id = ${ownerId})) as found`.execute(db)
  return rows[0]?.found === true
}

/** Returns the result of an action whose changes are rolled back. */
export async function rolledBack<T>(trx: Db, act: () => Promise<T>): Promise<T> {
  await sql`savepoint rolled_back`.execute(trx)
  try {
    return await act()
  } finally {
    await sql`rollback to savepoint rolled_back`.execute(trx)
  }
}
