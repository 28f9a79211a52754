import type { Failure } from '../connections/consultation.ts'
import { ProtocolServer, type ServerOptions } from '../connections/protocol-server.ts'
import { askWithin, requestReply } from '../connections/session.ts'
import { NetstringDecoder } from './netstring.ts'
import { encodeSocketmapAnswer, longestSocketmap, type SocketmapAnswer } from './socketmap-answer.ts'

export interface SocketmapRequest {
  /** Name of the table, without spaces. */
  readonly map: string
  readonly key: string
}

export interface SocketmapService {
  readonly handler: (request: SocketmapRequest, signal: AbortSignal) => Promise<SocketmapAnswer>
  /** The answer without the handler. `temp` and `timeout` keep mail in the queue. */
  readonly fallback?: (request: SocketmapRequest, failure: Failure) => SocketmapAnswer
}

/** Look-ups of one connection at once. Postfix sends one after the other. */
const inFlight = 4

/** A server for tables of type `socketmap` (Postfix, socketmap_table(5)). */
export function createSocketmapServer(
  service: SocketmapService,
  options?: ServerOptions,
): ProtocolServer<Buffer> {
  const { handler, fallback = retryLater } = service
  const protocol = requestReply<Buffer>({
    name: 'socketmap',
    inFlight,
    decoder: () => new NetstringDecoder(longestSocketmap),
    async answer(content, scope) {
      const request = readSocketmapRequest(content)
      if ('status' in request) return { bytes: [encodeSocketmapAnswer(request)] }
      const ask = async (signal: AbortSignal) => encodeSocketmapAnswer(await handler(request, signal))
      const bytes = await askWithin(scope, 'lookup', ask, (failure) =>
        encodeSocketmapAnswer(fallback(request, failure)),
      )
      return { bytes: [bytes] }
    },
  })
  return new ProtocolServer(protocol, options)
}

/** Parses `map key`. Returns the answer itself if the request is malformed. */
export function readSocketmapRequest(content: Buffer): SocketmapRequest | SocketmapAnswer {
  const space = content.indexOf(0x20)
  if (space < 1) return { status: 'perm', reason: 'Malformed request' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { map: text.decode(content.subarray(0, space)), key: text.decode(content.subarray(space + 1)) }
  } catch {
    // no address or domain has such bytes
    return { status: 'not-found' }
  }
}

function retryLater(_request: SocketmapRequest, failure: Failure): SocketmapAnswer {
  const status = failure === 'timed-out' ? 'timeout' : 'temp'
  return { status, reason: 'Lookup unavailable' }
}
