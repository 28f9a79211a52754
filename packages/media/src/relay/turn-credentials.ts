import { createHmac } from 'node:crypto'
import type { IceServer } from '@gatehouse/contract/meetings/meet-media'

/**
 * Seconds in which a client may start using a relay; an existing allocation continues as long as it is
 * refreshed.
 */
export const relayLife = 8 * 3600

export interface RelaySettings {
  /** URLs of the relay, e.g. `turn:turn.example.org:3478?transport=udp`. */
  readonly urls: readonly string[]
  /** The relay's `static-auth-secret`. */
  readonly secret: string
}

/**
 * Temporary credentials for a relay, as verified by coturn's `use-auth-secret`: the name is the expiry and the
 * peer, the password its HMAC-SHA1 (draft-uberti-behave-turn-rest-00 §2.2).
 */
export function relayCredentials(relay: RelaySettings, peer: string, now: Date): IceServer {
  const username = `${Math.floor(now.getTime() / 1000) + relayLife}:${peer}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return { urls: [...relay.urls], username, credential }
}
