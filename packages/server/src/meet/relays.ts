import { createHmac } from 'node:crypto'
import type { IceServer } from '@gatehouse/contract/meet-media'
import { after, hour } from '../platform/clock.ts'
import type { MeetSettings } from './meet-settings.ts'

/** Seconds that the credentials of a relay are good for. */
export const relaySeconds = 12 * hour

/**
 * Relays for the connections of one participant, with credentials that end (the REST API for TURN of
 * draft-uberti-behave-turn-rest-00, which coturn speaks).
 */
export function relaysFor(
  config: Pick<MeetSettings, 'MEET_TURN_URLS' | 'MEET_TURN_SECRET'>,
  peerId: string,
  now: Date,
): IceServer[] {
  const { MEET_TURN_URLS: urls, MEET_TURN_SECRET: secret } = config
  if (urls.length === 0 || secret === undefined) return []
  const username = `${Math.floor(after(now, relaySeconds).getTime() / 1000)}:${peerId}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return [{ urls: [...urls], username, credential }]
}
