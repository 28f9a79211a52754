import type { FastifyInstance } from 'fastify'

/** Milliseconds between checks of open connections during shutdown. */
const lookEvery = 50

/**
 * Graceful shutdown: reports not ready, so that load balancers stop sending requests, answers those that still
 * arrive, and sends `Connection: close` with each response.
 */
export class Drain {
  readonly #fastify: FastifyInstance
  #isStopping = false

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
    fastify.addHook('onRequest', (_request, reply, done) => {
      if (this.#isStopping) void reply.header('connection', 'close')
      done()
    })
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Keeps answering for `seconds`, or until the last connection has closed. */
  async run(seconds: number): Promise<void> {
    this.#isStopping = true
    const end = performance.now() + seconds * 1000
    while (performance.now() < end && (await this.#connections()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
  }

  #connections(): Promise<number> {
    return new Promise((resolve) =>
      this.#fastify.server.getConnections((error, count) => resolve(error === null ? count : 0)),
    )
  }
}
