import { type Kysely, sql } from 'kysely'
import { after, type Clock, day, hour, minute } from '../clock.ts'
import type { Schema } from '../db/schema.ts'
import { TooManyRequests } from '../http/errors.ts'
import { sha256 } from '../secrets.ts'

/** How many failures are forgiven, and how the wait grows after that. */
export interface ThrottleRule {
  readonly kind: string
  /** Failures without any wait. */
  readonly free: number
  /** Seconds after the first failure too many; doubled by each further one. */
  readonly firstWait: number
  /** Longest wait in seconds. */
  readonly longestWait: number
}

/** Against guessing at one account, one code or one voucher. */
export const perSubject = (kind: string): ThrottleRule => ({
  kind,
  free: 5,
  firstWait: 2,
  longestWait: 15 * minute,
})

/** Against guessing from one network address, where many people may sit behind one router. */
export const perAddress = (kind: string): ThrottleRule => ({
  kind: `${kind}:address`,
  free: 50,
  firstWait: 2,
  longestWait: hour,
})

/** Failures are forgotten after a day without another one. */
const memory = day

interface Target {
  readonly rule: ThrottleRule
  readonly subject: string
}

/**
 * Slows down guessing. Only failures count. Guesses at the same subject that arrive at once wait for each
 * other, a few at a time, so that a burst cannot outrun the count.
 */
export class Throttle {
  readonly #db: Kysely<Schema>
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()

  constructor(db: Kysely<Schema>, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Runs `attempt` unless one of the subjects must wait (TooManyRequests). When it throws an error for which
   * `isFailure` is true, the failure counts; when it returns, the first target's count starts again.
   */
  async guard<T>(
    targets: readonly [Target, ...Target[]],
    isFailure: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    return this.#inLane(targets[0], targets[0].rule.free, async () => {
      try {
        const failures = await this.#check(targets)
        const result = await attempt()
        if (failures > 0) await this.#forget(targets[0])
        return result
      } catch (error) {
        if (isFailure(error)) await this.#count(targets)
        throw error
      }
    })
  }

  /** Counts every use as a failure: for calls that send mail, where success is what floods. */
  async spend(targets: readonly [Target, ...Target[]]): Promise<void> {
    await this.#inLane(targets[0], 1, async () => {
      await this.#check(targets)
      await this.#count(targets)
    })
  }

  async purge(): Promise<void> {
    await this.#db
      .deleteFrom('throttles')
      .where('updated_at', '<', after(this.#clock.now(), -memory))
      .execute()
  }

  /** Runs at most `width` acts on the same subject at once. */
  async #inLane<T>(target: Target, width: number, act: () => Promise<T>): Promise<T> {
    const name = `${target.rule.kind} ${target.subject}`
    const lane = this.#lanes.get(name) ?? new Lane(width)
    this.#lanes.set(name, lane)
    await lane.enter()
    try {
      return await act()
    } finally {
      lane.leave()
      if (lane.isEmpty) this.#lanes.delete(name)
    }
  }

  /** Failures of the first target so far; throws when any target must wait. */
  async #check(targets: readonly [Target, ...Target[]]): Promise<number> {
    const now = this.#clock.now()
    const rows = await this.#db
      .selectFrom('throttles')
      .select(['kind', 'failures', 'blocked_until'])
      .where((where) =>
        where.or(
          targets.map(({ rule, subject }) => where.and({ kind: rule.kind, subject: sha256(subject) })),
        ),
      )
      .execute()
    const waits = rows.map((row) => (row.blocked_until?.getTime() ?? 0) - now.getTime())
    const longest = Math.max(0, ...waits)
    if (longest > 0) throw new TooManyRequests(Math.ceil(longest / 1000))
    return rows.find((row) => row.kind === targets[0].rule.kind)?.failures ?? 0
  }

  async #count(targets: readonly Target[]): Promise<void> {
    for (const { rule, subject } of targets) {
      const now = this.#clock.now()
      const fresh = sql<boolean>`throttles.updated_at < ${after(now, -memory)}`
      const failures = sql<number>`case when ${fresh} then 1 else throttles.failures + 1 end`
      // doubling is capped at 2^20 so that no interval overflows
      const wait = sql<Date>`case when ${failures} > ${rule.free}::int then ${now}::timestamptz
        + least(${rule.firstWait}::float * power(2, least(${failures} - ${rule.free}::int - 1, 20)),
          ${rule.longestWait}::float) * interval '1 second' end`
      await this.#db
        .insertInto('throttles')
        .values({
          kind: rule.kind,
          subject: sha256(subject),
          failures: 1,
          blocked_until: null,
          updated_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'subject'])
            .doUpdateSet({ failures, blocked_until: wait, updated_at: now }),
        )
        .execute()
    }
  }

  async #forget({ rule, subject }: Target): Promise<void> {
    await this.#db
      .deleteFrom('throttles')
      .where('kind', '=', rule.kind)
      .where('subject', '=', sha256(subject))
      .execute()
  }
}

/** Lets a few through at a time, the rest in the order of arrival. */
class Lane {
  #free: number
  readonly #size: number
  readonly #waiting: (() => void)[] = []

  constructor(size: number) {
    this.#free = size
    this.#size = size
  }

  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((go) => this.#waiting.push(go))
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }

  get isEmpty(): boolean {
    return this.#free === this.#size
  }
}
