import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sha256 } from '../../secrets.ts'
import type { RequestFacts } from '../call.ts'
import { NotFound } from '../errors.ts'
import { networkList } from './network-list.ts'
import type { ServiceSettings } from './service-settings.ts'

/** The header in which a server sends the secret. */
export const secretHeader = 'x-services-secret'

/**
 * Guards the calls for mail and groupware servers: the caller has to send the secret in a header, use the
 * right host name, and come from an allowed network. For everyone else these calls don't exist (404), whatever
 * is wrong.
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

  /** Guards all calls of an instance before their bodies are read. */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const missing = this.#missing(request)
      if (missing === undefined) return done()
      // operators need to see the reason; an installation without such servers has nothing to report
      if (this.#isOffered) {
        request.log.warn({ missing, ip: this.#facts(request).ip }, 'service call refused')
      }
      done(new NotFound())
    })
  }

  #missing(request: FastifyRequest): 'calls' | 'host' | 'network' | 'secret' | undefined {
    if (!this.#isOffered) return 'calls'
    const { hostname, provenIp } = this.#facts(request)
    if (!this.#hosts.has(hostname.toLowerCase())) return 'host'
    // web servers use it for the address of their own client
    const ip = provenIp('x-real-ip')
    if (ip === undefined || !this.#isAllowed(ip)) return 'network'
    return this.#knowsSecret(request) ? undefined : 'secret'
  }

  /** Only in the header, because URLs with their queries end up in logs. */
  #knowsSecret(request: FastifyRequest): boolean {
    const given = request.headers[secretHeader]
    if (typeof given !== 'string') return false
    const digest = sha256(given)
    return this.#secrets.some((secret) => timingSafeEqual(secret, digest))
  }
}
