import { networkOf } from '../../platform/http/callers/network-list.ts'
import { type Secrets, seal, unseal } from '../../platform/secrets.ts'
import type { TokenPair } from './token-facts.ts'

/** Seconds in which the same client may present a refresh token again: two tabs, or a retry after a lost answer. */
export const repeatWindow = 10

/** What a client shows of itself when it presents a refresh token. */
export interface RefreshClient {
  readonly ip: string
  readonly userAgent: string
  /** What the browser's device cookie holds. */
  readonly sentDevice: string | undefined
}

/**
 * Seals the tokens that follow a refresh token, for the same client only. The key is made from the master secret, the
 * token itself and the client, so neither the database nor a stolen token alone opens it.
 */
export function sealSuccessor(
  secrets: Secrets,
  refreshToken: string,
  client: RefreshClient,
  successor: TokenPair,
): Buffer {
  return seal(keyFor(secrets, refreshToken, client), Buffer.from(JSON.stringify(successor)))
}

/** The tokens that were sealed; undefined: for another client. */
export function openSuccessor(
  secrets: Secrets,
  refreshToken: string,
  client: RefreshClient,
  sealed: Buffer,
): TokenPair | undefined {
  try {
    // sealed by the function above, which the cipher vouches for
    return JSON.parse(unseal(keyFor(secrets, refreshToken, client), sealed).toString('utf8')) as TokenPair
  } catch {
    return undefined
  }
}

function keyFor(secrets: Secrets, refreshToken: string, client: RefreshClient): Buffer {
  return secrets.derive('refresh-successor', `${refreshToken}\n${sameClient(client)}`)
}

/**
 * What two requests of one client have in common: the device cookie of a browser, which scripts cannot read and which
 * stays when the network changes; without one the network and the name of the program.
 */
function sameClient({ ip, userAgent, sentDevice }: RefreshClient): string {
  return sentDevice === undefined ? `network ${networkOf(ip)} ${userAgent}` : `device ${sentDevice}`
}
