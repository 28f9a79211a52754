import type { Knock } from '@gatehouse/contract/meetings/meet-signalling'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { decisionsOf, forgetKnocks, pendingKnocks } from './knock-store.ts'

/** Seconds between two looks for knocks of browsers that are gone. */
const lookSeconds = 10

/** What has changed at the door of a meeting since the last look. */
export interface DoorNews {
  readonly begun: readonly Knock[]
  readonly ended: readonly { requestId: string; outcome: 'accepted' | 'denied' | 'gone' }[]
}

/** Who knocks at one meeting, as the process that holds it knows; the database has what is true. */
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

  /** In the order of their coming. */
  get list(): Knock[] {
    return [...this.#knocks.values()]
  }

  /** Reads who knocks; what is new since the last time. */
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

  /** Forgets, now and then, those whose browsers do not ask any more; the next look tells. */
  async beat(now: Date): Promise<void> {
    if (this.#knocks.size === 0 || now < after(this.#lookedAt, lookSeconds)) return
    this.#lookedAt = now
    await forgetKnocks(this.#db, this.#clock, this.#meetingId)
  }
}
