import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ApiParts } from '../../../platform/http/api.ts'
import { NotFound, TooManyRequests } from '../../../platform/http/errors.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Throttle } from '../../../platform/throttle/throttle.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { findByProvider, readPayment } from '../payment-store.ts'
import { WebhookRefused } from '../providers/provider-errors.ts'
import { raiseAlarm } from './alarms.ts'
import { settle } from './settle.ts'

/** A provider's notification about a payment, named by its own ID. */
export const paymentMessageJob = defineJob(
  'payment:message',
  z.object({ provider: z.string(), providerId: z.string() }),
  10,
)

/** Providers whose webhooks contain only a payment ID and aren't signed. */
const unsigned: ReadonlySet<string> = new Set(['mollie'])

/** Any provider's ID: printable characters that the database can store. */
const anyId = /^[\x21-\x7e]{1,255}$/

/** Bytes; typical webhooks have a few thousand. */
const bodyLimit = 256 * 1024

export interface WebhookParts {
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly payments: PaymentParts
  readonly throttle: Throttle
}

interface MessageRequest {
  Params: { provider: string }
}

/**
 * Provider webhooks at `/api/webhooks/payment/{provider}`. They are acknowledged once stored, and only trigger
 * a check at the provider: their content is never booked. Reference api-billing-admin §6.
 */
export function servePaymentWebhooks({ fastify, facts, payments, throttle }: WebhookParts): void {
  const { db, jobs, log, providers } = payments
  void fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    child.post<MessageRequest>(
      '/api/webhooks/payment/:provider',
      { schema: { hide: true }, bodyLimit },
      async (request, reply) => {
        const provider = providers.named(request.params.provider)
        if (provider === undefined) throw new NotFound()
        const { ip } = facts(request)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const isFalse = (error: unknown) => error instanceof WebhookRefused
        const ids = await throttle.guard({ kind: 'payment-message', ip }, isFalse, () =>
          provider.readWebhook({ body, headers: request.headers }),
        )
        for (const providerId of new Set(ids)) {
          if (!anyId.test(providerId) || !(await isWorthALook(provider.name, providerId, ip))) continue
          const key = `payment:message:${provider.name}:${providerId}`
          await jobs.enqueue(db, paymentMessageJob, { provider: provider.name, providerId }, { key })
        }
        return reply.type('text/plain; charset=utf-8').send('Success')
      },
    )
  })

  /**
   * False if rate-limited. Without signatures anyone can send any ID, and each costs a call to the provider.
   */
  async function isWorthALook(provider: string, providerId: string, ip: string): Promise<boolean> {
    if ((await findByProvider(db, provider, providerId)) !== undefined) return true
    log.warn({ provider, providerId }, 'webhook for an unknown payment')
    if (!unsigned.has(provider)) return true
    try {
      await throttle.spend({ kind: 'payment-unknown', ip })
      return true
    } catch (error) {
      if (error instanceof TooManyRequests) return false
      throw error
    }
  }
}

/** Registers the job that processes webhooks. */
export function handlePaymentMessages(parts: PaymentParts): void {
  parts.jobs.handle(paymentMessageJob, ({ provider, providerId }) => hear(parts, provider, providerId))
}

async function hear(parts: PaymentParts, providerName: string, providerId: string): Promise<void> {
  const { db, providers } = parts
  const known = await findByProvider(db, providerName, providerId)
  if (known !== undefined) {
    await settle(parts, known.id)
    return
  }
  const said = await providers.named(providerName)?.readPayment(providerId)
  if (said === undefined) return
  // the webhook arrived before the provider's response was stored
  const ours = said.paymentId === null ? undefined : await readPayment(db, said.paymentId)
  if (ours?.provider === providerName && ours.providerId === null) {
    await settle(parts, ours.id)
    return
  }
  // money moved for a payment that isn't in our books
  if (said.status !== 'paid' && said.reversals.length === 0) return
  await raiseAlarm(db, parts, {
    provider: providerName,
    providerId,
    kind: 'unknown-payment',
    facts: {
      status: said.status,
      amount: said.amount,
      currency: said.currency,
      reversals: said.reversals.map(({ id, type, amount }) => ({ id, type, amount })),
    },
  })
}
