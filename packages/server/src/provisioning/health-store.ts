import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Counts failed and waiting steps. */
export async function countOpenWork(db: Db): Promise<{ failed: number; waiting: number }> {
  const { rows } = await sql<{ failed: number; waiting: number }>`select
    count(*) filter (where state = 'failed')::int as failed,
    count(*) filter (where state = 'waiting')::int as waiting
    from provisioning where state in ('failed', 'waiting')`.execute(db)
  return rows[0] ?? { failed: 0, waiting: 0 }
}

/** Steps of the back end that aren't done, and for how many seconds the oldest change has waited for one. */
export interface Backlog {
  readonly waiting: number
  readonly running: number
  readonly failed: number
  readonly oldestSeconds: number
}

/**
 * Measures what the back end doesn't have yet. A change is as old as its job: it's created by the change, and kept until it
 * succeeds.
 */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`select
    count(*) filter (where state = 'waiting')::int as waiting,
    count(*) filter (where state = 'running')::int as running,
    count(*) filter (where state = 'failed')::int as failed,
    coalesce((select extract(epoch from now() - min(j.created_at))
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'provision'), 0)::float as oldest_seconds
    from provisioning where step = 'backend' and state <> 'done'`.execute(db)
  return rows[0] ?? { waiting: 0, running: 0, failed: 0, oldestSeconds: 0 }
}
