import { randomBytes } from 'node:crypto'
import { isLanguage } from '@gatehouse/contract/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ApiParts } from '../../../platform/http/api.ts'
import { chosenScheme } from '../../../platform/http/connections/chosen-scheme.ts'
import { createTranslator } from '../../../platform/i18n/translator.ts'
import { outcomes, type Sandbox, type TestCard, testCards } from './sandbox.ts'
import { checkoutPage, type PageFacts, unknownPage } from './sandbox-page.ts'
import type { SandboxPayment } from './sandbox-store.ts'

export interface SandboxRouteParts {
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly sandbox: Sandbox
  readonly site: string
  readonly theme: string
}

const decision = z.object({
  outcome: z.enum(outcomes),
  card: z.enum(Object.keys(testCards) as [TestCard, ...TestCard[]]).default('good'), // the keys are the cards
})

interface PageRequest {
  Params: { token: string }
}

/** The sandbox page on which the payer decides the outcome. Its secret URL is the authorization. */
export function serveSandbox({ fastify, facts, sandbox, site, theme }: SandboxRouteParts): void {
  const options = { schema: { hide: true } }

  fastify.get<PageRequest>('/sandbox/pay/:token', options, async (request, reply) => {
    return show(request, reply, await sandbox.paymentAt(request.params.token))
  })

  fastify.post<PageRequest>('/sandbox/pay/:token', options, async (request, reply) => {
    const payment = await sandbox.paymentAt(request.params.token)
    const asked = decision.safeParse(request.body)
    if (payment === undefined || !asked.success) return show(request, reply, payment)
    const isDone = await sandbox.decide(payment.id, asked.data.outcome, asked.data.card)
    // a double click, or another choice in a second window: the page shows the current state
    if (!isDone) return reply.redirect(request.url, 303)
    return reply.redirect(payment.returnUrl, 303)
  })

  function show(request: FastifyRequest, reply: FastifyReply, payment: SandboxPayment | undefined) {
    const asked = payment?.language
    const language = isLanguage(asked) ? asked : facts(request).language
    const page: PageFacts = {
      t: createTranslator(language),
      language,
      scheme: chosenScheme(request.headers.cookie),
      nonce: randomBytes(16).toString('base64'),
      site,
      theme,
    }
    return reply
      .code(payment === undefined ? 404 : 200)
      .headers({
        'content-security-policy': contentSecurityPolicy(page.nonce, payment?.returnUrl),
        'referrer-policy': 'no-referrer',
      })
      .type('text/html; charset=utf-8')
      .send(payment === undefined ? unknownPage(page) : checkoutPage(payment, page))
  }
}

/** A form whose response redirects elsewhere is also subject to `form-action` for that URL. */
function contentSecurityPolicy(nonce: string, returnUrl: string | undefined): string {
  const back = returnUrl === undefined ? '' : ` ${new URL(returnUrl).origin}`
  return [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    `form-action 'self'${back}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
