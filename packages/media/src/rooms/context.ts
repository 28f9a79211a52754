import type { EngineEvents } from '../engine.ts'
import type { Announced } from '../sdp/candidates.ts'

/** What all rooms of an engine share. */
export interface Context {
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  readonly emit: <E extends keyof EngineEvents>(event: E, detail: EngineEvents[E]) => void
  /** Something that should not happen and harms nobody else. */
  readonly warn: (text: string, error?: unknown) => void
  readonly transport: TransportOptions
  readonly traffic: Traffic
  readonly pace: Pace
}

export interface TransportOptions {
  /** Undefined: all addresses of the machine. */
  readonly bindAddress: string | undefined
  /** One for all connections. */
  readonly udpPort: number
  /** Where browsers find the port. */
  readonly announced: readonly Announced[]
  /** Where relays find it; empty: as everybody. */
  readonly relayAnnounced: readonly Announced[]
  /** The relay's way in needs the ICE password of each connection; see `mendTieBreaker`. */
  readonly relayPasswords: Map<string, string>
}

/** Counters of an engine, from its start. */
export interface Traffic {
  packetsIn: number
  packetsOut: number
  bytesOut: number
  /** Packets that were dropped since nothing was known of their stream, or they were malformed. */
  refused: number
  /** Packets of videos that were dropped since the process could not keep up. */
  shed: number
}

/** Milliseconds that the process may be behind before it leaves videos out. */
const maxLag = 2000

/** Whether the process keeps up: packets that come faster than they go wait in its queue, before all else. */
export class Pace {
  #tickAt = Number.POSITIVE_INFINITY

  /** A timer of some milliseconds has had its turn. */
  tick(now: number): void {
    this.#tickAt = now
  }

  isBehind(now: number): boolean {
    return now - this.#tickAt > maxLag
  }
}

/** Our own name as a sender of RTCP. */
export const engineSsrc = 0x5f5f_5f01
