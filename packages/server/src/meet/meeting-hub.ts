import type { CloseReason } from '@gatehouse/contract/meet-rules'
import type { MediaEngine } from '@gatehouse/media/engine'
import type { Pool } from 'pg'
import { type Engines, NoEngine } from './engines.ts'
import { HostWatch } from './host-watch.ts'
import { type EndReason, Meeting, type MeetingParts } from './meeting.ts'
import {
  claimMeeting,
  endMeeting,
  insertMeeting,
  openMeetingOf,
  orphanedMeetings,
  readHost,
  readMeeting,
} from './meeting-store.ts'
import type { Participant } from './participant.ts'
import { insertHost } from './peer-store.ts'

export interface HubParts extends MeetingParts {
  readonly pool: Pool
  /** Where other processes reach this one. */
  readonly ownUrl: () => string
  readonly engines: Engines
}

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
  readonly #unfollow = new Map<MediaEngine, () => void>()
  readonly #searching = new Set<Meeting>()
  #host: Promise<number> | undefined
  #timer: NodeJS.Timeout | undefined
  #beats = 0
  #isBeating = false
  #isStopped = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#watch = new HostWatch(parts.pool, parts.log, {
      onNews: (id) => void this.#meetings.get(id)?.look().catch(this.#failed),
      onLost: () => this.#loseHost(),
    })
    for (const engine of parts.engines.all) this.#follow(engine)
    this.#ends.push(
      parts.engines.onArrived((engine) => {
        this.#follow(engine)
        for (const meeting of this.#meetings.values()) void this.#findEngine(meeting)
      }),
      parts.engines.onGone((engine) => this.#leaveEngine(engine)),
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
    const engine = this.#pickEngine()
    const id = await insertMeeting(db, clock, { roomId, hostId, engine: engine.id })
    // two who open at once: one opens, the other one comes in
    if (id === undefined) return this.open(roomId)
    const meeting = await this.#hold(id)
    if (meeting?.media.engine === undefined) {
      await meeting?.end('engine-lost')
      if (meeting === undefined) await endMeeting(db, clock, id, 'engine-lost')
      throw new NoEngine('the media engine could not open the room')
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
    return other === undefined ? { reason: 'gone' } : { url: other.url }
  }

  /** Tells everybody to come back, and lets other processes have the meetings. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const end of this.#ends) end()
    for (const end of this.#unfollow.values()) end()
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
    const meeting = new Meeting(this.#parts, facts)
    await meeting.load()
    meeting.onOver = (reason) => this.#letGo(meeting, reason)
    this.#meetings.set(id, meeting)
    this.start()
    await this.#findEngine(meeting)
    // what was written between reading and holding
    await meeting.look()
    return meeting.isOver ? undefined : meeting
  }

  #letGo(meeting: Meeting, reason: EndReason): void {
    this.#meetings.delete(meeting.id)
    this.#parts.log.info({ meeting: meeting.id, reason }, 'meeting over')
  }

  #pickEngine(): MediaEngine {
    const meetings = this.meetings
    return this.#parts.engines.pick(
      (engine) => meetings.filter((meeting) => meeting.media.engine === engine).length,
    )
  }

  /** Gives a meeting an engine if it has none; while there is none to give it waits for one to come. */
  async #findEngine(meeting: Meeting): Promise<void> {
    if (meeting.media.engine !== undefined || meeting.isOver || this.#searching.has(meeting)) return
    this.#searching.add(meeting)
    try {
      await meeting.moveTo(this.#pickEngine())
    } catch (error) {
      if (!(error instanceof NoEngine)) this.#failed(error)
      if (meeting.media.engine === undefined && !meeting.isOver) meeting.loseEngine()
    } finally {
      this.#searching.delete(meeting)
    }
  }

  #follow(engine: MediaEngine): void {
    const ends = [
      engine.on('toPeer', ({ peer, message }) => {
        this.#participant(peer)?.connection?.send({ media: message })
      }),
      engine.on('speakers', ({ room, speakers }) => this.#meetings.get(room)?.speakers(speakers)),
    ]
    this.#unfollow.set(engine, () => {
      for (const end of ends) end()
    })
  }

  #leaveEngine(engine: MediaEngine): void {
    this.#unfollow.get(engine)?.()
    this.#unfollow.delete(engine)
    for (const meeting of this.#meetings.values()) {
      if (meeting.media.engine !== engine) continue
      meeting.loseEngine()
      void this.#findEngine(meeting)
    }
  }

  #participant(id: string): Participant | undefined {
    for (const meeting of this.#meetings.values()) {
      const participant = meeting.people.get(id)
      if (participant !== undefined) return participant
    }
    return undefined
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isStopped) return
    this.#isBeating = true
    try {
      const now = this.#parts.clock.now()
      for (const meeting of this.#meetings.values()) {
        void this.#findEngine(meeting)
        await meeting.beat(now)
      }
      if (++this.#beats % beatsOfSearch === 0) await this.#adopt()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isBeating = false
    }
  }

  async #adopt(): Promise<void> {
    for (const id of await orphanedMeetings(this.#parts.db)) {
      if (!this.#isStopped) await this.#claim(id)
    }
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#isStopped) this.#parts.log.error({ err: error }, 'work on a meeting failed')
  }
}

function reasonOf(endReason: string | null): CloseReason {
  return endReason === 'deleted' || endReason === 'ended' ? endReason : 'gone'
}
