import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import { TooManyRequests } from '../http/errors.ts'
import { type Guarded, type Target, targetsOf } from './limits.ts'
import { purgeThrottles, type Reservation, reserve, settle, type WorkOutcome } from './throttle-store.ts'
import { WaitingLine } from './waiting-line.ts'

/**
 * Milliseconds that a request waits for the outcome of guesses in progress, which may exhaust the allowance.
 */
const patience = 10_000

/** Maximum concurrent database requests per target, so that a flood leaves connections for everyone else. */
const mostAsking = 4

/**
 * Throttles guessing. Each request reserves a failure for all its targets, which is taken back if the work
 * succeeds: bursts can't bypass the limit, in any number of processes. Reservations of a crashed process stay
 * counted.
 */
export class Throttle {
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #onRefused: (kind: string) => void
  /** By target name. */
  readonly #lines = new Map<string, WaitingLine>()
  readonly #asking = new Map<string, number>()

  /** `onRefused` is called with the kind of guess for each request that has to wait. */
  constructor(pool: Pool, clock: Clock, onRefused: (kind: string) => void = () => {}) {
    this.#pool = pool
    this.#clock = clock
    this.#onRefused = onRefused
  }

  /**
   * Runs `attempt` unless it must wait (TooManyRequests). An error for which `isFailure` is true counts as a
   * failure; a return resets the account's counter.
   */
  async guard<T>(
    guarded: Guarded,
    isFailure: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const targets = targetsOf(guarded)
    await this.#admit(guarded.kind, targets)
    let result: T
    try {
      result = await attempt()
    } catch (error) {
      // a reservation that can't be settled counts as a failure; report the error of the work instead
      await this.#settle(targets, isFailure(error) ? 'failed' : 'returned').catch(() => {})
      throw error
    }
    await this.#settle(targets, 'succeeded')
    return result
  }

  /** Counts every use as a failure: for calls that send e-mail, where successes are what must be limited. */
  async spend(guarded: Guarded): Promise<void> {
    const targets = targetsOf(guarded)
    await this.#admit(guarded.kind, targets)
    await this.#settle(targets, 'failed')
  }

  /** Deletes expired counters. */
  async purge(): Promise<void> {
    await purgeThrottles(this.#pool, this.#clock.now())
  }

  async #admit(kind: string, targets: readonly Target[]): Promise<void> {
    try {
      await this.#reserve(targets)
    } catch (error) {
      if (error instanceof TooManyRequests) this.#onRefused(kind)
      throw error
    }
  }

  async #reserve(targets: readonly Target[]): Promise<void> {
    const deadline = performance.now() + patience
    const ask = () => reserve(this.#pool, targets, this.#clock.now())
    const crowded = targets.find((target) => this.#isCrowded(target))
    let reservation =
      crowded === undefined
        ? await this.#askAtOnce(targets, ask)
        : await this.#waitFor(crowded, ask, deadline)
    while (reservation !== 'late' && reservation.outcome === 'busy') {
      reservation = await this.#waitFor(reservation.target, ask, deadline)
    }
    if (reservation === 'late') throw new TooManyRequests(1)
    if (reservation.outcome === 'reserved') return
    const wait = reservation.until.getTime() - this.#clock.now().getTime()
    throw new TooManyRequests(Math.max(1, Math.ceil(wait / 1000)))
  }

  #isCrowded({ name }: Target): boolean {
    return this.#lines.has(name) || (this.#asking.get(name) ?? 0) >= mostAsking
  }

  async #askAtOnce(
    targets: readonly Target[],
    ask: () => Promise<Reservation>,
  ): Promise<Reservation | 'late'> {
    for (const { name } of targets) this.#asking.set(name, (this.#asking.get(name) ?? 0) + 1)
    try {
      return await ask()
    } finally {
      for (const { name } of targets) {
        const others = (this.#asking.get(name) ?? 1) - 1
        if (others === 0) this.#asking.delete(name)
        else this.#asking.set(name, others)
      }
      this.#advance(targets)
    }
  }

  #advance(targets: readonly Target[]): void {
    for (const { name } of targets) this.#lines.get(name)?.advance()
  }

  async #waitFor(
    target: Target,
    ask: () => Promise<Reservation>,
    deadline: number,
  ): Promise<Reservation | 'late'> {
    const { name } = target
    const line = this.#lines.get(name) ?? new WaitingLine(name)
    this.#lines.set(name, line)
    try {
      return await line.join(ask, deadline)
    } finally {
      if (line.isEmpty && this.#lines.get(name) === line) this.#lines.delete(name)
    }
  }

  async #settle(targets: readonly Target[], outcome: WorkOutcome): Promise<void> {
    await settle(this.#pool, targets, outcome, this.#clock.now())
    this.#advance(targets)
  }
}
