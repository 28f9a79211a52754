import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that a receiver got. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // tests access messages freely
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the test's own expectation
  readonly body: any
}

export type Answering = (response: ServerResponse, message: ReceivedMessage) => void

/** A local receiver of webhooks. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: ReceivedMessage[]
  /** How it answers; 204 unless set. */
  answer: Answering
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const message = { headers: request.headers, text, body: JSON.parse(text) }
      receiver.received.push(message)
      receiver.answer(response, message)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/events`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return receiver
}
