import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { maxMessageBytes, signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientAddress, proxyRules } from '../../platform/http/callers/client-address.ts'
import { NetworkLimit } from '../../platform/http/callers/network-limit.ts'
import { networkOf } from '../../platform/http/callers/network-list.ts'
import { refuseUpgrade, type Upgrades } from '../../platform/http/connections/upgrades.ts'
import { variantOf } from '../../platform/http/variant.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { MeetSettings } from '../meet-settings.ts'
import { type RelaySockets, relayHeader } from './relay-socket.ts'
import { type SessionParts, SignallingSession } from './signalling-session.ts'
import { SocketPlaces } from './socket-places.ts'

export interface SignallingParts extends Omit<SessionParts, 'relay' | 'admit'> {
  readonly config: SiteConfig & FeatureSettings & MeetSettings
  readonly fastify: FastifyInstance
  readonly upgrades: Upgrades
  readonly relays: RelaySockets
}

/** Milliseconds between polls of the injected clock while sockets are open. */
const heartbeat = 200

/** Maximum sockets per process, far more than a meeting has participants. */
const mostSockets = 10_000

/**
 * Maximum sockets with a valid token per network. Guests need no account, and many people may share one
 * address.
 */
const leastPerNetwork = 500

/** Maximum sockets without a valid token, per network and in total. Another one closes the oldest. */
export const mostUnproven = 100
const mostUnprovenOverall = 2000

/** Serves the signalling WebSocket of meetings, see meet-signalling.ts in the contract. */
export function serveSignalling(parts: SignallingParts): void {
  const { fastify, upgrades, relays, clock } = parts
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: () => signallingProtocol,
  })
  const sessions = new Map<WebSocket, SignallingSession>()
  const proxies = proxyRules(parts.config)
  const places = new SocketPlaces(Math.max(leastPerNetwork, 2 * parts.config.MEET_MAX_PARTICIPANTS))
  const unproven = new NetworkLimit<Duplex>({
    most: mostUnproven,
    mostOverall: mostUnprovenOverall,
    evict: (socket) => socket.destroy(),
  })
  const timer = setInterval(() => {
    for (const session of sessions.values()) session.beat(clock.now())
  }, heartbeat)
  const relay = (socket: WebSocket, url: string) => relays.connect(socket, url)

  /** Registers the socket as one without a token; the returned function changes that. */
  const hold = (network: string, socket: Duplex) => {
    unproven.add(network, socket)
    // also if the upgrade fails
    socket.once('close', () => unproven.remove(socket))
    return () => {
      if (!unproven.remove(socket) || !places.take(network)) return false
      socket.once('close', () => places.leave(network))
      return true
    }
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isRelayed = relays.isOurs(request.headers[relayHeader])
    const problem = isRelayed ? undefined : refusal(parts.config, request)
    if (problem !== undefined) return refuseUpgrade(socket, problem)
    if (server.clients.size >= mostSockets) return refuseUpgrade(socket, '503 Service Unavailable')
    const admit = isRelayed ? () => true : hold(networkOf(clientAddress(request, proxies)), socket)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      sessions.set(webSocket, new SignallingSession({ ...parts, relay, admit }, webSocket, isRelayed))
      webSocket.once('close', () => sessions.delete(webSocket))
    })
  }
  upgrades.serve(signallingPath, onUpgrade)
  fastify.addHook('preClose', () => {
    clearInterval(timer)
    for (const session of sessions.values()) session.close('restart')
    endAll(server)
  })
}

/** Milliseconds for browsers to disconnect on shutdown. */
const farewell = 500

function endAll(server: WebSocketServer): void {
  const end = setTimeout(() => {
    for (const socket of server.clients) socket.terminate()
  }, farewell)
  end.unref()
  server.close()
}

/** Returns the status line with which an upgrade is rejected; undefined if it is accepted. */
function refusal(
  config: SiteConfig & FeatureSettings & MeetSettings,
  { headers }: IncomingMessage,
): string | undefined {
  const host = hostOf(`http://${headers.host ?? ''}`)
  if (!config.APP_WITH_MEET || variantOf(host?.hostname ?? '', config.domain) !== 'user')
    return '404 Not Found'
  if (headers.origin !== undefined && !isOwnOrigin(config, headers.origin, host)) return '403 Forbidden'
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  return protocols.includes(signallingProtocol) ? undefined : '400 Bad Request'
}

/** Rejects pages of other sites. Clients other than browsers send no origin. */
function isOwnOrigin(
  config: SiteConfig & FeatureSettings & MeetSettings,
  origin: string,
  host: URL | undefined,
): boolean {
  const from = hostOf(origin)
  return from !== undefined && (from.host === host?.host || from.host === new URL(config.APP_URL).host)
}

function hostOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
