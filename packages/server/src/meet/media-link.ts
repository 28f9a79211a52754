import type { MediaClientMessage } from '@gatehouse/contract/meet-media'
import type { MediaSource } from '@gatehouse/contract/meet-sources'
import type { MediaEngine } from '@gatehouse/media/engine'
import type { Log } from '../platform/log.ts'
import type { Participant } from './participant.ts'

/**
 * The media of one meeting: the engine that has it, and what that is told. An engine does what it is told about
 * somebody in that order, so nobody waits here; one that takes a meeting over is told everything.
 */
export class MediaLink {
  readonly #room: string
  readonly #log: Log
  #engine: MediaEngine | undefined

  constructor(room: string, log: Log) {
    this.#room = room
    this.#log = log
  }

  get engine(): MediaEngine | undefined {
    return this.#engine
  }

  /** Opens the room on an engine with everybody who is in it. Fails when the engine cannot. */
  async open(engine: MediaEngine, people: Iterable<Participant>): Promise<void> {
    await engine.addRoom(this.#room)
    for (const participant of people) await addTo(engine, this.#room, participant)
    this.#engine = engine
  }

  /** The engine is gone, or to be left. */
  detach(): void {
    this.#engine = undefined
  }

  add(participant: Participant): void {
    this.#tell((engine) => addTo(engine, this.#room, participant))
  }

  remove(participant: Participant): void {
    this.#tell((engine) => engine.removePeer(participant.id))
  }

  /** The role has changed: what it does not allow any more ends at once. */
  allow(participant: Participant): void {
    this.#tell((engine) => engine.setRights(participant.id, participant.sources))
  }

  mute(participant: Participant, source: MediaSource, muted: boolean): void {
    this.#tell((engine) => engine.setMuted(participant.id, source, muted))
  }

  signal(participant: Participant, message: MediaClientMessage): void {
    this.#tell((engine) => engine.signal(participant.id, message))
  }

  /** Closes the room on its engine. */
  close(): void {
    this.#tell((engine) => engine.removeRoom(this.#room))
  }

  #tell(act: (engine: MediaEngine) => Promise<void>): void {
    const engine = this.#engine
    if (engine === undefined) return
    // an engine that is gone is replaced, and a browser that it does not know begins anew
    act(engine).catch((error: unknown) => {
      this.#log.warn({ err: error, engine: engine.id, room: this.#room }, 'a media engine refused')
    })
  }
}

async function addTo(engine: MediaEngine, room: string, participant: Participant): Promise<void> {
  await engine.addPeer(participant.id, room, { may: participant.sources })
  for (const source of participant.muted) await engine.setMuted(participant.id, source, true)
}
