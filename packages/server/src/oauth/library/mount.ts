import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { type OpenIdProvider, oauthPaths } from './provider.ts'

export interface MountParts {
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly provider: OpenIdProvider
  readonly throttle: Throttle
}

/** Endpoints served by the library that require a secret, code or token. Screens are not among them. */
const guarded = [
  ['POST', oauthPaths.token],
  ['GET', oauthPaths.userinfo],
  ['POST', oauthPaths.userinfo],
  ['POST', oauthPaths.introspection],
  ['POST', oauthPaths.revocation],
  ['POST', oauthPaths.device_authorization],
] as const

/** Public endpoints, where there is nothing to guess. */
const open = [
  ['GET', oauthPaths.jwks],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
] as const

/** The request presented an invalid secret, code or token. */
class Guess extends Error {}

/**
 * Routes the protocol's endpoints to the library, which parses bodies (56 kB at most) and responds itself.
 * Guesses are throttled per network address.
 */
export async function mountProvider({ fastify, facts, provider, throttle }: MountParts): Promise<void> {
  const origin = new URL(provider.issuer)
  await fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const library = await provider.get()
      hijack(reply)
      pretendOrigin(request, origin)
      await library.callback()(request.raw, reply.raw)
      return reply
    }
    const answerGuarded = async (request: FastifyRequest, reply: FastifyReply) => {
      const work = async () => {
        await answer(request, reply)
        await provider.record(request.raw, facts(request))
        if (provider.isGuess(request.raw)) throw new Guess()
      }
      const { ip } = facts(request)
      await throttle
        .guard({ kind: 'oauth', ip }, (error) => error instanceof Guess, work)
        .catch((error: unknown) => {
          // already answered
          if (!(error instanceof Guess)) throw error
        })
      return reply
    }
    const schema = { hide: true }
    for (const [method, url] of guarded) child.route({ method, url, schema, handler: answerGuarded })
    for (const [method, url] of open) child.route({ method, url, schema, handler: answer })
    for (const url of new Set([...guarded, ...open].map(([, path]) => path))) {
      child.route({ method: 'OPTIONS', url, schema, handler: answer })
    }
  })
}

/**
 * Sets the request's origin to the issuer's, because the library derives URLs from the Host header, which
 * clients can forge and proxies can change.
 */
function pretendOrigin({ raw }: FastifyRequest, { host, protocol }: URL): void {
  raw.headers['x-forwarded-host'] = host
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
}

/** Leaves the response to the library, with the default headers of every response. */
function hijack(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
}
