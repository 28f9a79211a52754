import type { Pool, PoolClient } from 'pg'
import type { Log } from '../platform/log.ts'

/** First half of the advisory locks of processes that hold meetings; `is_living_host` looks for it. */
const lockClass = 20_390

/** Milliseconds until a lost connection is tried again. */
const pause = 1000

export interface HostEvents {
  /** Something was written about a meeting. */
  readonly onNews: (meetingId: string) => void
  /** The connection is lost: other processes take this one for dead, and may have its meetings. */
  readonly onLost: () => void
}

/**
 * One connection of a process that holds meetings: as long as it lasts other processes know that this one lives, and
 * this one hears of what they write.
 */
export class HostWatch {
  readonly #pool: Pool
  readonly #log: Log
  readonly #events: HostEvents
  #client: PoolClient | undefined
  #isStopped = false

  constructor(pool: Pool, log: Log, events: HostEvents) {
    this.#pool = pool
    this.#log = log
    this.#events = events
  }

  /** Lives under that number from now on. */
  async live(hostId: number): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await client.query('listen meetings')
      await client.query('select pg_advisory_lock($1, $2)', [lockClass, hostId])
    } catch (error) {
      client.release(true)
      throw error
    }
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#events.onNews(payload)
    })
    client.once('error', (error) => {
      this.#log.warn(
        { err: error },
        'the connection that holds meetings is lost; they go on from the database',
      )
      client.release(true)
      this.#client = undefined
      if (!this.#isStopped) setTimeout(this.#events.onLost, pause).unref()
    })
    this.#client = client
  }

  /** Ends it: other processes may have the meetings at once. */
  stop(): void {
    this.#isStopped = true
    this.#client?.release(true)
    this.#client = undefined
  }
}
