import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import type { DeliveryError } from '@gatehouse/contract/webhooks/webhooks'
import { ForbiddenAddress, isPrivateHost, publicLookup } from '../../platform/http/callers/public-address.ts'

/** Milliseconds for one delivery. */
const timeout = 10_000
/** Bytes of an answer that are read. */
const mostAnswer = 4096
/** Connections to one receiver, and milliseconds for which an unused one stays open. */
const connections = { keepAlive: true, maxSockets: 32, maxFreeSockets: 32, timeout: 15_000 }

/** What a receiver answered. Without a status, there was no answer. */
export interface Outcome {
  readonly status: number | null
  readonly error: DeliveryError | null
  readonly answer: string
  readonly durationMs: number
  /** Seconds; only if the receiver asked for it. */
  readonly retryAfter?: number
}

/** Throws ForbiddenAddress for a URL that can't receive events. */
export function checkReceiver(url: string, mayBePrivate: boolean): void {
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') throw new ForbiddenAddress(hostname)
  if (mayBePrivate ? !/^https?:$/.test(protocol) : protocol !== 'https:' || isPrivateHost(hostname)) {
    throw new ForbiddenAddress(hostname)
  }
}

/** A connection that was kept open had been closed by the other side. */
class ClosedBefore extends Error {}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends messages and keeps connections open between them. */
export class MessageSender {
  readonly #mayBePrivate: boolean
  readonly #timeout: number
  readonly #secure = new SecureAgent(connections)
  readonly #plain = new PlainAgent(connections)

  constructor(mayBePrivate: boolean, timeoutMs = timeout) {
    this.#mayBePrivate = mayBePrivate
    this.#timeout = timeoutMs
  }

  /**
   * Sends a message. Redirects are not followed, the connection itself checks the resolved address, and at most
   * 4 KiB of the answer are read. Never throws.
   */
  async send(message: Message): Promise<Outcome> {
    const start = performance.now()
    const signal = AbortSignal.timeout(this.#timeout)
    const took = () => Math.round(performance.now() - start)
    try {
      checkReceiver(message.url, this.#mayBePrivate)
      const response = await this.#askAgain(message, signal)
      const answer = await beginningOf(response, signal)
      const retryAfter = secondsIn(response.headers['retry-after'])
      return {
        status: response.statusCode ?? 0,
        error: null,
        answer,
        durationMs: took(),
        ...(retryAfter !== undefined && { retryAfter }),
      }
    } catch (error) {
      return { status: null, error: causeOf(error, signal), answer: '', durationMs: took() }
    }
  }

  close(): void {
    this.#secure.destroy()
    this.#plain.destroy()
  }

  /** Asks once more if the receiver had closed an open connection that was about to be used. */
  async #askAgain(message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#ask(message, signal)
    } catch (error) {
      if (!(error instanceof ClosedBefore)) throw error
      return this.#ask(message, signal)
    }
  }

  #ask({ url, headers, body }: Message, signal: AbortSignal): Promise<IncomingMessage> {
    const isSecure = url.startsWith('https:')
    const request = isSecure ? requestSecure : requestPlain
    const options = {
      method: 'POST',
      agent: isSecure ? this.#secure : this.#plain,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Gatehouse-Webhooks',
      },
      ...(!this.#mayBePrivate && { lookup: publicLookup }),
    }
    return new Promise((done, fail) => {
      const sent = request(url, options, done)
      const isReset = (error: Error) => sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      sent.on('error', (error) => fail(isReset(error) ? new ClosedBefore() : error)).end(body)
    })
  }
}

/** Reads the beginning of an answer. Its status counts even if the rest never arrives. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      // leaving the loop closes the connection
      if (length >= mostAnswer || signal.aborted) break
    }
  } catch {
    // closed early, or too slow
  }
  // NUL can't be stored
  return Buffer.concat(chunks).subarray(0, mostAnswer).toString('utf8').replaceAll('\0', '�')
}

function causeOf(error: unknown, signal: AbortSignal): DeliveryError {
  if (signal.aborted) return 'timeout'
  if (error instanceof ForbiddenAddress) return 'private-address'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns'
  return /CERT|EPROTO|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'connection'
}

function secondsIn(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
