import type { FastifyInstance } from 'fastify'

/** Milliseconds between two looks at the open connections of a server that stops. */
const lookEvery = 50

/**
 * How a server leaves: it says that it is not ready, so that a load balancer sends nothing more, answers what still
 * arrives, and tells each connection to close with its answer.
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

  /** Goes on answering for that many seconds, or until the last connection has closed. */
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
