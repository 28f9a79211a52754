import { randomInt } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import {
  deadPools,
  deletePools,
  forgetDeadPools,
  insertPool,
  lockPresence,
  unlockJobs,
} from './pool-store.ts'

/**
 * Distinguishes the worker pools of living processes from those of dead ones. A process holds an advisory
 * lock, which PostgreSQL releases as soon as it dies, and records its own pool. Otherwise a job would stay
 * locked for hours after its process was killed.
 */
export class PoolPresence {
  readonly #pool: Pool
  readonly #holder = randomInt(1, 2 ** 31 - 1)
  #client: PoolClient | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Acquires the lock, again if its connection breaks. */
  async hold(): Promise<void> {
    if (this.#client !== undefined) return
    const client = await this.#pool.connect()
    let isLent = true
    // the pool counts a broken connection as in use until it is released
    const giveBack = () => {
      if (isLent) client.release(true)
      isLent = false
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', giveBack)
    try {
      await lockPresence(client, this.#holder)
    } catch (error) {
      giveBack()
      throw error
    }
    if (isLent) this.#client = client
  }

  /** Records that a pool belongs to this process. */
  async claim(poolId: string): Promise<void> {
    await insertPool(this.#pool, poolId, this.#holder)
  }

  /** Unlocks the jobs of pools whose process has died. Returns the number of pools. */
  async freeJobsOfTheDead(): Promise<number> {
    await this.hold()
    const dead = await deadPools(this.#pool)
    if (dead.length > 0) await unlockJobs(this.#pool, dead)
    await forgetDeadPools(this.#pool)
    return dead.length
  }

  /** Releases the lock when this process's pool has ended. Without a database the lock is already released. */
  async release(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await deletePools(this.#pool, this.#holder).catch(() => undefined)
    client?.release(true)
  }
}
