import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestFacts } from '../../platform/http/call.ts'
import { ServiceCallers } from '../../platform/http/callers/service-callers.ts'
import type { ServiceSettings } from '../../platform/http/callers/service-settings.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { type BasicRequest, readBasic } from './hooks/basic-hook.ts'
import { answerNginx, type NginxDoor, type NginxParts } from './hooks/nginx-hook.ts'
import { clientAddress, readSaslBody, servicesOf } from './hooks/sasl-hook.ts'
import type { MailAuthSettings } from './mail-auth-settings.ts'
import type { MailSignIn } from './mail-sign-in.ts'
import type { Outcome, Outcomes } from './outcomes.ts'

export interface MailAuthParts extends NginxParts {
  readonly config: SiteConfig & ServiceSettings & MailAuthSettings & FeatureSettings
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
}

/** Bytes; a login and a password, with every character encoded. */
const bodyLimit = 16 * 1024
const hidden = { schema: { hide: true } } as const

/** Authentication hooks for mail and groupware servers; reference api-meet-files-mail §3.9. */
export function serveMailAuth({ config, fastify, facts, ...parts }: MailAuthParts): void {
  const callers = new ServiceCallers(config, facts)
  void fastify.register(async (child) => {
    callers.guard(child)
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )

    const nginx = (url: string, door: NginxDoor) =>
      child.get(url, hidden, async ({ headers }, reply) =>
        reply.headers(await answerNginx(parts, headers, door)).send(''),
      )
    nginx('/api/webhooks/nginx', 'public')
    nginx('/api/webhooks/nginx-roundcube', 'webmail')

    child.get('/api/webhooks/nginx-httpauth', hidden, async (request, reply) => {
      const status = await answerBasic(parts, request)
      // for the client in front of the web server
      if (status === 401) reply.header('www-authenticate', 'Basic realm="Groupware", charset="UTF-8"')
      return reply.code(status).send('')
    })

    child.post('/api/webhooks/cyrus-sasl', { ...hidden, bodyLimit }, async (request, reply) => {
      const outcome = await answerSasl(parts, request)
      return reply.code(statusOf[outcome]).send('')
    })
  })
}

/** Throttled sign-ins are rejected too, because the servers know nothing in between. */
const statusOf: Readonly<Record<Outcome, number>> = { accepted: 200, refused: 403, later: 403 }

interface HookParts {
  readonly mail: MailSignIn
  readonly outcomes: Outcomes
}

async function answerBasic({ mail, outcomes }: HookParts, { headers }: FastifyRequest): Promise<number> {
  let asked: BasicRequest | undefined
  try {
    asked = readBasic(headers)
    if (asked.kind === 'anonymous') return 200
    if (asked.kind === 'no-password') return 401
    const user = await mail.signIn({ ...asked, services: [asked.service], isInternal: false })
    outcomes.accept(asked.service, user, asked.ip)
    return statusOf.accepted
  } catch (error) {
    const known = asked?.kind === 'attempt' ? asked : undefined
    return statusOf[outcomes.read(error, known?.service ?? 'dav', { ip: known?.ip })]
  }
}

async function answerSasl({ mail, outcomes }: HookParts, request: FastifyRequest): Promise<Outcome> {
  let ip: string | undefined
  try {
    const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '')
    const services = servicesOf(query.get('service') ?? undefined)
    ip = clientAddress(request.headers['client-ip'])
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const user = await mail.signIn({ ...readSaslBody(body), services, ip, isInternal: true })
    outcomes.accept('sasl', user, ip)
    return 'accepted'
  } catch (error) {
    return outcomes.read(error, 'sasl', { ip })
  }
}
