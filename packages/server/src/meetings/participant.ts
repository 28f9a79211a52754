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

/** The socket of somebody in a meeting, as the meeting sees it. */
export interface Connection {
  send(message: Outgoing): void
  /** Says why, and ends. */
  close(reason: CloseReason): void
  /** The socket belongs to somebody from now on. */
  belongTo(participant: Participant): void
}

/** Somebody in a meeting. */
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
  /** What a moderator has muted. */
  readonly muted: Set<MediaSource>
  connection: Connection | undefined
  /** Since when the socket is broken. */
  lostAt: Date | undefined
  /** When the credentials of the relays were made. */
  relaysAt: Date | undefined
  /** Media messages to the browser and from it, over all its sockets; undefined: another process has counted them. */
  media: { sent: number; heard: number } | undefined
  /** What is left of connections to be built; undefined: none was. */
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

  /** The name is that of the account, and not what somebody says of himself. */
  get isVerified(): boolean {
    return this.ownName !== null && this.nickname === this.ownName
  }

  /** What may be sent by this role. */
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

/** A role with one bit more. Who may send is a publisher and no subscriber. */
export function withRole(role: number, bit: number): number {
  const more = role | bit
  return bit === meetRole.publisher ? more & ~meetRole.subscriber : more
}

/** A role without one bit; each bit is taken away, never put in by it. Who may not send is a subscriber. */
export function withoutRole(role: number, bit: number): number {
  const less = role & ~bit
  return bit === meetRole.publisher ? less | meetRole.subscriber : less
}
