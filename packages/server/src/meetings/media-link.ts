import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { UnknownPeer } from '@gatehouse/media/engine'
import type { MediaRooms } from '@gatehouse/media/media-rooms'
import type { Log } from '../platform/log.ts'
import type { Participant } from './participant.ts'

/** The media operations a meeting uses. Engine selection and failover happen behind this interface. */
export type MeetingMedia = Pick<
  MediaRooms,
  'addRoom' | 'removeRoom' | 'addPeer' | 'removePeer' | 'setRights' | 'setMuted' | 'signal'
>

/**
 * The media of one meeting. Operations on a participant run in order, so callers don't need to wait, except
 * for the room itself.
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

  /** Opens the room. Throws EngineGone if no engine is available. */
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

  /** Applies a changed role: whatever it no longer allows ends immediately. */
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
      // the participant has just left
      if (error instanceof UnknownPeer) return
      this.#log.warn({ err: error, meeting: this.#room }, 'sending a command to the media engine failed')
    })
  }
}
