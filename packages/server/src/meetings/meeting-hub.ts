import type { CloseReason } from '@gatehouse/contract/meetings/meet-rules'
import { EngineGone } from '@gatehouse/media/engine'
import type { MediaEngines } from '@gatehouse/media/media-engines'
import type { Pool } from 'pg'
import { after } from '../platform/clock.ts'
import { Meeting } from './meeting.ts'
import type { EndReason, MeetingParts } from './meeting-parts.ts'
import {
  claimableMeetings,
  claimMeeting,
  endMeeting,
  insertMeeting,
  openMeetingOf,
  readHost,
  readMeeting,
} from './meeting-store.ts'
import { HostWatch } from './signalling/host-watch.ts'
import { insertHost } from './signalling/peer-store.ts'

export interface HubParts extends Omit<MeetingParts, 'media'> {
  readonly sessions: Pool
  /** URL at which other processes reach this one. */
  readonly ownUrl: () => string
  readonly engines: Pick<MediaEngines, 'pool' | 'rooms'>
}

/** The room can't be opened because no media engine is available. */
export class NoEngine extends Error {
  override name = 'NoEngine'
}

/** Seconds that meetings survive without any engine, e.g. while the only one restarts. */
const engineSeconds = 15

/** Milliseconds between polls of the injected clock while this process holds meetings. */
const heartbeat = 200

/** Heartbeats between searches for meetings that no process holds. */
const beatsOfSearch = 25

/** Where the meeting of a token is held, or why it isn't. */
export type Place =
  | { readonly meeting: Meeting }
  | { readonly url: string }
  | { readonly reason: CloseReason }

/**
 * The meetings held by this process. Each meeting is held by exactly one process, recorded in the database; a
 * process is alive as long as its database connection is. The first process to be asked takes over meetings of
 * a dead one.
 */
export class MeetingHub {
  readonly #parts: HubParts
  readonly #meetings = new Map<string, Meeting>()
  readonly #claims = new Map<string, Promise<Meeting | undefined>>()
  readonly #watch: HostWatch
  readonly #ends: (() => void)[] = []
  #host: Promise<number> | undefined
  #timer: NodeJS.Timeout | undefined
  #beats = 0
  /** Since when no engine is available. */
  #idleSince: Date | undefined
  #isBeating = false
  #isStopped = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#watch = new HostWatch(parts.sessions, parts.log, {
      onNews: (id) => void this.#meetings.get(id)?.look().catch(this.#failed),
      onLost: () => this.#loseHost(),
    })
    const { rooms } = parts.engines
    this.#ends.push(
      rooms.on('toPeer', ({ peer, message }) => {
        const meeting = this.#meetingOf(peer)
        const participant = meeting?.people.get(peer)
        if (participant !== undefined) meeting?.sendMedia(participant, message)
      }),
      rooms.on('speakers', ({ room, speakers }) => this.#meetings.get(room)?.speakers(speakers)),
    )
  }

  /** Starts looking for meetings left by crashed processes. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#beat(), heartbeat)
  }

  get meetings(): readonly Meeting[] {
    return [...this.#meetings.values()]
  }

  /** Returns the meeting of a room and opens it if there is none. Throws NoEngine. */
  async open(roomId: number): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const { db, clock } = this.#parts
    const there = await openMeetingOf(db, roomId)
    if (there !== undefined) return { id: there.id, isNew: false }
    const hostId = await this.#ownHost()
    if (!this.#hasEngine()) throw new NoEngine('no media engine is available')
    const id = await insertMeeting(db, clock, { roomId, hostId })
    // two concurrent requests: one opens the meeting, the other one joins it
    if (id === undefined) return this.open(roomId)
    if ((await this.#hold(id)) === undefined) {
      await endMeeting(db, clock, id, 'engine-lost')
      throw new NoEngine('no media engine could open the room')
    }
    return { id, isNew: true }
  }

  /** Returns where a meeting is held, and takes it over if no process holds it. */
  async locate(meetingId: string): Promise<Place> {
    const here = this.#meetings.get(meetingId)
    if (here !== undefined) return { meeting: here }
    if (this.#isStopped) return { reason: 'restart' }
    const { db } = this.#parts
    const facts = await readMeeting(db, meetingId)
    if (facts === undefined) return { reason: 'gone' }
    if (facts.isOver) return { reason: reasonOf(facts.endReason) }
    const host = await readHost(db, meetingId)
    if (host !== undefined && host.id !== (await this.#hostIfAny())) return { url: host.url }
    const meeting = await this.#claim(meetingId)
    if (meeting !== undefined) return { meeting }
    const other = await readHost(db, meetingId)
    // already ours, but no engine to continue with yet: the browser retries
    if (other !== undefined && other.id === (await this.#hostIfAny())) return { reason: 'restart' }
    return other === undefined ? { reason: 'gone' } : { url: other.url }
  }

  /** Tells all participants to reconnect, and releases the meetings to other processes. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const end of this.#ends) end()
    for (const meeting of this.#meetings.values()) meeting.release()
    this.#meetings.clear()
    this.#watch.stop()
  }

  #ownHost(): Promise<number> {
    this.#host ??= this.#register().catch((error: unknown) => {
      this.#host = undefined
      throw error
    })
    return this.#host
  }

  async #hostIfAny(): Promise<number | undefined> {
    return this.#host === undefined ? undefined : this.#host.catch(() => undefined)
  }

  async #register(): Promise<number> {
    const { db, clock, ownUrl } = this.#parts
    const id = await insertHost(db, clock, ownUrl())
    await this.#watch.live(id)
    return id
  }

  /** Other processes may have taken the meetings over: this process and all participants start afresh. */
  #loseHost(): void {
    this.#host = undefined
    for (const meeting of this.#meetings.values()) meeting.release()
    this.#meetings.clear()
  }

  #claim(id: string): Promise<Meeting | undefined> {
    const going = this.#claims.get(id)
    if (going !== undefined) return going
    const claim = this.#take(id).finally(() => this.#claims.delete(id))
    this.#claims.set(id, claim)
    return claim
  }

  async #take(id: string): Promise<Meeting | undefined> {
    const hostId = await this.#ownHost()
    const held = this.#meetings.get(id)
    if (held !== undefined) return held
    const isOurs = await claimMeeting(this.#parts.db, id, hostId)
    return isOurs ? this.#hold(id) : undefined
  }

  /** Starts holding a meeting that the database assigns to this process. */
  async #hold(id: string): Promise<Meeting | undefined> {
    const facts = await readMeeting(this.#parts.db, id)
    if (facts === undefined || facts.isOver || this.#isStopped) return undefined
    const meeting = new Meeting({ ...this.#parts, media: this.#parts.engines.rooms }, facts)
    try {
      await meeting.load()
    } catch (error) {
      if (error instanceof EngineGone) return undefined
      throw error
    }
    meeting.onOver = (reason) => this.#letGo(meeting, reason)
    this.#meetings.set(id, meeting)
    this.start()
    // picks up what was written between reading and holding
    await meeting.look()
    return meeting.isOver ? undefined : meeting
  }

  #letGo(meeting: Meeting, reason: EndReason): void {
    this.#meetings.delete(meeting.id)
    this.#parts.log.info({ meeting: meeting.id, reason }, 'meeting ended')
  }

  #hasEngine(): boolean {
    return this.#parts.engines.pool.engines.some((engine) => engine.alive)
  }

  #meetingOf(peer: string): Meeting | undefined {
    for (const meeting of this.#meetings.values()) if (meeting.people.has(peer)) return meeting
    return undefined
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isStopped) return
    this.#isBeating = true
    try {
      const now = this.#parts.clock.now()
      for (const meeting of this.#meetings.values()) await meeting.beat(now)
      await this.#beatEngines(now)
      if (++this.#beats % beatsOfSearch === 0) await this.#adopt()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isBeating = false
    }
  }

  async #beatEngines(now: Date): Promise<void> {
    this.#idleSince = this.#hasEngine() ? undefined : (this.#idleSince ?? now)
    if (!this.#isIdle(now)) return
    for (const meeting of this.#meetings.values()) await meeting.end('engine-lost')
  }

  /** Returns whether no engine has been available for longer than a restart takes. */
  #isIdle(now: Date): boolean {
    return this.#idleSince !== undefined && now >= after(this.#idleSince, engineSeconds)
  }

  async #adopt(): Promise<void> {
    const { db, clock } = this.#parts
    for (const id of await claimableMeetings(db, await this.#hostIfAny())) {
      if (this.#isStopped || this.#meetings.has(id)) continue
      if (this.#hasEngine()) await this.#claim(id)
      else if (this.#isIdle(clock.now())) await endMeeting(db, clock, id, 'engine-lost')
    }
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#isStopped) this.#parts.log.error({ err: error }, 'meeting task failed')
  }
}

function reasonOf(endReason: string | null): CloseReason {
  return endReason === 'deleted' || endReason === 'ended' ? endReason : 'gone'
}
