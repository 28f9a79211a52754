import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RequestFacts } from '../../platform/http/call.ts'
import { NotFound, PayloadTooLarge } from '../../platform/http/errors.ts'
import { escapeHtml } from '../../platform/mailer/templates/escape-html.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { type OpenIdProvider, oauthPaths } from '../library/provider.ts'
import { AnswerAddresses, type AnswerForm } from './answer-address.ts'
import { readSignOut, type SignOutParts, SignOutRefused } from './sign-out.ts'

export interface BrowserParts extends SignOutParts {
  readonly config: Pick<SiteConfig, 'APP_URL' | 'APP_NAME'>
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly provider: OpenIdProvider
}

/** Maximum length of a redirect URL; longer ones are truncated by browsers or proxies. */
const longestAddress = 8000

const words = z.record(z.string(), z.unknown())
const zone = /^[\w+/-]{1,64}$/

/** Routes to which applications redirect browsers, apart from the screens. */
export function serveBrowser(parts: BrowserParts): void {
  const { fastify } = parts
  const options = { schema: { hide: true } }
  const addresses = new AnswerAddresses(parts, parts.config.APP_URL)

  // OpenID Connect Core 3.1.2.1 requires POST as well; the screen reads the query
  fastify.post(oauthPaths.authorization, options, (request, reply) => {
    const body = Object.entries(words.parse(request.body ?? {}))
    const pairs = body.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    const query = new URLSearchParams(pairs).toString()
    if (query.length > longestAddress) throw new PayloadTooLarge()
    return reply.redirect(`${oauthPaths.authorization}?${query}`, 303)
  })

  const signOut = async (input: unknown, reply: FastifyReply) => {
    try {
      const request = await readSignOut(parts, await parts.provider.get(), input)
      return reply.redirect(`/oauth/sign-out?request=${request}`, 303)
    } catch (error) {
      if (!(error instanceof SignOutRefused)) throw error
      return reply.redirect('/oauth/sign-out?error=invalid_request', 303)
    }
  }
  fastify.get(oauthPaths.end_session, options, (request, reply) => signOut(request.query, reply))
  fastify.post(oauthPaths.end_session, options, (request, reply) => signOut(request.body, reply))

  fastify.get<{ Querystring: { answer?: unknown; timezone?: unknown } }>(
    '/oauth/respond',
    options,
    (request, reply) => {
      const { answer, timezone } = request.query
      const form = typeof answer === 'string' ? addresses.form(answer) : undefined
      if (form === undefined) throw new NotFound()
      const isZone = typeof timezone === 'string' && zone.test(timezone)
      const fields = { ...form.fields, ...(isZone && { timezone }) }
      const { t, language } = parts.facts(request)
      const nonce = randomBytes(16).toString('base64')
      const page = formPage({ uri: form.uri, fields }, { nonce, language, button: t('oauth.continue') })
      return reply
        .headers({
          'content-security-policy': formPolicy(form.uri, nonce),
          'referrer-policy': 'no-referrer',
        })
        .type('text/html; charset=utf-8')
        .send(page)
    },
  )
}

/**
 * Renders a form that submits itself (OAuth 2.0 Form Post Response Mode), with a button for browsers without
 * scripts.
 */
function formPage(
  { uri, fields }: AnswerForm,
  look: { readonly nonce: string; readonly language: string; readonly button: string },
): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const button = escapeHtml(look.button)
  return `<!doctype html>
<html lang="${look.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${button}</title></head>
<body>
<form method="post" action="${escapeHtml(uri)}">
${inputs.join('\n')}
<noscript><button type="submit">${button}</button></noscript>
</form>
<script nonce="${look.nonce}">document.forms[0].submit()</script>
</body>
</html>
`
}

/** The form can only be submitted to the application and redirect from there. */
function formPolicy(uri: string, nonce: string): string {
  const { origin, protocol } = new URL(uri)
  const target = origin === 'null' ? protocol : `${origin} https:`
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `form-action ${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
