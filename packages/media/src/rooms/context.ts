import type { EngineEvents } from '../engine.ts'
import type { Announced } from '../sdp/candidates.ts'

/** Shared by all rooms of an engine. */
export interface Context {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly emit: <E extends keyof EngineEvents>(event: E, detail: EngineEvents[E]) => void
  /** Logs something unexpected that affects no one else. */
  readonly warn: (text: string, error?: unknown) => void
  readonly transport: TransportOptions
  readonly traffic: Traffic
  readonly pace: Pace
}

export interface TransportOptions {
  /** Undefined for all addresses of the machine. */
  readonly bindAddress: string | undefined
  /** Shared by all connections. */
  readonly udpPort: number
  /** Addresses of the port announced to browsers. */
  readonly announced: readonly Announced[]
  /** Addresses announced for relays; if empty, the same as for all others. */
  readonly relayAnnounced: readonly Announced[]
  /** ICE passwords by ufrag, which the relay port needs; see `mendTieBreaker`. */
  readonly relayPasswords: Map<string, string>
}

/** Counters of an engine since its start. */
export interface Traffic {
  packetsIn: number
  packetsOut: number
  bytesOut: number
  /** Packets dropped because their stream was unknown or they were malformed. */
  refused: number
  /** Video packets dropped because the process couldn't keep up. */
  shed: number
}

/** Milliseconds of lag above which the process drops videos. */
const maxLag = 2000

/**
 * Detects whether the process keeps up: if packets arrive faster than they are sent, they delay all timers.
 */
export class Pace {
  #tickAt = Number.POSITIVE_INFINITY

  /** Called by a timer that fires every few milliseconds. */
  tick(now: number): void {
    this.#tickAt = now
  }

  isBehind(now: number): boolean {
    return now - this.#tickAt > maxLag
  }
}

/** The engine's own SSRC as a sender of RTCP. */
export const engineSsrc = 0x5f5f_5f01
