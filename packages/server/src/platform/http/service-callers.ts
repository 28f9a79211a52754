import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceSettings } from '../../service-settings.ts'
import { sha256 } from '../secrets.ts'
import type { RequestFacts } from './api.ts'
import { NotFound } from './errors.ts'
import { networkList } from './network-list.ts'

/** The header that a server proves itself with. */
export const secretHeader = 'x-services-secret'

/**
 * Who may make the calls that are for mail and groupware servers: who knows the secret, asks under the right host name,
 * and from an allowed network. To everybody else these calls are not there (404), whatever it is that is missing.
 */
export class ServiceCallers {
  readonly #isOffered: boolean
  readonly #hosts: ReadonlySet<string>
  readonly #isAllowed: (ip: string) => boolean
  readonly #secrets: readonly Buffer[]
  readonly #facts: (request: FastifyRequest) => RequestFacts

  constructor(
    config: ServiceSettings & { readonly domain: string },
    facts: (request: FastifyRequest) => RequestFacts,
  ) {
    const hosts = config.APP_SERVICES_ALLOWED_DOMAINS ?? ['webapp', 'kolab', `services.${config.domain}`]
    this.#isOffered = config.APP_WITH_SERVICES
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()))
    this.#isAllowed = networkList(config.SERVICES_ALLOW)
    this.#secrets = (config.SERVICES_SECRET ?? []).map(sha256)
    this.#facts = facts
  }

  /** Guards all calls of an instance, before anything of their bodies is read. */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const missing = this.#missing(request)
      if (missing === undefined) return done()
      // an operator must find out; an installation without such servers has nothing to find out
      if (this.#isOffered) {
        request.log.warn({ missing, ip: this.#facts(request).ip }, 'a call for services was refused')
      }
      done(new NotFound())
    })
  }

  #missing(request: FastifyRequest): 'calls' | 'host' | 'network' | 'secret' | undefined {
    if (!this.#isOffered) return 'calls'
    const { hostname, ip } = this.#facts(request)
    if (!this.#hosts.has(hostname.toLowerCase())) return 'host'
    if (!this.#isAllowed(ip)) return 'network'
    return this.#knowsSecret(request) ? undefined : 'secret'
  }

  /** In the header; in the query for programs that can send none, as saslauthd. */
  #knowsSecret(request: FastifyRequest): boolean {
    const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '')
    const given = request.headers[secretHeader] ?? query.get('secret')
    if (typeof given !== 'string') return false
    const digest = sha256(given)
    return this.#secrets.some((secret) => timingSafeEqual(secret, digest))
  }
}
