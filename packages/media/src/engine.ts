import type {
  MediaClientMessage,
  MediaServerMessage,
  SourceOf,
  Speakers,
} from '@gatehouse/contract/meetings/meet-media'
import type { MediaKind, MediaSource } from '@gatehouse/contract/meetings/meet-sources'

/**
 * A media engine: one process that carries the media of whole rooms, as a child of the portal or on another
 * host. Calls about one peer are processed in order.
 *
 * An engine loses all state when its process ends (`closed`); its slot (`id`) then gets an engine with another
 * `run`. The portal selects a new engine for each room and sends `restart` to its browsers.
 */
export interface MediaEngine {
  /** Slot of this engine; a replacement process has the same. */
  readonly id: string
  /** Identifies this process. */
  readonly run: string
  /** Last reported load. */
  readonly load: EngineLoad
  /**
   * False once the process has ended or the connection to it is lost; every call then fails with `EngineGone`.
   */
  readonly alive: boolean

  /** Opens a room, or updates the options of an open one. */
  addRoom(room: string, options?: RoomOptions): Promise<void>
  /** Closes a room and all its peers; ignores unknown rooms. */
  removeRoom(room: string): Promise<void>
  /** Adds a peer to a room, or replaces an existing one. Throws `UnknownRoom`. */
  addPeer(peer: string, room: string, options: PeerOptions): Promise<void>
  /** Ignores unknown peers. */
  removePeer(peer: string): Promise<void>
  /**
   * Sets what the peer may send. A source that is no longer allowed stops immediately, and the peer gets
   * `withdrawn`.
   */
  setRights(peer: string, may: readonly MediaSource[]): Promise<void>
  /** Sets which sources the peer may get, subject to bandwidth and view. */
  setReceive(peer: string, receive: Receive): Promise<void>
  /** Mutes a source for everyone, regardless of the sender. Unmuting doesn't change the sender's own switch. */
  setMuted(peer: string, source: MediaSource, muted: boolean): Promise<void>
  /** Requests a keyframe from the sender. */
  requestKeyframe(peer: string, source: MediaSource): Promise<void>
  /** Handles a message of the peer's browser, validated against the contract. */
  signal(peer: string, message: MediaClientMessage): Promise<void>
  /** Returns undefined if the peer doesn't exist. */
  stats(peer: string): Promise<PeerStats | undefined>

  /** Returns a function to unsubscribe. */
  on<E extends keyof EngineEvents>(event: E, listener: (detail: EngineEvents[E]) => void): () => void
}

export interface RoomOptions {
  /** Maximum concurrent videos per peer. */
  readonly maxVideos?: number
  /** Maximum concurrent voices per peer; the loudest are selected. */
  readonly maxVoices?: number
}

export interface PeerOptions {
  readonly may: readonly MediaSource[]
  readonly receive?: Receive
}

/** For each kind, either all sources except some, or only some. Defaults to all. */
export type Receive = { readonly [K in MediaKind]?: ReceiveRule }

export type ReceiveRule = { readonly except: readonly SourceOf[] } | { readonly only: readonly SourceOf[] }

export interface EngineEvents {
  /** To forward to the peer's browser, in this order. */
  toPeer: { readonly peer: string; readonly message: MediaServerMessage }
  /** A peer's source can be received. */
  published: { readonly room: string; readonly peer: string; readonly source: MediaSource }
  unpublished: {
    readonly room: string
    readonly peer: string
    readonly source: MediaSource
    /** `gone`: its connection or peer has ended. */
    readonly reason: 'sender' | 'withdrawn' | 'gone'
  }
  muted: {
    readonly room: string
    readonly peer: string
    readonly source: MediaSource
    readonly muted: boolean
  }
  /** The active speakers have changed. */
  speakers: { readonly room: string; readonly speakers: Speakers }
  /** `failed`: the engine has told the browser to reconnect. */
  connection: {
    readonly room: string
    readonly peer: string
    readonly direction: 'send' | 'receive'
    readonly state: ConnectionState
  }
  load: EngineLoad
  /** Browsers of a previous process still send here: tell those assigned to this engine to reconnect. */
  strangers: { readonly packets: number }
  /** The process has ended or the connection to it is lost. No further events follow. */
  closed: { readonly reason: string }
}

export type ConnectionState = 'connecting' | 'connected' | 'failed' | 'closed'

export interface EngineLoad {
  readonly rooms: number
  readonly peers: number
  /** Packets sent in the last second. */
  readonly packetsOut: number
  /** Bit/s sent. */
  readonly bitsOut: number
  /** CPU usage in cores, 0 to 1 and above. */
  readonly cpu: number
  /** Event loop delay in milliseconds, 99th percentile. */
  readonly delay: number
  /** Bytes. */
  readonly memory: number
}

export interface PeerStats {
  readonly room: string
  readonly send: ConnectionState | null
  readonly receive: ConnectionState | null
  readonly relay: boolean
  /** Capacity of the receiving connection. */
  readonly downlink: {
    /** Acknowledged bit/s. */
    readonly acknowledged: number
    /** Queueing delay in milliseconds. */
    readonly queue: number
    /** Packet loss, 0 to 1. */
    readonly loss: number
  }
  readonly sources: readonly SourceStats[]
  readonly slots: readonly SlotStats[]
}

export interface SourceStats {
  readonly source: MediaSource
  readonly muted: boolean
  /** 0 (loud) to 127 (silent) in -dBov; null for video. */
  readonly level: number | null
  /** Smallest first. */
  readonly layers: readonly {
    readonly ssrc: number
    readonly bitrate: number
    readonly packets: number
    readonly bytes: number
    readonly lost: number
    readonly keyframeRequests: number
    readonly nacks: number
  }[]
}

export interface SlotStats {
  readonly mid: string
  readonly kind: MediaKind
  readonly peer: string | null
  readonly source: MediaSource | null
  readonly wanted: number | null
  readonly layer: number | null
  readonly packets: number
  readonly bytes: number
  readonly switches: number
  readonly resent: number
}

/** The engine's process has ended or the connection to it is lost; the room must be opened on another one. */
export class EngineGone extends Error {
  override name = 'EngineGone'
  readonly code = 'engine-gone'
}

export class UnknownRoom extends Error {
  override name = 'UnknownRoom'
  readonly code = 'unknown-room'
}

export class UnknownPeer extends Error {
  override name = 'UnknownPeer'
  readonly code = 'unknown-peer'
}
