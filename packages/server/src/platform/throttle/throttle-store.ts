import type { Pool } from 'pg'
import { day, minute } from '../clock.ts'
import type { Target } from './limits.ts'

/** Failures expire after a day without another. */
const memory = day

/** Seconds that a reservation counts as work in progress; afterwards as a failure of a crashed process. */
const longestWork = minute

/** Outcome of a reservation: nothing is counted unless all targets allow it. */
export type Reservation =
  | { readonly outcome: 'reserved' }
  /** Too many failures. */
  | { readonly outcome: 'blocked'; readonly until: Date; readonly target: Target }
  /** Requests in progress may still fail and use up the allowance. */
  | { readonly outcome: 'busy'; readonly target: Target }

/** How reserved work ended. `returned` counts nothing; `succeeded` also resets the counters that allow it. */
export type WorkOutcome = 'failed' | 'succeeded' | 'returned'

/** Failures that a row `t` still counts at `$4`; the free allowance refills within a day. */
const level = (
  free: string,
) => `(case when t.updated_at < $4::timestamptz - interval '${memory} seconds' then 0
  else greatest(t.failures - greatest(extract(epoch from $4::timestamptz - t.updated_at)::float, 0)
    * ${free} / ${memory}, 0) end)`

/** Reservations of row `t` whose work may still be in progress. */
const inProgress = `(case when t.reserved_at > $4::timestamptz - interval '${longestWork} seconds'
  then t.pending else 0 end)`

const isOpen = (free: string) => `(coalesce(t.blocked_until <= $4::timestamptz, true)
  and (ceil(${level(free)}) < ${free} or ${inProgress} = 0))`

/** A crash of the database loses at most a fraction of a second of failures. */
const relaxed = `relaxed as materialized (select set_config('synchronous_commit', 'off', true))`

/** The free allowance of an existing row, where no join is possible. */
const ownFree = '(select w.free from wanted w where w.kind = t.kind)'

// Statements are named because every sign-in runs them and planning takes longer than executing. All lock
// rows in key order, so that they don't deadlock.
const reserveStatement = {
  name: 'throttles-reserve',
  text: `with ${relaxed}, wanted as materialized (
      select w.* from unnest($1::text[], $2::bytea[], $3::int[]) as w (kind, subject, free), relaxed
    ), refused as (
      select t.kind, t.blocked_until from wanted w join throttles t using (kind, subject)
      where not ${isOpen('w.free')}
    ), reserved as (
      insert into throttles as t (kind, subject, failures, pending, reserved_at, updated_at)
      select kind, subject, 1, 1, $4::timestamptz, $4::timestamptz from wanted
      where not exists (select from refused)
      order by kind, subject
      on conflict (kind, subject) do update set failures = ${level(ownFree)} + 1,
        pending = ${inProgress} + 1, reserved_at = excluded.reserved_at, updated_at = excluded.updated_at
      where ${isOpen(ownFree)}
      returning t.kind
    )
    select kind, true as is_reserved, null::timestamptz as blocked_until from reserved
    union all select kind, false, blocked_until from refused`,
}

const settleStatement = {
  name: 'throttles-settle',
  // doubling is capped at 2^20 to avoid interval overflow
  text: `with ${relaxed}, held as materialized (
      select t.kind, t.subject, w.free, w.is_cleared and $7 = 'succeeded' as is_cleared,
        least(w.first_wait * power(2, least(ceil(t.failures) - w.free - 1, 20)), w.longest_wait)
          * interval '1 second' as wait
      from throttles t
        join unnest($1::text[], $2::bytea[], $3::int[], $5::float[], $6::float[], $8::boolean[])
          as w (kind, subject, free, first_wait, longest_wait, is_cleared) using (kind, subject),
        relaxed
      order by t.kind, t.subject for update of t
    )
    update throttles t set
      pending = greatest(t.pending - 1, 0),
      failures = case when $7 = 'failed' then t.failures
        when held.is_cleared then greatest(t.pending - 1, 0)
        else greatest(t.failures - 1, 0) end,
      blocked_until = case
        when $7 = 'failed' and t.failures > held.free
          then greatest(t.blocked_until, $4::timestamptz + held.wait)
        when held.is_cleared then null
        else t.blocked_until end
    from held where t.kind = held.kind and t.subject = held.subject`,
}

interface ReserveRow {
  readonly kind: string
  readonly is_reserved: boolean
  readonly blocked_until: Date | null
}

/** Reserves one failure per target, in one statement that holds no locks afterwards. */
export async function reserve(pool: Pool, targets: readonly Target[], now: Date): Promise<Reservation> {
  const values = [...keysOf(targets), now]
  const { rows } = await pool.query<ReserveRow>({ ...reserveStatement, values })
  const reserved = targets.filter(({ kind }) => rows.some((row) => row.is_reserved && row.kind === kind))
  if (reserved.length === targets.length) return { outcome: 'reserved' }
  // concurrent requests took some of them after the statement began
  if (reserved.length > 0) await settle(pool, reserved, 'returned', now)
  const refused = targets.filter((target) => !reserved.includes(target))
  const blocked = refused
    .map((target) => ({ target, until: rows.find(({ kind }) => kind === target.kind)?.blocked_until ?? now }))
    .reduce((latest, next) => (next.until > latest.until ? next : latest))
  if (blocked.until > now) return { outcome: 'blocked', ...blocked }
  const busy = refused.find(({ kind }) => rows.some((row) => row.kind === kind)) ?? blocked.target
  return { outcome: 'busy', target: busy }
}

/** Records how reserved work ended. */
export async function settle(
  pool: Pool,
  targets: readonly Target[],
  outcome: WorkOutcome,
  now: Date,
): Promise<void> {
  const limits = targets.map(({ limit }) => limit)
  const values = [
    ...keysOf(targets),
    now,
    limits.map(({ firstWait }) => firstWait),
    limits.map(({ longestWait }) => longestWait),
    outcome,
    targets.map(({ isCleared }) => isCleared),
  ]
  await pool.query({ ...settleStatement, values })
}

/** Deletes expired counters. */
export async function purgeThrottles(pool: Pool, now: Date): Promise<void> {
  const text = `delete from throttles where updated_at < $1::timestamptz - interval '${memory} seconds'`
  await pool.query(text, [now])
}

/** Requires that all targets of a request have different kinds. */
function keysOf(targets: readonly Target[]): [string[], Buffer[], number[]] {
  return [
    targets.map(({ kind }) => kind),
    targets.map(({ subject }) => subject),
    targets.map(({ limit }) => limit.free),
  ]
}
