import type { CloseReason } from '@gatehouse/contract/meetings/meet-rules'
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

/** Why a meeting ends for all participants. */
export type EndReason = Extract<CloseReason, 'ended' | 'deleted' | 'engine-lost'> | 'empty'

/** A joining participant, and how many media messages their browser has received. */
export interface Entrance {
  readonly claims: MeetingClaims
  readonly seen: number | undefined
}
