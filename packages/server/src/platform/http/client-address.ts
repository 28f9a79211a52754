import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { plainAddress } from './network-list.ts'

/**
 * Address that a request comes from, as far as trusted proxies say so: what one of them writes into `X-Client-IP`,
 * else the last one in `X-Forwarded-For` that no trusted proxy vouches for. What is no address ends the search.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (ip: string) => boolean): string {
  const neighbour = request.socket.remoteAddress ?? ''
  const given = request.headers['x-client-ip']
  if (typeof given === 'string' && isIP(given) !== 0 && isTrusted(neighbour)) return plainAddress(given)
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  let address = neighbour
  for (const next of forwarded.toReversed().map((entry) => entry.trim())) {
    if (!isTrusted(address) || isIP(next) === 0) break
    address = next
  }
  return plainAddress(address)
}
