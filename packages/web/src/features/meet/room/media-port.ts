import type {
  IceServer,
  MediaClientMessage,
  MediaServerMessage,
} from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'

/** Something of somebody else that is received. */
export interface RemoteSource {
  readonly peer: string
  readonly source: MediaSource
  readonly track: MediaStreamTrack
  /** Its sender, or a moderator, has muted it. */
  readonly muted: boolean
  /** 0 is the smallest layer; null: nothing is sent at present. Undefined: not known yet. */
  readonly layer: number | null | undefined
  /** What holds the quality down. */
  readonly limit: 'none' | 'view' | 'bandwidth'
}

export type MediaState = 'idle' | 'connecting' | 'connected' | 'reconnecting'

/** What of the others is on the screen, in pixels of the device. */
export type Tiles = Extract<MediaClientMessage, { type: 'view' }>['tiles']

export interface MediaPortOptions {
  readonly transport: {
    send(message: MediaClientMessage): void
    on(listener: (message: MediaServerMessage) => void): () => void
  }
  readonly relays: () => readonly IceServer[]
  readonly onSources: (sources: readonly RemoteSource[]) => void
  readonly onState: (state: MediaState) => void
  /** A source of ours is no longer taken: the right to it is gone. Its track is to be stopped. */
  readonly onWithdrawn: (source: MediaSource) => void
  readonly onError: (error: unknown) => void
}

/** What the meeting needs of the media: the connections themselves are their own business. */
export interface MediaPort {
  readonly connections: { readonly send?: RTCPeerConnection; readonly receive?: RTCPeerConnection }
  readonly usesRelay: boolean
  /** Begins, or begins anew when the signalling has come back. */
  start(): void
  publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>): Promise<void>
  unpublish(source: MediaSource): Promise<void>
  mute(source: MediaSource, muted: boolean): void
  setView(tiles: Tiles): void
  close(): void
}

export type MakeMedia = (options: MediaPortOptions) => MediaPort
