import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestFacts } from '../platform/http/api.ts'
import { perAddress, type Throttle } from '../platform/throttle/throttle.ts'
import { type OpenIdProvider, oauthPaths } from './provider.ts'

export interface MountParts {
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly provider: OpenIdProvider
  readonly throttle: Throttle
}

/** What the library answers itself. Pages of people, which it has too, are not among them. */
const served = [
  ['POST', oauthPaths.token],
  ['GET', oauthPaths.userinfo],
  ['POST', oauthPaths.userinfo],
  ['GET', oauthPaths.jwks],
  ['POST', oauthPaths.introspection],
  ['POST', oauthPaths.revocation],
  ['POST', oauthPaths.device_authorization],
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
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const library = await provider.get()
      const answer = library.callback()
      const subject = facts(request).ip
      await throttle
        .guard(
          [{ rule: perAddress('oauth'), subject }],
          (error) => error instanceof Guess,
          async () => {
            hijack(reply)
            pretendOrigin(request, origin)
            await answer(request.raw, reply.raw)
            if (provider.isGuess(request.raw)) throw new Guess()
          },
        )
        .catch((error: unknown) => {
          // answered already
          if (!(error instanceof Guess)) throw error
        })
      return reply
    }
    for (const [method, url] of served) child.route({ method, url, schema: { hide: true }, handler })
    for (const url of new Set(served.map(([, path]) => path))) {
      child.route({ method: 'OPTIONS', url, schema: { hide: true }, handler })
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
