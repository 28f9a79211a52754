import type { Pool } from 'pg'
import type { Log } from '../../platform/log.ts'
import { becomeHost } from '../meeting-store.ts'

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
  /** Gives the connection back; undefined: there is none. */
  #letGo: (() => void) | undefined
  #isStopped = false

  constructor(pool: Pool, log: Log, events: HostEvents) {
    this.#pool = pool
    this.#log = log
    this.#events = events
  }

  /** Lives under that number from now on. */
  async live(hostId: number): Promise<void> {
    const client = await this.#pool.connect()
    let isHeld = true
    const letGo = () => {
      if (isHeld) client.release(true)
      isHeld = false
    }
    // from the beginning to after the end: an error that nobody listens to would end the process
    client.on('error', (error) => {
      const wasOurs = this.#letGo === letGo
      letGo()
      if (wasOurs) this.#lose(error)
    })
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#events.onNews(payload)
    })
    try {
      await becomeHost(client, hostId)
    } catch (error) {
      letGo()
      throw error
    }
    this.#letGo = letGo
    if (this.#isStopped) this.stop()
  }

  #lose(error: Error): void {
    this.#letGo = undefined
    this.#log.warn({ err: error }, 'lost the database connection that holds meetings')
    setTimeout(() => {
      if (!this.#isStopped) this.#events.onLost()
    }, pause).unref()
  }

  /** Ends it: other processes may have the meetings at once. */
  stop(): void {
    this.#isStopped = true
    const letGo = this.#letGo
    this.#letGo = undefined
    letGo?.()
  }
}
