import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { UnknownPeer } from '@gatehouse/media/engine'
import type { MediaRooms } from '@gatehouse/media/media-rooms'
import type { Log } from '../platform/log.ts'
import type { Participant } from './participant.ts'

/** What a meeting needs of the media: which engine has it, and what becomes of it when that dies, is theirs. */
export type MeetingMedia = Pick<
  MediaRooms,
  'addRoom' | 'removeRoom' | 'addPeer' | 'removePeer' | 'setRights' | 'setMuted' | 'signal'
>

/**
 * The media of one meeting. What is told about somebody in a row is done in that order, so nobody waits here, save for
 * the room itself.
 */
export class MediaLink {
  readonly #media: MeetingMedia
  readonly #room: string
  readonly #log: Log

  constructor(media: MeetingMedia, room: string, log: Log) {
    this.#media = media
    this.#room = room
    this.#log = log
  }

  /** Opens the room. Throws EngineGone when there is no engine at all. */
  async open(): Promise<void> {
    await this.#media.addRoom(this.#room)
  }

  add(participant: Participant): void {
    this.#tell(this.#media.addPeer(participant.id, this.#room, { may: participant.sources }))
    for (const source of participant.muted) this.mute(participant, source, true)
  }

  remove(participant: Participant): void {
    this.#tell(this.#media.removePeer(participant.id))
  }

  /** The role has changed: what it does not allow any more ends at once. */
  allow(participant: Participant): void {
    this.#tell(this.#media.setRights(participant.id, participant.sources))
  }

  mute(participant: Participant, source: MediaSource, muted: boolean): void {
    this.#tell(this.#media.setMuted(participant.id, source, muted))
  }

  signal(participant: Participant, message: MediaClientMessage): void {
    this.#tell(this.#media.signal(participant.id, message))
  }

  close(): void {
    this.#tell(this.#media.removeRoom(this.#room))
  }

  #tell(told: Promise<void>): void {
    told.catch((error: unknown) => {
      // somebody who has just gone
      if (error instanceof UnknownPeer) return
      this.#log.warn({ err: error, meeting: this.#room }, 'sending a command to the media engine failed')
    })
  }
}
