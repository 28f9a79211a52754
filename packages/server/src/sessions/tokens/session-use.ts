import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { noteSessionUse } from './session-store.ts'

/** Seconds between updates of a session's last use. */
const noteEvery = 5 * minute

/**
 * Records when and where sessions were last used. Every request reports, so most only cost a memory lookup: a
 * session is written at most once in five minutes, batched with all others of the same event loop turn. Each
 * process has its own memory.
 */
export class SessionUse {
  readonly #db: Db
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  /** Sessions recorded since `#began`. */
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

  /** Records that a session is used from a network address; doesn't wait for the write. */
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

  /** Resolves once everything recorded is written. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    await this.#writing
  }

  /** Resets the memory every five minutes, so that sessions are recorded again. */
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
