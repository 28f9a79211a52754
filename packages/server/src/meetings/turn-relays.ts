import type { IceServer } from '@gatehouse/contract/meetings/meet-media'
import { relayCredentials } from '@gatehouse/media/relay/turn-credentials'
import type { MeetSettings } from './meet-settings.ts'

/** Returns TURN servers for a participant, with expiring credentials. */
export function relaysFor(config: MeetSettings, peerId: string, now: Date): IceServer[] {
  const { MEET_TURN_URLS: urls, MEET_TURN_SECRET: secret } = config
  return urls.length === 0 || secret === undefined ? [] : [relayCredentials({ urls, secret }, peerId, now)]
}
