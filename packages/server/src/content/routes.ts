import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/db/database.ts'
import type { Api, ApiParts } from '../platform/http/api.ts'
import { HttpError, message, NotFound } from '../platform/http/errors.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { perNetwork } from '../platform/throttle/limits.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { Brands } from '../tenants/brand.ts'
import type { BrandPages } from './brand-pages.ts'
import { faqFor } from './faq.ts'
import { supportRequestJob } from './support-request.ts'
import { type Theme, themeOf } from './theme.ts'

export interface ContentParts {
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly config: SiteConfig & FeatureSettings
  readonly themes: ReadonlyMap<string, Theme>
  readonly brands: Brands
  readonly pages: BrandPages
  readonly db: Db
  readonly jobs: Jobs
  readonly throttle: Throttle
}

/** Support is unavailable because no address is configured (500, as in the reference). */
export class SupportUnavailable extends HttpError {
  constructor() {
    super(500, message('app.support-request-error'))
  }
}

/** Content pages, FAQ and the support form; reference api-auth §15 and §16. */
export function serveContent(api: Api, parts: ContentParts): void {
  api.serve('GET /content/faq/{*}', async ({ params, language, ...request }) => {
    const theme = themeOf(parts.themes, await parts.brands.of(request))
    const faq = faqFor(theme, `/${params['*']}`, language)
    if (faq === undefined) throw new NotFound()
    return { status: 'success', faq }
  })

  // an HTML fragment, not JSON, so it is not part of the API contract
  parts.fastify.get<{ Params: { '*': string } }>(
    '/content/page/*',
    { schema: { hide: true } },
    async (request, reply) => {
      const facts = parts.facts(request)
      const pages = parts.pages.of(await parts.brands.of(facts))
      const html = pages.render(request.params['*'], facts.language)
      if (html === undefined) throw new NotFound()
      return reply.type('text/html; charset=utf-8').send(html)
    },
  )

  api.serve('POST /api/v4/support/request', async ({ body, ip, t }) => {
    if (parts.config.SUPPORT_EMAIL === undefined) throw new SupportUnavailable()
    await parts.throttle.spend({ kind: 'support', ip, limits: { network: { ...perNetwork, free: 10 } } })
    await parts.jobs.enqueue(parts.db, supportRequestJob, {
      user: body.user ?? null,
      name: body.name ?? null,
      email: body.email,
      summary: body.summary,
      body: body.body,
      // support reads the operator's language, not the visitor's
      language: parts.config.APP_LOCALE,
    })
    return { status: 'success', message: t('app.support-request-success') }
  })
}
