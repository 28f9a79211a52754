import type { JobState } from '@gatehouse/contract/staff/operations'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../db/database.ts'

/** A job as shown to operators. */
export interface QueuedJob {
  readonly id: string
  readonly name: string
  readonly state: JobState
  readonly attempts: number
  readonly maxAttempts: number
  readonly error: string | null
  readonly createdAt: Date
  readonly runAt: Date
  readonly updatedAt: Date
  readonly payload: unknown
}

export type JobCounts = Record<JobState, number>

const state = sql`case when j.locked_at is not null then 'running'
  when j.attempts >= j.max_attempts then 'dead'
  when j.last_error is not null then 'retrying' else 'waiting' end`

const source = sql`(select j.id::text as id, t.identifier as name, ${state} as state, j.attempts, j.max_attempts,
    j.last_error, j.created_at, j.run_at, j.updated_at, j.payload
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id) j`

interface Row {
  id: string
  name: string
  state: JobState
  attempts: number
  maxAttempts: number
  lastError: string | null
  createdAt: Date
  runAt: Date
  updatedAt: Date
  payload: unknown
}

/** Lists jobs: failed ones first, newest first, then by due date. */
export async function listJobs(
  db: Db,
  filter: { readonly state?: JobState | null | undefined; readonly name?: string | undefined },
  part: { readonly limit: number; readonly offset: number },
): Promise<QueuedJob[]> {
  const ofState = filter.state == null ? sql`true` : sql`j.state = ${filter.state}`
  const ofName = filter.name === undefined ? sql`true` : sql`strpos(j.name, lower(${filter.name})) > 0`
  const { rows } = await sql<Row>`select * from ${source} where ${ofState} and ${ofName}
    order by j.last_error is null, case when j.last_error is not null then j.updated_at end desc, j.run_at, j.id::bigint
    limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    state: row.state,
    attempts: row.attempts,
    maxAttempts: row.maxAttempts,
    error: row.lastError,
    createdAt: row.createdAt,
    runAt: row.runAt,
    updatedAt: row.updatedAt,
    payload: row.payload,
  }))
}

/** Counts the jobs in each state. */
export async function countJobs(db: Db): Promise<JobCounts> {
  const { rows } = await sql<{ state: JobState; jobs: number }>`select j.state, count(*)::int as jobs
    from ${source} group by 1`.execute(db)
  const counts: JobCounts = { waiting: 0, running: 0, retrying: 0, dead: 0 }
  for (const { state: name, jobs } of rows) counts[name] = jobs
  return counts
}

/**
 * Makes a job due now with all its attempts; returns its name, or undefined if it doesn't exist or is running.
 */
export async function retryJob(db: Db, id: string): Promise<string | undefined> {
  return change(db, id, sql`graphile_worker.reschedule_jobs(array[${id}::bigint], now(), null, 0, null)`)
}

/** Removes a job permanently; returns its name, or undefined if it doesn't exist or is running. */
export async function dropJob(db: Db, id: string): Promise<string | undefined> {
  return change(db, id, sql`graphile_worker.complete_jobs(array[${id}::bigint])`)
}

async function change(db: Db, id: string, act: ReturnType<typeof sql>): Promise<string | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const { rows: named } = await sql<{
    name: string
  }>`select j.name from ${source} where j.id = ${id}`.execute(db)
  const { rows } = await sql<{ id: string }>`select id::text as id from ${act}`.execute(db)
  return rows.length === 0 ? undefined : named[0]?.name
}

/** Removes dead letters with these keys. */
export async function dropDeadLetters(db: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from graphile_worker._private_jobs
    where key = any(${keys}::text[]) and locked_at is null and attempts >= max_attempts`.execute(db)
}

/** Inserts jobs of one kind with JSON payloads. */
export async function addJobs(
  db: Db,
  { name, maxAttempts }: { readonly name: string; readonly maxAttempts: number },
  jobs: readonly {
    readonly payload: string
    readonly key?: string
    readonly queue?: string
    readonly runAt?: Date
  }[],
): Promise<void> {
  // payloads are passed as text, because parsing them would reject valid content such as lone surrogates
  await sql`select count(*) from graphile_worker.add_jobs(array(
    select (${name}, payload::json, queue, run_at, ${maxAttempts}::int, key, null, null)::graphile_worker.job_spec
    from unnest(
      ${jobs.map(({ payload }) => payload)}::text[],
      ${jobs.map(({ queue }) => queue ?? null)}::text[],
      ${jobs.map(({ runAt }) => runAt ?? null)}::timestamptz[],
      ${jobs.map(({ key }) => key ?? null)}::text[]) as spec(payload, queue, run_at, key)))`.execute(db)
}

/** Returns whether jobs of these kinds are due, or any of these ids are locked. */
export async function isQueueBusy(
  pool: Pool,
  ids: readonly string[],
  kinds: readonly string[],
): Promise<boolean> {
  const { rows } = await pool.query<{ busy: boolean }>(
    `select exists (
       select from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
         left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
       where (j.id = any($1) and j.locked_at is not null)
         or (t.identifier = any($2) and j.is_available and j.run_at <= now() and q.locked_at is null)
     ) as busy`,
    [ids, kinds],
  )
  return rows[0]?.busy === true
}

/** Returns jobs whose last attempt failed, newest first. */
export async function readFailedJobs(pool: Pool, limit: number) {
  const { rows } = await pool.query<{
    id: string
    task_identifier: string
    attempts: number
    max_attempts: number
    last_error: string
  }>(
    `select id::text, task_identifier, attempts, max_attempts, last_error from graphile_worker.jobs
     where last_error is not null order by updated_at desc limit $1`,
    [limit],
  )
  return rows
}

/** Counts waiting jobs and dead letters (`dead`). */
export async function countWaitingJobs(pool: Pool): Promise<{ state: string; jobs: number }[]> {
  const { rows } = await pool.query<{ state: string; jobs: number }>(
    `select state, count(j.id) as jobs from (values ('dead', true), ('waiting', false)) s (state, is_dead)
       left join graphile_worker.jobs j on (j.attempts >= j.max_attempts) = s.is_dead group by 1`,
  )
  return rows
}

/** Jobs of one kind. */
export interface KindCounts {
  readonly name: string
  /** Due and not running. */
  readonly due: number
  readonly dead: number
  /** Seconds for which the oldest one has been due; 0: none is. */
  readonly oldestSeconds: number
}

/** Counts due and dead jobs by kind; kinds without jobs are missing. */
export async function countByKind(pool: Pool): Promise<KindCounts[]> {
  const isDue = 'j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()'
  const { rows } = await pool.query<KindCounts>(
    `select t.identifier as name, count(*) filter (where ${isDue}) as due,
       count(*) filter (where j.attempts >= j.max_attempts) as dead,
       coalesce(extract(epoch from now() - min(j.run_at) filter (where ${isDue})), 0)::float as "oldestSeconds"
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id group by 1`,
  )
  return rows
}
