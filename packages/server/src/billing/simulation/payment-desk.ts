import Fastify, { type FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import pino from 'pino'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { Secrets } from '../../platform/secrets.ts'
import { Throttle } from '../../platform/throttle/throttle.ts'
import { handleAutoPayment } from '../auto-payment/handle-auto-payment.ts'
import type { AutoPaymentParts } from '../auto-payment/parts.ts'
import { paymentFollowers } from '../payment-followers.ts'
import { PaymentProviders } from '../payments/providers/providers.ts'
import { handleSandboxMessages, MessageNotTaken } from '../payments/sandbox/deliver-messages.ts'
import { handlePayments } from '../payments/settlement/reconcile.ts'
import { servePaymentWebhooks } from '../payments/settlement/webhook.ts'
import { Bank, type BankParts } from './bank.ts'

export interface DeskParts extends Pick<BankParts, 'clock' | 'jobs' | 'luckOf' | 'troubleRate'> {
  /** The bank's own connections, which are never terminated. */
  readonly quiet: Db
  readonly pool: Pool
  /** Connections of the portal. */
  readonly crashing: Db
}

/** A portal's payment components on unreliable connections, and the bank that they use. */
export interface PaymentDesk {
  readonly bank: Bank
  readonly parts: AutoPaymentParts
  readonly jobs: Jobs
}

const config = {
  APP_NAME: 'Gatehouse',
  APP_URL: 'https://portal.test',
  VAT_MODE: '1',
  APP_LDAP: false,
  PAYMENT_MAX_AMOUNT: 1_000_000,
} as const

/** Composes the real components: providers, followers, jobs, and the webhook endpoint. */
export function openPaymentDesk({ quiet, pool, crashing, ...parts }: DeskParts): PaymentDesk {
  const { clock, jobs } = parts
  const log = pino({ level: 'silent' })
  const secrets = new Secrets('simulation, which has no secrets at all')
  const bank = new Bank({ ...parts, db: quiet, secrets, link: (path) => `${config.APP_URL}${path}` })
  const providers = new PaymentProviders([bank], 'sandbox')
  const followers = paymentFollowers({ clock, jobs, config })
  const payments = { config, db: crashing, clock, jobs, log, providers, followers }
  handlePayments(payments)
  handleAutoPayment(jobs, payments)
  const fastify = serveMessages(payments, new Throttle(pool, clock))
  handleSandboxMessages(jobs, {
    sandbox: bank,
    clock,
    deliver: async (payload, headers) => {
      const url = '/api/webhooks/payment/sandbox'
      return (await fastify.inject({ method: 'POST', url, payload, headers: { ...headers } })).statusCode
    },
  })
  return { bank, parts: payments, jobs }
}

function serveMessages(payments: AutoPaymentParts, throttle: Throttle): FastifyInstance {
  const fastify = Fastify()
  servePaymentWebhooks({
    fastify,
    // only the client address is needed
    facts: (request) =>
      ({ ip: request.ip }) as ReturnType<Parameters<typeof servePaymentWebhooks>[0]['facts']>,
    payments,
    throttle,
  })
  return fastify
}

/** Whether a webhook was temporarily rejected, so that it must be resent. */
export function isUntaken(error: unknown): boolean {
  return error instanceof MessageNotTaken
}
