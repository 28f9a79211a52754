import type { IceServer } from '@gatehouse/contract/meetings/meet-media'
import { relayCredentials } from '@gatehouse/media/relay/turn-credentials'
import type { MeetSettings } from './meet-settings.ts'

/** TURN servers for one participant, with credentials that expire. */
export function relaysFor(config: MeetSettings, peerId: string, now: Date): IceServer[] {
  const { MEET_TURN_URLS: urls, MEET_TURN_SECRET: secret } = config
  return urls.length === 0 || secret === undefined ? [] : [relayCredentials({ urls, secret }, peerId, now)]
}
