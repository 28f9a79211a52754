import { signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import type { FastifyInstance } from 'fastify'
import { refuseUpgrade, type Upgrades } from '../../platform/http/connections/upgrades.ts'

/** Path of Socket.IO signalling in other clients, over WebSocket or polling. */
const socketIoPath = '/meetmedia/signaling'

/** Explanation for the log of such a client. */
export const socketIoRefusal = `No Socket.IO here. Meetings are signalled over the WebSocket ${signallingPath} with the subprotocol ${signallingProtocol}.\n`

/**
 * Rejects Socket.IO handshakes immediately (404), so that clients don't wait for a socket that never opens.
 */
export function refuseSocketIo(fastify: FastifyInstance, upgrades: Upgrades): void {
  upgrades.serve(socketIoPath, (_request, socket) => refuseUpgrade(socket, '404 Not Found', socketIoRefusal))
  for (const url of [socketIoPath, `${socketIoPath}/*`]) {
    fastify.route({
      method: ['GET', 'POST'],
      url,
      schema: { hide: true },
      handler: (_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send(socketIoRefusal),
    })
  }
}
