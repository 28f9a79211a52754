import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { shutOut } from '../sign-in/mail-user.ts'
import { readMailUsers, sessionEndsSince } from '../sign-in/store.ts'
import { endStoreProcess, listStoreProcesses, type StoreProcess } from './store-processes.ts'

export interface OpenSessionsParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** A session, from when on it has certainly existed. */
interface SeenSession extends StoreProcess {
  readonly since: Date
}

/** Milliseconds between looks at the sessions. */
const interval = 1000
/** Seconds before the first look for which ends of sessions are made up for. */
const missed = hour

/**
 * Ends sessions with Cyrus on this host that are open when their user loses access, such as by suspension, or when
 * all sessions of the user end, such as after a password change. Mail servers ask only at sign-in, and programs stay
 * connected for days.
 */
export class OpenSessions {
  readonly #folder: string
  readonly #parts: OpenSessionsParts
  #seen: ReadonlyMap<number, SeenSession> = new Map()
  #lastLook: Date
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #work: Promise<unknown> = Promise.resolve()

  /** `folder`: where Cyrus writes which process serves whom. */
  constructor(folder: string, parts: OpenSessionsParts) {
    this.#folder = folder
    this.#parts = parts
    this.#lastLook = after(parts.clock.now(), -missed)
  }

  start(): void {
    this.#schedule(0)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#work
  }

  /** Looks at all sessions, and returns the users of those that were ended. */
  async endNow(): Promise<string[]> {
    const now = this.#parts.clock.now()
    const sessions = (await listStoreProcesses(this.#folder)).map(({ id, user }): SeenSession => {
      const before = this.#seen.get(id)
      return { id, user, since: before?.user === user ? before.since : this.#lastLook }
    })
    const ended = await this.#sessionsToEnd(sessions)
    for (const { id, user } of ended) {
      this.#parts.log.info({ user, process: id }, 'ending a session with the mail store')
      endStoreProcess(id)
    }
    this.#seen = new Map(sessions.map((session) => [session.id, session]))
    this.#lastLook = now
    return ended.map(({ user }) => user)
  }

  async #sessionsToEnd(sessions: readonly SeenSession[]): Promise<SeenSession[]> {
    if (sessions.length === 0) return []
    const { db } = this.#parts
    const addresses = [...new Set(sessions.map(({ user }) => user))]
    const users = new Map((await readMailUsers(db, addresses)).map((user) => [user.email, user]))
    const earliest = sessions.reduce((first, { since }) => (since < first ? since : first), this.#lastLook)
    const ends = await sessionEndsSince(db, addresses, earliest)
    return sessions.filter(({ id, user, since }) => {
      // the portal itself acts as users for some milliseconds, also for those who can't sign in
      if (this.#seen.get(id)?.user !== user) return false
      const known = users.get(user)
      const endedAt = ends.get(user)
      return (
        known === undefined || shutOut(known) !== undefined || (endedAt !== undefined && endedAt >= since)
      )
    })
  }

  #schedule(delay: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      const work = this.endNow()
      this.#work = work.catch(() => {})
      work
        .catch((error: unknown) => {
          this.#parts.log.error({ err: error }, 'open sessions with the mail store were not checked')
        })
        .finally(() => this.#schedule(interval))
    }, delay)
    this.#timer.unref()
  }
}
