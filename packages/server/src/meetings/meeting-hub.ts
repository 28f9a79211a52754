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
  readonly pool: Pool
  /** Where other processes reach this one. */
  readonly ownUrl: () => string
  readonly engines: Pick<MediaEngines, 'pool' | 'rooms'>
}

/** The room cannot be opened: no media engine is there. */
export class NoEngine extends Error {
  override name = 'NoEngine'
}

/** Seconds that meetings go on without any engine, as when the only one starts anew. */
const engineSeconds = 15

/** Milliseconds between two looks at the injected clock while meetings are held here. */
const heartbeat = 200

/** So many looks between two searches for meetings that nobody holds. */
const beatsOfSearch = 25

/** Where the meeting of a token is, or why it is nowhere. */
export type Place =
  | { readonly meeting: Meeting }
  | { readonly url: string }
  | { readonly reason: CloseReason }

/**
 * The meetings that this process holds. Each meeting is held by exactly one process, written down with it; a process
 * is alive as long as its connection to the database is. Meetings of dead ones are taken by whoever is asked first.
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
  /** Since when there is no engine. */
  #idleSince: Date | undefined
  #isBeating = false
  #isStopped = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#watch = new HostWatch(parts.pool, parts.log, {
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

  /** Looks for meetings that a process which died has left, from now on. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#beat(), heartbeat)
  }

  get meetings(): readonly Meeting[] {
    return [...this.#meetings.values()]
  }

  /** The meeting of a room; opened, when there is none. Throws NoEngine. */
  async open(roomId: number): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const { db, clock } = this.#parts
    const there = await openMeetingOf(db, roomId)
    if (there !== undefined) return { id: there.id, isNew: false }
    const hostId = await this.#ownHost()
    if (!this.#hasEngine()) throw new NoEngine('no media engine is available')
    const id = await insertMeeting(db, clock, { roomId, hostId })
    // two who open at once: one opens, the other one comes in
    if (id === undefined) return this.open(roomId)
    if ((await this.#hold(id)) === undefined) {
      await endMeeting(db, clock, id, 'engine-lost')
      throw new NoEngine('no media engine could open the room')
    }
    return { id, isNew: true }
  }

  /** Where a meeting is held; one that nobody holds is taken. */
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
    // ours by now, and no engine to go on with yet: the browser comes again
    if (other !== undefined && other.id === (await this.#hostIfAny())) return { reason: 'restart' }
    return other === undefined ? { reason: 'gone' } : { url: other.url }
  }

  /** Tells everybody to come back, and lets other processes have the meetings. */
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

  /** Others may have taken the meetings by now: this process begins anew, and so does everybody in them. */
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

  /** Takes up a meeting that is this process's in the database. */
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
    // what was written between reading and holding
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

  /** There has been no engine for longer than one needs to start anew. */
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
