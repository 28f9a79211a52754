import type { Knock } from '@gatehouse/contract/meetings/meet-signalling'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { decisionsOf, forgetKnocks, pendingKnocks } from './knock-store.ts'

/** Seconds between checks for knocks of disconnected browsers. */
const lookSeconds = 10

/** Changes at a meeting's door since the last poll. */
export interface DoorNews {
  readonly begun: readonly Knock[]
  readonly ended: readonly { requestId: string; outcome: 'accepted' | 'denied' | 'gone' }[]
}

/** The waiting knocks of a meeting, cached in its process. The database is authoritative. */
export class WaitingList {
  readonly #db: Db
  readonly #clock: Clock
  readonly #meetingId: string
  #knocks = new Map<string, Knock>()
  #lookedAt: Date

  constructor(db: Db, clock: Clock, meetingId: string) {
    this.#db = db
    this.#clock = clock
    this.#meetingId = meetingId
    this.#lookedAt = clock.now()
  }

  get size(): number {
    return this.#knocks.size
  }

  /** Oldest first. */
  get list(): Knock[] {
    return [...this.#knocks.values()]
  }

  /** Reads the knocks and returns what has changed. */
  async read(): Promise<DoorNews> {
    const pending = await pendingKnocks(this.#db, this.#meetingId)
    const before = this.#knocks
    const now = new Map(pending.map((knock) => [knock.requestId, knock]))
    const ended = [...before.keys()].filter((requestId) => !now.has(requestId))
    const decisions = await decisionsOf(this.#db, this.#meetingId, ended)
    this.#knocks = now
    return {
      begun: pending.filter((knock) => before.get(knock.requestId)?.knockedAt !== knock.knockedAt),
      ended: ended.map((requestId) => {
        const decision = decisions.get(requestId)
        const outcome = decision === 'accepted' || decision === 'denied' ? decision : 'gone'
        return { requestId, outcome }
      }),
    }
  }

  /** Periodically deletes knocks of browsers that stopped polling; the next read reports them. */
  async beat(now: Date): Promise<void> {
    if (this.#knocks.size === 0 || now < after(this.#lookedAt, lookSeconds)) return
    this.#lookedAt = now
    await forgetKnocks(this.#db, this.#clock, this.#meetingId)
  }
}
