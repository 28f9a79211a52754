import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { noteSessionUse } from './session-store.ts'

/** Seconds between two notes of one session's last use. */
const noteEvery = 5 * minute

/**
 * Keeps when and where sessions were used last. Every request tells, so most of them cost a look into memory: a session
 * is written down once in five minutes, together with all others of the same turn of the event loop. Several processes
 * keep a memory each and write at most once each.
 */
export class SessionUse {
  readonly #db: Db
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  /** Sessions noted since `#began`. */
  #noted = new Set<string>()
  #began: Date
  #waiting = new Map<string, string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, clock: Clock, onError: (error: unknown) => void) {
    this.#db = db
    this.#clock = clock
    this.#onError = onError
    this.#began = clock.now()
  }

  /** Notes that a session is used from a network address; does not wait. */
  note(sessionId: string, ip: string): void {
    this.#turn()
    if (this.#noted.has(sessionId) || this.#waiting.has(sessionId)) return
    if (this.#waiting.size === 0) {
      setImmediate(() => {
        this.#writing = this.#writing.then(() => this.#write())
      })
    }
    this.#waiting.set(sessionId, ip)
  }

  /** Resolves when all that was noted is written. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    await this.#writing
  }

  /** Forgets after five minutes what was noted, so that it is noted again. */
  #turn(): void {
    const now = this.#clock.now()
    if (Math.abs(now.getTime() - this.#began.getTime()) < noteEvery * 1000) return
    this.#noted = new Set()
    this.#began = now
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    const now = this.#clock.now()
    for (const id of waiting.keys()) this.#noted.add(id)
    await noteSessionUse(this.#db, waiting, { now, notedSince: after(now, -noteEvery) }).catch(this.#onError)
  }
}
