import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { commitHeld } from '../../platform/db/held-transaction.ts'
import type { Log } from '../../platform/log.ts'
import { listenForCompanions } from './companion-store.ts'

/** Why somebody who followed a user was called: news, the time was over, the caller has gone, or the server stops. */
export type Called = 'changed' | 'late' | 'given-up' | 'stopped'

/** Somebody who follows what happens to one user's devices and sign-ins. Dispose it to let go. */
export interface Following extends Disposable {
  /**
   * Resolves at the first change since the last call, or at `until` by the injected clock. News that came between
   * two calls are not lost.
   */
  called(until: Date): Promise<Called>
  /** Ends the waiting from outside: this call and all later ones resolve with `given-up`. */
  giveUp(): void
}

/** Milliseconds between two looks at the clock while somebody waits; no statement is made for that. */
const heartbeat = 200
/** Milliseconds until a lost connection is tried again. */
const pause = 1000

interface Follower {
  readonly userId: number
  isStale: boolean
  isGivenUp: boolean
  until: Date
  call: ((why: Called) => void) | undefined
}

/** A connection that listens. Whoever ends it first, this side or the database, ends it once. */
class Listening {
  readonly #client: PoolClient
  #isOver = false

  constructor(client: PoolClient, onLost: () => void) {
    this.#client = client
    // stays for as long as the connection is there: an error that nobody hears ends the process
    client.on('error', () => this.end() && onLost())
  }

  /** Lets go of the connection; false when that was done. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#client.release(true)
    return true
  }
}

/**
 * Hears of every change of companion devices and of sign-ins that wait for them, in whichever process it happens
 * (LISTEN). One connection serves everybody who waits here, and nobody holds one while waiting.
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

  /** Follows a user from now on: what is read after this is not older than the first call. */
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

  /** Ends all waiting and lets go of the connection. */
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

  /** The clock is looked at rather than timers set: it is the injected one, which may jump. */
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

  /** Without a connection everybody looks again each time that one is tried, so nobody waits for nothing. */
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
