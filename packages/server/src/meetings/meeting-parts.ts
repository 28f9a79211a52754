import type { IceServer } from '@gatehouse/contract/meetings/meet-media'
import type { CloseReason } from '@gatehouse/contract/meetings/meet-rules'
import { relayCredentials } from '@gatehouse/media/relay/turn-credentials'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { MeetingClaims, MeetingTokens } from './door/meeting-token.ts'
import type { MeetingMedia } from './media-link.ts'
import type { MeetSettings } from './meet-settings.ts'

export interface MeetingParts {
  readonly config: MeetSettings
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly tokens: MeetingTokens
  readonly media: MeetingMedia
}

/** Why a meeting ends for everybody. */
export type EndReason = Extract<CloseReason, 'ended' | 'deleted' | 'engine-lost'> | 'empty'

/** Who comes, and how many media messages his browser has had. */
export interface Entrance {
  readonly claims: MeetingClaims
  readonly seen: number | undefined
}

/** Relays for the connections of one participant, with credentials that end. */
export function relaysFor(config: MeetSettings, peerId: string, now: Date): IceServer[] {
  const { MEET_TURN_URLS: urls, MEET_TURN_SECRET: secret } = config
  return urls.length === 0 || secret === undefined ? [] : [relayCredentials({ urls, secret }, peerId, now)]
}
