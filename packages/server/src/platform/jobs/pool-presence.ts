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
      await lockPresence(client, this.#holder)
    } catch (error) {
      giveBack()
      throw error
    }
    if (isLent) this.#client = client
  }

  /** Writes down that a pool belongs to this process. */
  async claim(poolId: string): Promise<void> {
    await insertPool(this.#pool, poolId, this.#holder)
  }

  /** Frees the jobs of pools whose process is dead. Returns how many pools that were. */
  async freeJobsOfTheDead(): Promise<number> {
    await this.hold()
    const dead = await deadPools(this.#pool)
    if (dead.length > 0) await unlockJobs(this.#pool, dead)
    await forgetDeadPools(this.#pool)
    return dead.length
  }

  /** Releases the lock; the pool of this process is gone. Without a database the lock is gone already. */
  async release(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await deletePools(this.#pool, this.#holder).catch(() => undefined)
    client?.release(true)
  }
}
