import { networkOf } from '../../platform/http/callers/network-list.ts'
import { type Secrets, seal, unseal } from '../../platform/secrets.ts'
import type { TokenPair } from './token-facts.ts'

/** Seconds in which the same client may reuse a refresh token: two tabs, or a retry after a lost response. */
export const repeatWindow = 10

/** Characteristics of the client that presents a refresh token. */
export interface RefreshClient {
  readonly ip: string
  readonly userAgent: string
  /** Value of the browser's device cookie. */
  readonly sentDevice: string | undefined
}

/**
 * Encrypts the successors of a refresh token for the same client only. The key is derived from the master
 * secret, the token and the client, so neither the database nor a stolen token alone can decrypt it.
 */
export function sealSuccessor(
  secrets: Secrets,
  refreshToken: string,
  client: RefreshClient,
  successor: TokenPair,
): Buffer {
  return seal(keyFor(secrets, refreshToken, client), Buffer.from(JSON.stringify(successor)))
}

/** Returns the decrypted tokens; undefined for another client. */
export function openSuccessor(
  secrets: Secrets,
  refreshToken: string,
  client: RefreshClient,
  sealed: Buffer,
): TokenPair | undefined {
  try {
    // written by sealSuccessor and authenticated by the cipher
    return JSON.parse(unseal(keyFor(secrets, refreshToken, client), sealed).toString('utf8')) as TokenPair
  } catch {
    return undefined
  }
}

function keyFor(secrets: Secrets, refreshToken: string, client: RefreshClient): Buffer {
  return secrets.derive('refresh-successor', `${refreshToken}\n${sameClient(client)}`)
}

/**
 * Identifies a client across requests: the browser's device cookie, which scripts can't read and which
 * survives network changes; without one, the network and the user agent.
 */
function sameClient({ ip, userAgent, sentDevice }: RefreshClient): string {
  return sentDevice === undefined ? `network ${networkOf(ip)} ${userAgent}` : `device ${sentDevice}`
}
