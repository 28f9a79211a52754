import type { CountedEvent, Occurrences } from './counted-event.ts'
import type { Db } from './db/database.ts'
import { writeCountedEvent } from './event-store.ts'
import type { Log } from './log.ts'

/** A user who is looked up when the event is written; undefined: unknown, and nothing is written. */
export interface Lookup {
  /** Identifies the user until then. */
  readonly name: string
  readonly find: () => Promise<number | undefined>
}

export interface UncountedEvent extends Omit<CountedEvent, 'userId'> {
  readonly user: number | Lookup
}

interface Waiting extends Occurrences {
  readonly event: UncountedEvent
}

/** Maximum number of distinct pending events; only reached if the database doesn't respond. */
const mostWaiting = 20_000
/** Milliseconds before failed writes are retried. */
const pause = 1000

/**
 * Logs actions against users, such as failed sign-ins: after the response, so that its timing doesn't reveal
 * whether the user exists, and on a single connection, so that a flood of events doesn't affect others. Equal
 * events that arrive while one is being written are counted together. Pending events are kept until they have
 * been written.
 */
export class EventCounter {
  readonly #db: Db
  readonly #log: Log
  #waiting = new Map<string, Waiting>()
  #writing: Promise<void> | undefined
  #dropped = 0
  #isClosed = false
  /** Users who have reached the limit of hostile entries, by window. */
  #crowded = new Set<string>()

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** Counts an event without waiting. */
  count(event: UncountedEvent): void {
    this.#add({ event, times: 1, last: event.at })
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** Resolves when all counted events have been written. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** Same as `settled`, at the end of the process: failures are logged. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  #add(added: Waiting): void {
    const name = nameOf(added.event)
    const known = this.#waiting.get(name)
    if (known === undefined && this.#waiting.size >= mostWaiting) {
      this.#dropped += added.times
      return
    }
    const times = (known?.times ?? 0) + added.times
    const last = known !== undefined && known.last > added.last ? known.last : added.last
    this.#waiting.set(name, { event: known?.event ?? added.event, times, last })
  }

  async #write(): Promise<void> {
    // responses are sent first
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    for (let isDone = false; !isDone; ) {
      const taken = this.#waiting
      this.#waiting = new Map()
      const failed = await this.#writeAll([...taken.values()])
      for (const waiting of failed) this.#add(waiting)
      isDone = this.#waiting.size === 0 || (failed.length > 0 && this.#isClosed)
      if (failed.length > 0 && !isDone) await rest()
    }
    this.#tellLost()
  }

  /**
   * Returns the events that couldn't be written. Events that turn out to share an entry wait for another turn,
   * in which they are merged.
   */
  async #writeAll(all: readonly Waiting[]): Promise<readonly Waiting[]> {
    for (const [place, waiting] of all.entries()) {
      const { event, ...occurrences } = waiting
      if (event.ip !== undefined && this.#crowded.has(crowdOf(event))) {
        this.#add({ event: { ...event, ip: undefined, details: {} }, ...occurrences })
        continue
      }
      try {
        await this.#writeOne(waiting)
      } catch (error) {
        this.#log.error({ err: error, waiting: all.length - place }, 'writing events failed')
        return all.slice(place)
      }
    }
    return []
  }

  async #writeOne({ event: counted, ...occurrences }: Waiting): Promise<void> {
    const { user, ...event } = counted
    const userId = typeof user === 'number' ? user : await user.find()
    if (userId === undefined) return
    const ip = await writeCountedEvent(this.#db, { ...event, userId }, occurrences)
    const isCrowded = event.isHostile && event.ip !== undefined && ip === null
    if (!isCrowded) return
    if (this.#crowded.size >= mostWaiting) this.#crowded.clear()
    this.#crowded.add(crowdOf(counted))
  }

  #tellLost(): void {
    const lost = [...this.#waiting.values()].reduce((sum, { times }) => sum + times, this.#dropped)
    if (lost > 0) this.#log.error({ lost }, 'events lost')
    this.#dropped = 0
    this.#waiting.clear()
  }
}

function crowdOf({ user, event, at, window }: UncountedEvent): string {
  const whose = typeof user === 'number' ? user : user.name
  return JSON.stringify([whose, event, Math.floor(at.getTime() / (window * 1000))])
}

function nameOf({ user, event, actor, staff, ip, facts, details, at, window }: UncountedEvent): string {
  const whose = typeof user === 'number' ? user : user.name
  const turn = Math.floor(at.getTime() / (window * 1000))
  return JSON.stringify([whose, event, actor, staff?.userId, ip, facts, details, turn])
}

function rest(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pause)
  })
}
