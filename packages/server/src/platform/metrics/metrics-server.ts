import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metrics } from './metrics.ts'

/**
 * Serves the metrics of a process that has no HTTP server of its own, at `/metrics`. Does nothing without an endpoint.
 * Throws if the address can't be used.
 */
export async function listenForScrapes(
  metrics: Metrics,
  endpoint: { readonly host: string; readonly port: number } | undefined,
): Promise<AsyncDisposable & { readonly port: number | undefined }> {
  if (endpoint === undefined) return { port: undefined, [Symbol.asyncDispose]: () => Promise.resolve() }
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(endpoint.port, endpoint.host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : endpoint.port
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { port, [Symbol.asyncDispose]: close }
}
