import type { Pool, PoolClient } from 'pg'

/** First half of the advisory lock keys of living processes; arbitrary and unique. */
const lockClass = 726_411

/** An unclaimed pool may just be starting; after this interval it is considered dead. */
const unclaimedFor = '1 minute'

/** Acquires a process's lock for as long as the connection is open. */
export async function lockPresence(client: PoolClient, holder: number): Promise<void> {
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, holder])
}

export async function insertPool(pool: Pool, poolId: string, holder: number): Promise<void> {
  await pool.query('insert into job_pools (pool_id, holder) values ($1, $2)', [poolId, holder])
}

export async function deletePools(pool: Pool, holder: number): Promise<void> {
  await pool.query('delete from job_pools where holder = $1', [holder])
}

/** Returns the number of living processes that run jobs: servers and gateways. */
export async function countProcesses(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ processes: number }>(
    `select count(*) as processes from pg_locks where locktype = 'advisory' and classid::bigint = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [lockClass],
  )
  return rows[0]?.processes ?? 0
}

/** Returns pools with jobs whose process has died. */
export async function deadPools(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ dead: string[] }>(
    `with living as (
        select w.pool_id from job_pools w join pg_locks l
          on l.locktype = 'advisory' and l.classid::bigint = $1 and l.objid::bigint = w.holder and l.granted
          and l.database = (select oid from pg_database where datname = current_database())
      ), dead as (
        select distinct j.locked_by from graphile_worker.jobs j
        where j.locked_by is not null and j.locked_by not in (select pool_id from living)
          and (j.locked_by in (select pool_id from job_pools) or j.locked_at < now() - interval '${unclaimedFor}')
      )
      select coalesce(array_agg(locked_by), '{}') as dead from dead`,
    [lockClass],
  )
  return rows[0]?.dead ?? []
}

export async function unlockJobs(pool: Pool, pools: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [pools])
}

/** Deletes pools without jobs whose process has died. */
export async function forgetDeadPools(pool: Pool): Promise<void> {
  await pool.query(
    `delete from job_pools w where not exists (
        select from pg_locks l where l.locktype = 'advisory' and l.classid::bigint = $1
          and l.objid::bigint = w.holder and l.granted)
        and not exists (select from graphile_worker.jobs j where j.locked_by = w.pool_id)`,
    [lockClass],
  )
}
