import type {
  MediaClientMessage,
  MediaServerMessage,
  SourceOf,
  Speakers,
} from '@gatehouse/contract/meetings/meet-media'
import type { MediaKind, MediaSource } from '@gatehouse/contract/meetings/meet-sources'

/**
 * A media engine as the portal sees it: one process that carries the media of whole rooms, whether it is a child of
 * the portal or runs on another host. What it is told in a row about one peer it does in that order.
 *
 * An engine forgets everything when its process ends (`closed`); its place (`id`) then gets an engine with another
 * `run`. The portal picks an engine for each room anew and sends `restart` to its browsers.
 */
export interface MediaEngine {
  /** Place of this engine; a process that follows another one has the same. */
  readonly id: string
  /** This life of it. */
  readonly run: string
  /** As it was last reported. */
  readonly load: EngineLoad
  /** False once the process or the link to it is gone; every call then fails with `EngineGone`. */
  readonly alive: boolean

  /** Opens a room. Opening one that is open changes its options. */
  addRoom(room: string, options?: RoomOptions): Promise<void>
  /** Closes a room with all its peers; unknown rooms are fine. */
  removeRoom(room: string): Promise<void>
  /** Lets a peer into a room; one that is there already is replaced. Throws `UnknownRoom`. */
  addPeer(peer: string, room: string, options: PeerOptions): Promise<void>
  /** Unknown peers are fine. */
  removePeer(peer: string): Promise<void>
  /** What the peer may send from now on. What it sends without a right ends at once, with `withdrawn` to it. */
  setRights(peer: string, may: readonly MediaSource[]): Promise<void>
  /** Which sources the peer gets, beside what bandwidth and view leave of them. */
  setReceive(peer: string, receive: Receive): Promise<void>
  /** Mutes for everybody whatever the sender says; lifting it leaves the sender's own switch as it is. */
  setMuted(peer: string, source: MediaSource, muted: boolean): Promise<void>
  /** Asks the sender for a picture that others can begin with. */
  requestKeyframe(peer: string, source: MediaSource): Promise<void>
  /** A message of the peer's browser, checked against the contract. */
  signal(peer: string, message: MediaClientMessage): Promise<void>
  /** Undefined: there is no such peer. */
  stats(peer: string): Promise<PeerStats | undefined>

  /** Returns what ends the subscription. */
  on<E extends keyof EngineEvents>(event: E, listener: (detail: EngineEvents[E]) => void): () => void
}

export interface RoomOptions {
  /** Videos that a peer gets at most at a time. */
  readonly maxVideos?: number
  /** Voices that a peer gets at most at a time; the loudest ones. */
  readonly maxVoices?: number
}

export interface PeerOptions {
  readonly may: readonly MediaSource[]
  readonly receive?: Receive
}

/** For each kind either all sources but some or only some. Absent: all. */
export type Receive = { readonly [K in MediaKind]?: ReceiveRule }

export type ReceiveRule = { readonly except: readonly SourceOf[] } | { readonly only: readonly SourceOf[] }

export interface EngineEvents {
  /** To be carried to the peer's browser, in this order. */
  toPeer: { readonly peer: string; readonly message: MediaServerMessage }
  /** A source of a peer can be received. */
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
  /** Who is heard has changed. */
  speakers: { readonly room: string; readonly speakers: Speakers }
  /** `failed`: the engine has told the browser to begin anew. */
  connection: {
    readonly room: string
    readonly peer: string
    readonly direction: 'send' | 'receive'
    readonly state: ConnectionState
  }
  load: EngineLoad
  /** Browsers of a life before this one still send here: tell those that should be on this engine to begin anew. */
  strangers: { readonly packets: number }
  /** The process or the link to it is gone. Nothing follows. */
  closed: { readonly reason: string }
}

export type ConnectionState = 'connecting' | 'connected' | 'failed' | 'closed'

export interface EngineLoad {
  readonly rooms: number
  readonly peers: number
  /** Packets that went out in the last second. */
  readonly packetsOut: number
  /** bit/s that went out. */
  readonly bitsOut: number
  /** Share of a core, 0 to 1 and beyond. */
  readonly cpu: number
  /** Milliseconds of delay of the event loop, 99th percentile. */
  readonly delay: number
  /** Bytes. */
  readonly memory: number
}

export interface PeerStats {
  readonly room: string
  readonly send: ConnectionState | null
  readonly receive: ConnectionState | null
  readonly relay: boolean
  /** What the receiving connection lets through. */
  readonly downlink: {
    /** bit/s that were confirmed. */
    readonly acknowledged: number
    /** Milliseconds that packets wait in queues on the way. */
    readonly queue: number
    /** Share, 0 to 1. */
    readonly loss: number
  }
  readonly sources: readonly SourceStats[]
  readonly slots: readonly SlotStats[]
}

export interface SourceStats {
  readonly source: MediaSource
  readonly muted: boolean
  /** 0 (loud) to 127 (silent), -dBov; video: null. */
  readonly level: number | null
  /** The smallest first. */
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

/** The engine's process or the link to it has ended; the room is to be opened on another one. */
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
