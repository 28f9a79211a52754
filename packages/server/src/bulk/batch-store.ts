import {
  type BatchState,
  type BulkPrice,
  bulkPrice,
  type RowState,
  rowStates,
} from '@gatehouse/contract/directory/bulk'
import { isLanguage } from '@gatehouse/contract/language'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { walletsUnder } from '../users/member-store.ts'
import type { OwnedObject } from '../users/policy.ts'
import type { Batch, BatchActor } from './batch.ts'

export interface NewBatch
  extends Pick<
    Batch,
    'id' | 'tenantId' | 'walletId' | 'creatorId' | 'language' | 'kind' | 'objects' | 'action'
  > {
  readonly params: Readonly<Record<string, unknown>>
  readonly state: BatchState
  readonly total: number
  readonly price: BulkPrice | null
  readonly actor: BatchActor | null
}

export async function insertBatch(db: Db, now: Date, batch: NewBatch): Promise<void> {
  await db
    .insertInto('batches')
    .values({
      id: batch.id,
      tenantId: batch.tenantId,
      walletId: batch.walletId,
      userId: batch.creatorId,
      actor: batch.actor && JSON.stringify(batch.actor),
      language: batch.language,
      kind: batch.kind,
      objects: batch.objects,
      action: batch.action,
      params: JSON.stringify(batch.params),
      state: batch.state,
      total: batch.total,
      price: batch.price && JSON.stringify(batch.price),
      createdAt: now,
      startedAt: batch.state === 'running' ? now : null,
      endedAt: null,
    })
    .execute()
}

export async function readBatch(db: Db, id: string): Promise<Batch | undefined> {
  const row = await batches(db).where('b.id', '=', id).executeTakeFirst()
  return row && toBatch(row)
}

/**
 * Locks a batch until the end of the transaction, so that it can't be processed, started or cancelled
 * concurrently.
 */
export async function holdBatch(trx: Db, id: string): Promise<Batch | undefined> {
  const held = await trx
    .selectFrom('batches')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return held && readBatch(trx, id)
}

/** One page of the batches in accounts that a user owns or controls, newest first. */
export async function listBatches(
  db: Db,
  readerId: number,
  page: { readonly size: number; readonly offset: number },
): Promise<{ list: Batch[]; total: number }> {
  const mine = sql<boolean>`b.wallet_id = any(${walletsUnder(readerId)})`
  const rows = await batches(db)
    .where(mine)
    .orderBy('b.createdAt', 'desc')
    .orderBy('b.id', 'desc')
    .limit(page.size)
    .offset(page.offset)
    .execute()
  const { total } = await db
    .selectFrom('batches as b')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(mine)
    .executeTakeFirstOrThrow()
  return { list: rows.map(toBatch), total }
}

/** Number of unfinished batches of an account; plans have their own limit. */
export async function countUnfinished(db: Db, walletId: string): Promise<number> {
  const { count } = await db
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('walletId', '=', walletId)
    .where('kind', '!=', 'plan')
    .where('state', 'not in', ['done', 'cancelled'])
    .executeTakeFirstOrThrow()
  return count
}

/** Number of an account's plans since a time that haven't been applied. */
export async function countPlans(db: Db, walletId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('walletId', '=', walletId)
    .where('kind', '=', 'plan')
    .where('state', 'in', ['ready', 'running'])
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes plans that weren't applied, with what they would have changed. */
export async function purgePlans(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('batches')
    .where('kind', '=', 'plan')
    .where('state', '=', 'ready')
    .where('createdAt', '<', before)
    .execute()
}

export type StateChange =
  | { readonly to: 'checking'; readonly total: number }
  | { readonly to: 'ready'; readonly price: BulkPrice | null }
  | { readonly to: 'running'; readonly actor: BatchActor; readonly at: Date }
  | { readonly to: 'done' | 'cancelled'; readonly at: Date }

/** Moves a batch from one of several states to another; returns false if it is in none of them. */
export async function changeState(
  db: Db,
  id: string,
  from: readonly BatchState[],
  change: StateChange,
): Promise<boolean> {
  const row = await db
    .updateTable('batches')
    .set({
      state: change.to,
      ...(change.to === 'checking' && { total: change.total }),
      ...(change.to === 'ready' && { price: change.price && JSON.stringify(change.price) }),
      ...(change.to === 'running' && { actor: JSON.stringify(change.actor), startedAt: change.at }),
      ...((change.to === 'done' || change.to === 'cancelled') && { endedAt: change.at }),
    })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteBatch(db: Db, id: string): Promise<void> {
  await db.deleteFrom('batches').where('id', '=', id).execute()
}

/** Number of rows by state, for several batches. */
export async function countRows(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Record<RowState, number>>> {
  const counts = new Map(ids.map((id) => [id, noRows()]))
  if (ids.length === 0) return counts
  const rows = await db
    .selectFrom('batchRows')
    .select((eb) => ['batchId', 'state', eb.fn.countAll<number>().as('count')])
    .where('batchId', 'in', [...ids])
    .groupBy(['batchId', 'state'])
    .execute()
  for (const row of rows) {
    const known = counts.get(row.batchId)
    if (known !== undefined) known[row.state] = row.count
  }
  return counts
}

/** The user who started a batch, unless deleted. */
export function readCreator(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'tenantId', 'status'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Deletes batches and plans created before the given times, and unfinished uploads. */
export async function purgeBatches(
  db: Db,
  {
    before,
    plansBefore,
    unfinishedBefore,
  }: Readonly<Record<'before' | 'plansBefore' | 'unfinishedBefore', Date>>,
): Promise<void> {
  await db
    .deleteFrom('batches')
    .where((where) =>
      where.or([
        where.and([where('kind', '!=', 'plan'), where('createdAt', '<', before)]),
        where.and([where('kind', '=', 'plan'), where('createdAt', '<', plansBefore)]),
        where.and([where('state', '=', 'reading'), where('createdAt', '<', unfinishedBefore)]),
      ]),
    )
    .execute()
}

/** Batches that have been waiting for their start since before the given time. */
export async function staleBatches(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('state', 'in', ['checking', 'ready'])
    .where('createdAt', '<', before)
    .execute()
  return rows.map((row) => row.id)
}

function noRows(): Record<RowState, number> {
  // fromEntries loses the type of the keys, which are exactly the states
  return Object.fromEntries(rowStates.map((state) => [state, 0])) as Record<RowState, number>
}

function batches(db: Db) {
  return db
    .selectFrom('batches as b')
    .innerJoin('users as u', 'u.id', 'b.userId')
    .selectAll('b')
    .select((eb) => eb.case().when('u.forgottenAt', 'is', null).then(eb.ref('u.email')).end().as('email'))
}

function toBatch(row: Awaited<ReturnType<ReturnType<typeof batches>['execute']>>[number]): Batch {
  return {
    id: row.id,
    tenantId: row.tenantId,
    walletId: row.walletId,
    creatorId: row.userId,
    creatorEmail: row.email,
    actor: row.actor,
    language: isLanguage(row.language) ? row.language : 'en',
    kind: row.kind,
    objects: row.objects,
    action: row.action,
    params: row.params,
    state: row.state,
    total: row.total,
    price: row.price === null ? null : bulkPrice.parse(row.price),
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
  }
}

/** The account of a wallet, with the data for permission rules. */
export async function readBatchAccount(db: Db, walletId: string): Promise<OwnedObject | undefined> {
  const { rows } = await sql<{
    tenantId: number
    userId: number
    controllerIds: number[]
  }>`select o.tenant_id, w.user_id,
      array(select c.user_id from wallet_controllers c where c.wallet_id = w.id) as controller_ids
    from wallets w join users o on o.id = w.user_id where w.id = ${walletId}`.execute(db)
  const row = rows[0]
  return row && { tenantId: row.tenantId, ownerId: row.userId, controllerIds: row.controllerIds }
}
