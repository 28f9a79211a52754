import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { commitHeld } from '../../platform/db/held-transaction.ts'
import type { Log } from '../../platform/log.ts'
import { listenForCompanions } from './companion-store.ts'

/** Why a waiting caller woke up: a change, the deadline, a hang-up, or server shutdown. */
export type Called = 'changed' | 'late' | 'given-up' | 'stopped'

/** A subscription to changes of one user's devices and sign-ins. Dispose it to unsubscribe. */
export interface Following extends Disposable {
  /**
   * Resolves at the first change since the last call, or at `until` by the injected clock. Changes between two
   * calls are not lost.
   */
  called(until: Date): Promise<Called>
  /** Cancels the wait: this call and all later ones resolve with `given-up`. */
  giveUp(): void
}

/** Milliseconds between checks of the clock while callers wait; runs no query. */
const heartbeat = 200
/** Milliseconds before reconnecting after a lost connection. */
const pause = 1000

interface Follower {
  readonly userId: number
  isStale: boolean
  isGivenUp: boolean
  until: Date
  call: ((why: Called) => void) | undefined
}

/** A listening connection. It is ended only once, whether by this side or by the database. */
class Listening {
  readonly #client: PoolClient
  #isOver = false

  constructor(client: PoolClient, onLost: () => void) {
    this.#client = client
    // stays registered for the life of the connection: an unhandled error event ends the process
    client.on('error', () => this.end() && onLost())
  }

  /** Releases the connection; returns false if it was already released. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#client.release(true)
    return true
  }
}

/**
 * Notifies of changes to companion devices and pending sign-ins made in any process (LISTEN). One connection
 * serves all waiting callers, which hold none while waiting.
 */
export class CompanionWatch {
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #log: Log
  readonly #followers = new Set<Follower>()
  #connection: Promise<Listening | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(pool: Pool, clock: Clock, log: Log) {
    this.#pool = pool
    this.#clock = clock
    this.#log = log
  }

  /** Subscribes to a user's changes. Data read after this is at least as new as the first notification. */
  async follow(userId: number): Promise<Following> {
    await commitHeld()
    const follower: Follower = {
      userId,
      isStale: false,
      isGivenUp: false,
      until: this.#clock.now(),
      call: undefined,
    }
    this.#followers.add(follower)
    this.#timer ??= setInterval(() => this.#beat(), heartbeat)
    await this.#connect()
    return {
      called: (until) => this.#wait(follower, until),
      giveUp: () => {
        follower.isGivenUp = true
        follower.call?.('given-up')
      },
      [Symbol.dispose]: () => this.#leave(follower),
    }
  }

  /** Cancels all waits and releases the connection. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const follower of this.#followers) follower.call?.('stopped')
    const listening = await this.#connection
    this.#connection = undefined
    listening?.end()
  }

  #wait(follower: Follower, until: Date): Promise<Called> {
    if (this.#isStopped) return Promise.resolve('stopped')
    if (follower.isGivenUp) return Promise.resolve('given-up')
    if (follower.isStale) {
      follower.isStale = false
      return Promise.resolve('changed')
    }
    return new Promise((resolve) => {
      follower.until = until
      follower.call = (why) => {
        follower.call = undefined
        resolve(why)
      }
    })
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Polls the clock instead of setting timers, because the injected clock may jump. */
  #beat(): void {
    const now = this.#clock.now()
    for (const follower of this.#followers) if (now >= follower.until) follower.call?.('late')
  }

  #tell(of: (follower: Follower) => boolean): void {
    for (const follower of this.#followers) {
      if (!of(follower)) continue
      if (follower.call === undefined) follower.isStale = true
      else follower.call('changed')
    }
  }

  async #connect(): Promise<void> {
    if (this.#isStopped) return
    this.#connection ??= this.#listen()
    await this.#connection
  }

  /** Without a connection, every reconnection attempt wakes all callers, so that no change is missed. */
  async #listen(): Promise<Listening | undefined> {
    let listening: Listening | undefined
    try {
      const client = await this.#pool.connect()
      listening = new Listening(client, () => this.#reconnect())
      client.on('notification', ({ payload }) => this.#tell(({ userId }) => String(userId) === payload))
      await listenForCompanions(client)
      return listening
    } catch (error) {
      this.#log.warn({ err: error }, 'confirmed sign-ins are not reported until the database responds again')
      if (listening === undefined || listening.end()) this.#reconnect()
      return undefined
    }
  }

  #reconnect(): void {
    this.#connection = undefined
    const again = setTimeout(() => {
      this.#tell(() => true)
      if (this.#followers.size > 0) void this.#connect()
    }, pause)
    again.unref()
  }
}
