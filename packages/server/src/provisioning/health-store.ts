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
