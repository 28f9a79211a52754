import { signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import type { FastifyInstance } from 'fastify'
import { refuseUpgrade, type Upgrades } from '../../platform/http/connections/upgrades.ts'

/** Where clients with Socket.IO signalling look for it, over a WebSocket or by polling. */
const socketIoPath = '/meetmedia/signaling'

/** For whoever reads the log of such a client. */
export const socketIoRefusal = `No Socket.IO here. Meetings are signalled over the WebSocket ${signallingPath} with the subprotocol ${signallingProtocol}.\n`

/** Answers handshakes of Socket.IO at once (404), so that no client waits for a socket that never opens. */
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
