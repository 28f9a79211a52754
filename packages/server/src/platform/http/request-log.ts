import type { FastifyRequest } from 'fastify'

/** What the log line of a request tells beside its path and status: who made it, and what came of a sign-in. */
export interface LogFacts {
  readonly userId?: number
  readonly tenantId?: number
  /** Staff who made it in the user's name. */
  readonly staffId?: number
  /** The application that made it for the user. */
  readonly clientId?: string
  readonly signIn?: {
    readonly method: string
    readonly outcome: string
    readonly reason?: string
    readonly factor?: string
  }
}

const noted = new WeakMap<FastifyRequest, LogFacts>()

/** Adds facts to the log line of a request; never anything that was typed. */
export function noteFacts(request: FastifyRequest, facts: LogFacts): void {
  noted.set(request, { ...noted.get(request), ...facts })
}

/** The facts that were noted for a request. */
export function notedFacts(request: FastifyRequest): LogFacts | undefined {
  return noted.get(request)
}
