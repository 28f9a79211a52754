import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import { HttpError, message, NotFound } from '../../platform/http/errors.ts'
import { fillIn } from '../../platform/mailer/mail-servers.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { readElements, readXmlText, UnreadableXml } from '../../platform/xml/read-xml.ts'
import { type AccountSetup, setupForAddress, setupForHost } from './account-setup.ts'
import { autoconfig } from './autoconfig.ts'
import { autodiscoverError, mobileSyncSettings, outlookSettings, wantsMobileSync } from './autodiscover.ts'
import type { DiscoverySettings } from './discovery-settings.ts'
import { mtaStsPolicy } from './mta-sts.ts'

export interface DiscoveryParts {
  readonly config: SiteConfig &
    DiscoverySettings &
    HostingConfig &
    Pick<FeatureSettings, 'APP_WITH_USER_SEARCH'>
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly db: Db
  readonly clock: Clock
}

const hidden = { schema: { hide: true } } as const

/** Bytes; a request only contains an address and a schema. */
const bodyLimit = 32 * 1024

/** Spellings of the path used by clients. */
const spellings = ['/autodiscover/autodiscover', '/Autodiscover/Autodiscover', '/AutoDiscover/AutoDiscover']

type Query = Readonly<Record<string, unknown>>

/**
 * Routes for mail client discovery; reference api-auth §20. Public, and limited to information about domains.
 */
export function serveDiscovery(parts: DiscoveryParts): void {
  const { fastify, config } = parts
  serveAutoconfig(parts)
  void fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    for (const path of spellings) serveAutodiscover(parts, child, path)
  })
  serveDav(parts)
  const policy = mtaStsPolicy(config)
  fastify.get('/.well-known/mta-sts.txt', hidden, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(policy),
  )
}

function serveAutoconfig({ fastify, config, db }: DiscoveryParts): void {
  const names = { name: config.APP_NAME, shortName: config.APP_NAME_SHORT ?? config.APP_NAME }
  for (const url of ['/.well-known/autoconfig/mail/config-v1.1.xml', '/mail/config-v1.1.xml']) {
    fastify.get<{ Querystring: Query }>(url, hidden, async (request, reply) => {
      const address = request.query.emailaddress
      const setup = await (address === undefined
        ? setupForHost(db, config, request.hostname)
        : setupForAddress(db, config, textOf(address)))
      if (setup === undefined) throw new NotFound()
      return reply.type('application/xml; charset=utf-8').send(autoconfig(setup, names))
    })
  }
}

function serveAutodiscover(parts: DiscoveryParts, fastify: FastifyInstance, path: string): void {
  const { config, db, clock } = parts
  fastify.post(`${path}.xml`, { ...hidden, bodyLimit }, async (request, reply) => {
    const xml = await answerXml(parts, request.body)
    return reply.type('text/xml; charset=utf-8').send(xml ?? autodiscoverError(clock.now()))
  })
  // Outlook requests this without TLS at the address's domain and follows the redirect to where it may send the
  // address
  fastify.get(`${path}.xml`, hidden, (request, reply) => {
    if (request.hostname === config.domain) throw new HttpError(405, message('http.405'))
    return reply.redirect(`${config.APP_URL}/autodiscover/autodiscover.xml`, 302)
  })
  const json = (request: FastifyRequest<{ Querystring: Query; Params: Query }>, reply: FastifyReply) => {
    const { Email, email, Protocol, protocol } = request.query
    const address = request.params.email ?? Email ?? email
    return answerJson(
      { db, config },
      { address: textOf(address), protocol: textOf(Protocol ?? protocol) },
      reply,
    )
  }
  fastify.get(`${path}.json`, hidden, json)
  fastify.get(`${path}.json/v1.0/:email`, hidden, json)
}

/** Undefined: no settings, for whatever reason. */
async function answerXml({ config, db }: DiscoveryParts, body: unknown): Promise<string | undefined> {
  try {
    const text = Buffer.isBuffer(body) ? readXmlText(body) : ''
    const asked = readElements(text, ['EMailAddress', 'AcceptableResponseSchema'])
    const setup = await setupForAddress(db, config, asked.get('EMailAddress') ?? '')
    if (setup === undefined) return undefined
    if (!wantsMobileSync(asked.get('AcceptableResponseSchema') ?? '')) return outlookSettings(setup)
    return setup.activeSync === undefined ? undefined : mobileSyncSettings(setup, setup.activeSync)
  } catch (error) {
    if (error instanceof UnreadableXml) return undefined
    throw error
  }
}

interface JsonQuestion {
  readonly address: string
  readonly protocol: string
}

async function answerJson(
  { db, config }: Pick<DiscoveryParts, 'db' | 'config'>,
  { address, protocol }: JsonQuestion,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refuse = (ErrorCode: string, ErrorMessage: string) =>
    reply.code(400).type('application/json; charset=utf-8').send({ ErrorCode, ErrorMessage })
  if (address === '') return refuse('MandatoryParameterMissing', 'A valid SMTP address must be provided')
  if (protocol === '')
    return refuse('MandatoryParameterMissing', 'A valid value must be provided for Protocol')
  const answer = answers.get(protocol.toLowerCase())
  if (answer === undefined)
    return refuse('InvalidProtocol', 'Supported values are ActiveSync and AutodiscoverV1')
  const setup = await setupForAddress(db, config, address)
  const told = setup && answer(setup, config)
  if (told === undefined) return refuse('InternalServerError', 'The request cannot be answered')
  return reply.type('application/json; charset=utf-8').send(told)
}

interface Protocol {
  readonly Protocol: string
  readonly Url: string
}

type Answer = (
  setup: AccountSetup,
  config: SiteConfig & DiscoverySettings & HostingConfig,
) => Protocol | undefined

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    'activesync',
    ({ activeSync: url }) => (url === undefined ? undefined : { Protocol: 'ActiveSync', Url: url }),
  ],
  [
    'autodiscoverv1',
    (_setup, { APP_URL }) => ({
      Protocol: 'AutodiscoverV1',
      Url: `${APP_URL}/Autodiscover/Autodiscover.xml`,
    }),
  ],
])

/** Redirects for CalDAV and CardDAV discovery (RFC 6764 §5); clients use PROPFIND. */
function serveDav({ fastify, config }: DiscoveryParts): void {
  const to = config.APP_DISCOVERY_DAV
  if (to === undefined) return
  const url = fillIn(to, { host: config.domain, domain: config.domain })
  fastify.addHttpMethod('PROPFIND', { hasBody: true })
  void fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { bodyLimit }, (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    for (const path of ['/.well-known/caldav', '/.well-known/carddav']) {
      child.route({
        method: ['GET', 'OPTIONS', 'PROPFIND'],
        url: path,
        ...hidden,
        handler: (_request, reply) => reply.redirect(url, 301),
      })
    }
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
