import type { CloseReason } from '@gatehouse/contract/meetings/meet-rules'
import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import type { StoredPeer } from './signalling/peer-store.ts'
import type { Allowance } from './signalling/rate.ts'

/** A message to a browser. */
export type Outgoing =
  | { readonly method: string; readonly data: unknown }
  | { readonly media: unknown }
  | { readonly id: number; readonly ok: true; readonly data: unknown }

/** A participant's socket as used by the meeting. */
export interface Connection {
  send(message: Outgoing): void
  /** Sends the reason and closes. */
  close(reason: CloseReason): void
  /** Associates the socket with a participant. */
  belongTo(participant: Participant): void
}

/** A participant of a meeting. */
export class Participant {
  readonly id: string
  readonly userId: number | null
  readonly requestId: string | null
  readonly address: string
  readonly ownName: string | null
  nickname: string
  role: number
  language: string | null
  raisedAt: Date | null
  /** Sources muted by a moderator. */
  readonly muted: Set<MediaSource>
  connection: Connection | undefined
  /** Since when the socket has been disconnected. */
  lostAt: Date | undefined
  /** When the TURN credentials were issued. */
  relaysAt: Date | undefined
  /** Counters of media messages sent and received, over all sockets; undefined: counted by another process. */
  media: { sent: number; heard: number } | undefined
  /** Remaining allowance for building connections; undefined: none used yet. */
  building: Allowance | undefined

  constructor(stored: StoredPeer) {
    this.id = stored.id
    this.userId = stored.userId
    this.requestId = stored.requestId
    this.address = stored.address
    this.ownName = stored.ownName
    this.nickname = stored.nickname
    this.role = stored.role
    this.language = stored.language
    this.raisedAt = stored.raisedAt
    this.muted = new Set(stored.muted)
  }

  get isModerator(): boolean {
    return (this.role & meetRole.moderator) !== 0
  }

  get isOwner(): boolean {
    return (this.role & meetRole.owner) !== 0
  }

  get isPublisher(): boolean {
    return (this.role & meetRole.publisher) !== 0
  }

  /** Whether the name comes from the account rather than from the participant. */
  get isVerified(): boolean {
    return this.ownName !== null && this.nickname === this.ownName
  }

  /** Sources this role may publish. */
  get sources(): readonly MediaSource[] {
    return this.isPublisher ? mediaSources : []
  }

  get info(): PeerInfo {
    return {
      id: this.id,
      nickname: this.nickname,
      isVerified: this.isVerified,
      role: this.role,
      language: this.language,
      raisedHand: this.raisedAt !== null,
      raisedAt: this.raisedAt?.toISOString() ?? null,
      isConnected: this.connection !== undefined,
    }
  }
}

/** Adds one bit to a role. Publishers are not subscribers. */
export function withRole(role: number, bit: number): number {
  const more = role | bit
  return bit === meetRole.publisher ? more & ~meetRole.subscriber : more
}

/** Removes one bit from a role, never adds it. Non-publishers are subscribers. */
export function withoutRole(role: number, bit: number): number {
  const less = role & ~bit
  return bit === meetRole.publisher ? less | meetRole.subscriber : less
}
