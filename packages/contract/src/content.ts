import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { successEnvelope } from './envelope.ts'
import { defineRoutes } from './route.ts'

export const faqEntry = z.object({ href: z.string(), label: z.string(), title: z.string() })

export type FaqEntry = z.infer<typeof faqEntry>

export const contentRoutes = defineRoutes({
  'GET /content/faq/{*}': {
    summary: 'List the questions and answers for a page',
    tag: 'Content',
    auth: 'public',
    params: z.object({ '*': z.string() }),
    ok: z.object({ status: z.literal('success'), faq: z.array(faqEntry) }),
    errors: [404],
  },
  'POST /api/v4/support/request': {
    summary: 'Send a message to support',
    tag: 'Content',
    auth: 'public',
    hosts: ['user'],
    body: z.object({
      user: z.string().max(256).nullish(),
      name: z.string().max(256).nullish(),
      email: emailAddress,
      summary: z.string().max(512),
      body: z.string().max(100_000),
    }),
    // each character may take six bytes in JSON
    bodyLimit: 640 * 1024,
    ok: successEnvelope,
    errors: [404, 422, 429, 500],
  },
})
