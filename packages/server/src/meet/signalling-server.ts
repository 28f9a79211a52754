import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { maxMessageBytes, signallingPath, signallingProtocol } from '@gatehouse/contract/meet-rules'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Config } from '../config.ts'
import { clientAddress } from '../platform/http/client-address.ts'
import { networkList, networkOf } from '../platform/http/network-list.ts'
import { refuseUpgrade, type Upgrades } from '../platform/http/upgrades.ts'
import { variantOf } from '../platform/http/variant.ts'
import { type RelaySockets, relayHeader } from './relay-socket.ts'
import { type SessionParts, SignallingSession } from './signalling-session.ts'
import { SocketPlaces } from './socket-places.ts'

export interface SignallingParts extends Omit<SessionParts, 'relay'> {
  readonly config: Config
  readonly fastify: FastifyInstance
  readonly upgrades: Upgrades
  readonly relays: RelaySockets
}

/** Milliseconds between two looks at the injected clock while sockets are open. */
const heartbeat = 200

/** Sockets of one process; a meeting holds far fewer people. */
const mostSockets = 10_000

/** Of those, sockets of one place on the net: guests need no account, and a whole school may sit behind one address. */
export const leastPerPlace = 500

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
  const isTrusted = networkList(parts.config.TRUSTED_PROXIES)
  const places = new SocketPlaces(Math.max(leastPerPlace, 2 * parts.config.MEET_MAX_PARTICIPANTS))
  const timer = setInterval(() => {
    for (const session of sessions.values()) session.beat(clock.now())
  }, heartbeat)
  const relay = (socket: WebSocket, url: string) => relays.connect(socket, url)

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isRelayed = relays.isOurs(request.headers[relayHeader])
    const problem = isRelayed ? undefined : refusal(parts.config, request)
    if (problem !== undefined) return refuseUpgrade(socket, problem)
    if (server.clients.size >= mostSockets) return refuseUpgrade(socket, '503 Service Unavailable')
    if (!isRelayed) {
      const place = networkOf(clientAddress(request, isTrusted))
      if (!places.take(place)) return refuseUpgrade(socket, '429 Too Many Requests')
      // also when no WebSocket comes of it
      socket.once('close', () => places.leave(place))
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      sessions.set(webSocket, new SignallingSession({ ...parts, relay }, webSocket, isRelayed))
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
function refusal(config: Config, { headers }: IncomingMessage): string | undefined {
  const host = hostOf(`http://${headers.host ?? ''}`)
  if (!config.APP_WITH_MEET || variantOf(host?.hostname ?? '', config.domain) !== 'user')
    return '404 Not Found'
  if (headers.origin !== undefined && !isOwnOrigin(config, headers.origin, host)) return '403 Forbidden'
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  return protocols.includes(signallingProtocol) ? undefined : '400 Bad Request'
}

/** Pages of other sites open no socket here. Programs that are no browser name no origin. */
function isOwnOrigin(config: Config, origin: string, host: URL | undefined): boolean {
  const from = hostOf(origin)
  return from !== undefined && (from.host === host?.host || from.host === new URL(config.APP_URL).host)
}

function hostOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
