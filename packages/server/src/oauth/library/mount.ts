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

/** What the library answers itself: calls that need a secret, code or token. Pages of people are not among them. */
const guarded = [
  ['POST', oauthPaths.token],
  ['GET', oauthPaths.userinfo],
  ['POST', oauthPaths.userinfo],
  ['POST', oauthPaths.introspection],
  ['POST', oauthPaths.revocation],
  ['POST', oauthPaths.device_authorization],
] as const

/** The same for everybody: nothing can be guessed at. */
const open = [
  ['GET', oauthPaths.jwks],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
] as const

/** Somebody presented a secret, code or token that is none. */
class Guess extends Error {}

/**
 * Hands the calls of the protocol over to the library, which reads bodies (56 kB at most) and answers by itself. Guesses
 * are counted for each network address.
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
          // answered already
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
 * The library tells addresses by the host of a request, which a client may make up and a proxy may change; ours are those
 * of the issuer, always.
 */
function pretendOrigin({ raw }: FastifyRequest, { host, protocol }: URL): void {
  raw.headers['x-forwarded-host'] = host
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
}

/** Leaves the answer to somebody else, with the headers that every answer has. */
function hijack(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
}
