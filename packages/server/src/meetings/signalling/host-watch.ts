import type { Pool } from 'pg'
import type { Log } from '../../platform/log.ts'
import { becomeHost } from '../meeting-store.ts'

/** Milliseconds before reconnecting. */
const pause = 1000

export interface HostEvents {
  /** A meeting was changed in the database. */
  readonly onNews: (meetingId: string) => void
  /** The connection is lost: other processes consider this one dead and may take over its meetings. */
  readonly onLost: () => void
}

/**
 * The database connection of a process that holds meetings. While it is open, other processes know this one is
 * alive, and this one is notified of their changes.
 */
export class HostWatch {
  readonly #pool: Pool
  readonly #log: Log
  readonly #events: HostEvents
  /** Releases the connection; undefined if there is none. */
  #letGo: (() => void) | undefined
  #isStopped = false

  constructor(pool: Pool, log: Log, events: HostEvents) {
    this.#pool = pool
    this.#log = log
    this.#events = events
  }

  /** Starts being alive under this id. */
  async live(hostId: number): Promise<void> {
    const client = await this.#pool.connect()
    let isHeld = true
    const letGo = () => {
      if (isHeld) client.release(true)
      isHeld = false
    }
    // attached until after the end, because an unhandled error event would end the process
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

  /** Stops: other processes can take over the meetings immediately. */
  stop(): void {
    this.#isStopped = true
    const letGo = this.#letGo
    this.#letGo = undefined
    letGo?.()
  }
}
