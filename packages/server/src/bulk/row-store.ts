import type { RowState } from '@gatehouse/contract/directory/bulk'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { isMessageKey } from '../platform/i18n/catalogues.ts'
import type { NewRow, RowMessage, RowOutcome, StoredRow, WaitingRow } from './batch.ts'

/** Rows per insert statement. */
const atOnce = 500

export async function insertRows(db: Db, batchId: string, rows: readonly NewRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += atOnce) {
    await db
      .insertInto('batchRows')
      .values(
        rows.slice(first, first + atOnce).map((row) => ({
          batchId,
          n: row.n,
          label: row.label,
          input: JSON.stringify(row.input ?? {}),
          secret: row.secret ?? null,
          state: row.state,
          message: row.messages === undefined ? null : JSON.stringify(row.messages),
          objectId: row.objectId ?? null,
        })),
      )
      .execute()
  }
}

/** The next rows of a batch in a state, in order. */
export async function nextRows(
  db: Db,
  batchId: string,
  state: RowState,
  limit: number,
): Promise<WaitingRow[]> {
  const rows = await db
    .selectFrom('batchRows')
    .select(['n', 'label', 'input', 'secret', 'objectId'])
    .where('batchId', '=', batchId)
    .where('state', '=', state)
    .orderBy('n')
    .limit(limit)
    .execute()
  return rows.map(({ objectId, ...row }) => ({ ...row, objectId }))
}

/** Stores results of rows, and deletes the secrets of finished ones. */
export async function writeOutcomes(db: Db, batchId: string, outcomes: readonly RowOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const values = JSON.stringify(
    outcomes.map(({ n, state, messages, objectId }) => ({
      n,
      state,
      message: messages ?? null,
      object_id: objectId ?? null,
    })),
  )
  await sql`update batch_rows r set state = v.state, message = v.message,
      object_id = coalesce(v.object_id, r.object_id),
      secret = case when v.state in ('open', 'ok') then r.secret end
    from jsonb_to_recordset(${values}::jsonb) as v(n int, state text, message jsonb, object_id bigint)
    where r.batch_id = ${batchId} and r.n = v.n`.execute(db)
}

/** Marks the remaining rows of a cancelled batch as skipped. */
export async function skipRest(db: Db, batchId: string): Promise<void> {
  await db
    .updateTable('batchRows')
    .set({ state: 'skipped', secret: null })
    .where('batchId', '=', batchId)
    .where('state', 'in', ['open', 'ok'])
    .execute()
}

/** Rows of a batch in order, after row `after` or from an offset. */
export async function readRows(
  db: Db,
  batchId: string,
  query: {
    readonly state?: RowState | null | undefined
    readonly after?: number
    readonly offset?: number
    readonly limit: number
  },
): Promise<StoredRow[]> {
  let rows = db
    .selectFrom('batchRows')
    .select(['n', 'label', 'state', 'message', 'objectId'])
    .where('batchId', '=', batchId)
    .orderBy('n')
    .limit(query.limit)
    .offset(query.offset ?? 0)
  if (query.state != null) rows = rows.where('state', '=', query.state)
  if (query.after !== undefined) rows = rows.where('n', '>', query.after)
  return (await rows.execute()).map(({ message: stored, objectId, ...row }) => ({
    ...row,
    messages: readMessages(stored),
    objectId,
  }))
}

/** A row with its input. */
export interface PlanRow extends StoredRow {
  readonly input: Record<string, unknown>
}

/** Rows of a plan in order, with their input. */
export async function planRows(
  db: Db,
  batchId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PlanRow[]> {
  const rows = await db
    .selectFrom('batchRows')
    .select(['n', 'label', 'state', 'message', 'objectId', 'input'])
    .where('batchId', '=', batchId)
    .orderBy('n')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(({ message: stored, ...row }) => ({ ...row, messages: readMessages(stored) }))
}

/** Number of a plan's rows by action, without refused ones. */
export async function countActions(db: Db, batchId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ action: string; count: number }>`
    select input->>'action' as action, count(*)::int as count from batch_rows
    where batch_id = ${batchId} and state <> 'refused' group by 1`.execute(db)
  return new Map(rows.map((row) => [row.action, row.count]))
}

/** Messages may have been stored by another version with other keys. */
function readMessages(stored: unknown): RowMessage[] {
  if (!Array.isArray(stored)) return []
  return stored.filter((one): one is RowMessage => isMessageKey(String(one.key)))
}

/** Number of a batch's rows in a state, or of all. */
export async function countStates(
  db: Db,
  batchId: string,
  state: RowState | null | undefined,
): Promise<number> {
  let rows = db
    .selectFrom('batchRows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('batchId', '=', batchId)
  if (state != null) rows = rows.where('state', '=', state)
  return (await rows.executeTakeFirstOrThrow()).count
}

/** Number of rows of a user import that would succeed, by package and quota. */
export async function countByPackage(
  db: Db,
  batchId: string,
): Promise<{ package: string | null; quota: string | null; count: number }[]> {
  const { rows } = await sql<{ package: string | null; quota: string | null; count: number }>`
    select input->>'package' as package, input->>'quota' as quota, count(*)::int as count
    from batch_rows where batch_id = ${batchId} and state = 'ok' group by 1, 2`.execute(db)
  return rows
}

/** Rows of a batch that created an object, with their input. */
export async function createdRows(
  db: Db,
  batchId: string,
  limit: number,
): Promise<{ readonly label: string; readonly input: Record<string, unknown>; readonly objectId: number }[]> {
  const rows = await db
    .selectFrom('batchRows')
    .select(['label', 'input', 'objectId'])
    .where('batchId', '=', batchId)
    .where('state', '=', 'done')
    .where('objectId', 'is not', null)
    .orderBy('n')
    .limit(limit)
    .execute()
  return rows.flatMap(({ objectId, ...row }) => (objectId === null ? [] : [{ ...row, objectId }]))
}

/** Sets, releases or rolls back to a row's savepoint. */
export async function rowSavepoint(
  trx: Db,
  act: 'savepoint' | 'release savepoint' | 'rollback to savepoint',
): Promise<void> {
  await sql`${sql.raw(act)} batch_row`.execute(trx)
}
