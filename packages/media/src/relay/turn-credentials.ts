import { createHmac } from 'node:crypto'
import type { IceServer } from '@gatehouse/contract/meetings/meet-media'

/** Seconds for which somebody may begin to use a relay; what is relayed then goes on as long as it is renewed. */
export const relayLife = 8 * 3600

export interface RelaySettings {
  /** Addresses of the relay, such as `turn:turn.example.org:3478?transport=udp`. */
  readonly urls: readonly string[]
  /** What the relay knows as its `static-auth-secret`. */
  readonly secret: string
}

/**
 * Credentials for a relay that end by themselves, as coturn's `use-auth-secret` checks them: the name is the end and
 * whom they are for, the password its HMAC-SHA1 (draft-uberti-behave-turn-rest-00 §2.2).
 */
export function relayCredentials(relay: RelaySettings, peer: string, now: Date): IceServer {
  const username = `${Math.floor(now.getTime() / 1000) + relayLife}:${peer}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return { urls: [...relay.urls], username, credential }
}
