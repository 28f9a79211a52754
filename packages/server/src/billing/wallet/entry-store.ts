import type { walletRoutes } from '@gatehouse/contract/billing/wallets'
import { utc } from '@gatehouse/contract/events'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import type { EntryType } from '../ledger/entry.ts'
import { objectName } from './cost-store.ts'

export type EntryFilter = Pick<
  z.output<(typeof walletRoutes)['GET /api/v4/wallets/{id}/transactions']['query']>,
  'type' | 'from' | 'to'
>

/** An entry as listed. */
export interface EntryRow {
  id: string
  number: number
  type: EntryType
  amount: number
  balance: number
  currency: string
  description: string
  parameters: string
  actorEmail: string | null
  /**
   * The customer of a bonus or penalty by staff: address, or the ID of a purged user; null for other entries.
   */
  customer: string | null
  createdAt: Date
}

/**
 * Entries of a wallet, newest first. Ordered by position in the chain, so that entries with equal times have a
 * stable order.
 */
export async function readEntries(
  db: Db,
  walletId: string,
  filter: EntryFilter,
  part: { readonly limit: number; readonly offset: number },
): Promise<EntryRow[]> {
  const { rows } =
    await sql<EntryRow>`select id, number, type, amount, balance, currency, description, parameters,
      actor_email, created_at,
      (select case when u.forgotten_at is null then u.email else u.id::text end from users u
        where u.id = (parameters::jsonb ->> 'customer')::bigint) as customer
    from ledger_entries where wallet_id = ${walletId} ${conditions(filter)}
    order by number desc limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows
}

function conditions({ type, from, to }: EntryFilter): RawBuilder<unknown> {
  return sql.join(
    [
      type == null ? sql`` : sql`and type = ${type}`,
      from == null ? sql`` : sql`and created_at >= ${new Date(utc(from))}::timestamptz`,
      to == null
        ? sql``
        : sql`and created_at < ${after(new Date(utc(to)), to.length === 10 ? day : 1)}::timestamptz`,
    ],
    sql` `,
  )
}

/** Whether an entry belongs to a wallet. */
export async function hasEntry(db: Db, walletId: string, entryId: string): Promise<boolean> {
  const entry = await db
    .selectFrom('ledgerEntries')
    .select('id')
    .where('id', '=', entryId)
    .where('walletId', '=', walletId)
    .executeTakeFirst()
  return entry !== undefined
}

export interface PeriodRow {
  id: string
  since: Date
  until: Date
  cost: number
  currency: string
  createdAt: Date
  name: Localised
  object: string | null
}

/** The periods charged by an entry. */
export async function readPeriods(db: Db, entryId: string): Promise<PeriodRow[]> {
  const { rows } =
    await sql<PeriodRow>`select e.id, p.since, p.until, p.cost, l.currency, l.created_at, k.name,
      ${objectName('e')} as object
    from billed_periods p join ledger_entries l on l.id = p.entry_id join entitlements e on e.id = p.entitlement_id
      join skus k on k.id = e.sku_id
    where p.entry_id = ${entryId} order by object, k.title, p.since, e.id`.execute(db)
  return rows
}
