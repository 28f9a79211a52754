import type { FastifyRequest } from 'fastify'

/**
 * Properties in a request's log line in addition to path and status: the caller, and the result of a sign-in.
 */
export interface LogFacts {
  readonly userId?: number
  readonly tenantId?: number
  /** Who acted for the user; absent: the user. */
  readonly via?: 'staff' | 'application' | 'api-key'
  /** The staff member who impersonated the user. */
  readonly staffId?: number
  /** The application that acted for the user. */
  readonly clientId?: string
  /** The id of the API key. */
  readonly apiKeyId?: string
  readonly signIn?: {
    readonly method: string
    readonly outcome: string
    readonly reason?: string
    readonly factor?: string
  }
}

const noted = new WeakMap<FastifyRequest, LogFacts>()

/** Adds properties to a request's log line; never user input. */
export function noteFacts(request: FastifyRequest, facts: LogFacts): void {
  noted.set(request, { ...noted.get(request), ...facts })
}

/** Returns the properties added for a request. */
export function notedFacts(request: FastifyRequest): LogFacts | undefined {
  return noted.get(request)
}
