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

/** Milliseconds between two looks at the injected clock while sockets are open. */
const heartbeat = 200

/** Sockets of one process; a meeting holds far fewer people. */
const mostSockets = 10_000

/** Of those, sockets of one network with a valid token: guests need no account, and a whole school may sit behind one address. */
const leastPerNetwork = 500

/** Sockets that have not shown a valid token yet, of one network and of all together. One more closes the oldest. */
export const mostUnproven = 100
const mostUnprovenOverall = 2000

/** Serves the signalling socket of meetings, see meet-signalling.ts of the contract. */
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

  /** Holds the socket as one without a token, which what is returned changes. */
  const hold = (network: string, socket: Duplex) => {
    unproven.add(network, socket)
    // also when no WebSocket comes of it
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

/** Milliseconds that browsers have to take their leave. */
const farewell = 500

function endAll(server: WebSocketServer): void {
  const end = setTimeout(() => {
    for (const socket of server.clients) socket.terminate()
  }, farewell)
  end.unref()
  server.close()
}

/** Why a request gets no socket, as the status line; undefined: it gets one. */
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

/** Pages of other sites open no socket here. Programs that are no browser name no origin. */
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
