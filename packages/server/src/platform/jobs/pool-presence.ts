import { randomInt } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

/** First half of the advisory locks that stand for living processes; any number nobody else uses. */
const lockClass = 726_411

/** A pool that no process has claimed yet may just be starting; after this it is taken for dead. */
const unclaimedFor = '1 minute'

/**
 * Tells the worker pools of living processes from those of dead ones. A process holds an advisory lock, which
 * PostgreSQL lets go of the moment the process dies, and writes down which pool is its own. Without this
 * a job that ran when its process was killed would stay locked for hours.
 */
export class PoolPresence {
  readonly #pool: Pool
  readonly #holder = randomInt(1, 2 ** 31 - 1)
  #client: PoolClient | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Takes the lock, again if its connection broke. */
  async hold(): Promise<void> {
    if (this.#client !== undefined) return
    const client = await this.#pool.connect()
    let isLent = true
    // the pool counts a broken connection as lent until it is given back
    const giveBack = () => {
      if (isLent) client.release(true)
      isLent = false
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', giveBack)
    try {
      await client.query('select pg_advisory_lock($1, $2)', [lockClass, this.#holder])
    } catch (error) {
      giveBack()
      throw error
    }
    if (isLent) this.#client = client
  }

  /** Writes down that a pool belongs to this process. */
  async claim(poolId: string): Promise<void> {
    await this.#pool.query('insert into job_pools (pool_id, holder) values ($1, $2)', [poolId, this.#holder])
  }

  /** Frees the jobs of pools whose process is dead. Returns how many pools that were. */
  async freeJobsOfTheDead(): Promise<number> {
    await this.hold()
    const { rows } = await this.#pool.query<{ dead: string[] }>(
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
    const dead = rows[0]?.dead ?? []
    if (dead.length > 0) await this.#pool.query('select graphile_worker.force_unlock_workers($1)', [dead])
    await this.#forgetTheDead()
    return dead.length
  }

  /** Releases the lock; the pool of this process is gone. Without a database the lock is gone already. */
  async release(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await this.#pool.query('delete from job_pools where holder = $1', [this.#holder]).catch(() => undefined)
    client?.release(true)
  }

  async #forgetTheDead(): Promise<void> {
    await this.#pool.query(
      `delete from job_pools w where not exists (
        select from pg_locks l where l.locktype = 'advisory' and l.classid::bigint = $1
          and l.objid::bigint = w.holder and l.granted)
        and not exists (select from graphile_worker.jobs j where j.locked_by = w.pool_id)`,
      [lockClass],
    )
  }
}
