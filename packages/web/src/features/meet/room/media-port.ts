import type {
  IceServer,
  MediaClientMessage,
  MediaServerMessage,
} from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'

/** A source received from another participant. */
export interface RemoteSource {
  readonly peer: string
  readonly source: MediaSource
  readonly track: MediaStreamTrack
  /** Muted by its sender or a moderator. */
  readonly muted: boolean
  /** 0 is the smallest layer; null: nothing is being sent. Undefined: not known yet. */
  readonly layer: number | null | undefined
  /** What limits the quality. */
  readonly limit: 'none' | 'view' | 'bandwidth'
}

export type MediaState = 'idle' | 'connecting' | 'connected' | 'reconnecting'

/** The visible tiles of other participants, in device pixels. */
export type Tiles = Extract<MediaClientMessage, { type: 'view' }>['tiles']

export interface MediaPortOptions {
  readonly transport: {
    send(message: MediaClientMessage): void
    on(listener: (message: MediaServerMessage) => void): () => void
  }
  readonly relays: () => readonly IceServer[]
  readonly onSources: (sources: readonly RemoteSource[]) => void
  readonly onState: (state: MediaState) => void
  /**
   * Called when a source of ours is no longer accepted, because the permission was revoked. Its track must be
   * stopped.
   */
  readonly onWithdrawn: (source: MediaSource) => void
  readonly onError: (error: unknown) => void
}

/** The meeting's interface to the media, which manage their own connections. */
export interface MediaPort {
  readonly connections: { readonly send?: RTCPeerConnection; readonly receive?: RTCPeerConnection }
  readonly usesRelay: boolean
  /** Starts, or restarts after the signalling has reconnected. */
  start(): void
  publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>): Promise<void>
  unpublish(source: MediaSource): Promise<void>
  mute(source: MediaSource, muted: boolean): void
  setView(tiles: Tiles): void
  close(): void
}

export type MakeMedia = (options: MediaPortOptions) => MediaPort
