import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomToken } from '../ids.ts'

const name = 'device'
/** Seconds; browsers keep none for longer than 400 days. */
const life = 400 * 24 * 3600
const drawn = new WeakMap<FastifyRequest, string>()

/**
 * The random name by which a browser is known when somebody signs in. It opens nothing. A request without one gets one
 * with its answer, once somebody asks for it here.
 */
export function deviceOf(request: FastifyRequest): string {
  const sent = cookieOf(request.headers.cookie)
  if (sent !== undefined) return sent
  const made = drawn.get(request) ?? randomToken()
  drawn.set(request, made)
  return made
}

/** Sends the names that were drawn for requests. `isSecure`: the browser sends them through encrypted connections only. */
export function keepDevices(fastify: FastifyInstance, isSecure: boolean): void {
  const rest = `Path=/api; Max-Age=${life}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const made = drawn.get(request)
    if (made !== undefined && reply.statusCode < 400) reply.header('set-cookie', `${name}=${made}; ${rest}`)
    done()
  })
}

function cookieOf(header: string | undefined): string | undefined {
  return header?.match(/(?:^|;\s*)device=([\w-]{43})(?:;|$)/)?.[1]
}
