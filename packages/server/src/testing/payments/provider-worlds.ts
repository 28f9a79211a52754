import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import { MollieProvider } from '../../billing/payments/mollie/mollie-provider.ts'
import type {
  PaymentOrder,
  PaymentProvider,
  ProviderPayment,
  WebhookMessage,
} from '../../billing/payments/providers/provider.ts'
import { StripeProvider } from '../../billing/payments/stripe/stripe-provider.ts'
import { type Clock, ManualClock } from '../../platform/clock.ts'
import { MollieServer } from './mollie-server.ts'
import type { PaymentServer } from './payment-server.ts'
import { StripeServer } from './stripe-server.ts'

/** A bank's response to an off-session charge. */
export type BankTemper = 'accepts' | 'declines' | 'takes days'

/** A provider, and everyone at its other end: customers, banks, and its messages. */
export interface ProviderWorld extends AsyncDisposable {
  readonly name: 'stripe' | 'mollie'
  readonly provider: PaymentProvider
  readonly server: PaymentServer
  /** The account's API key, which must not leak. */
  readonly key: string
  /** Settings of an installation that uses the provider. */
  readonly settings: Readonly<Record<string, string>>
  /** The requests that start a payment on a page or a charge. */
  readonly begins: { readonly page: RegExp; readonly charge: RegExp }
  /** Counts the provider's payments. */
  countPayments(): number
  pay(id: string, temper?: BankTemper): void
  /** The customer instructs their bank to pay. */
  order(id: string): void
  arrive(id: string): void
  /** The ordered payment fails. */
  bounce(id: string): void
  expire(id: string): void
  /** The bank reverses an amount, in minor units. */
  chargeBack(id: string, amount: number): void
  giveBack(id: string): void
  /** Refunds of a payment fail. */
  failRefunds(id: string): void
  deleteCustomer(id: string): void
  /** The mandate is revoked at the provider, without notifying us. */
  revoke(mandateId: string): void
  /** Returns messages about events since the last call, oldest first. */
  messages(): WebhookMessage[]
  /** Returns the message with one character changed. */
  tampered(message: WebhookMessage): WebhookMessage
}

/** Returns an order like ours. */
export function anOrder(
  facts: Partial<PaymentOrder> & { readonly customerId?: string | null } = {},
): PaymentOrder {
  const { customerId = null, ...others } = facts
  return {
    paymentId: randomUUID(),
    customer: { walletId: randomUUID(), id: customerId, name: 'Jane Doe', email: 'jane@example.test' },
    amount: 1250,
    currency: 'CHF',
    method: 'creditcard',
    description: 'Gatehouse Payment',
    returnUrl: 'https://portal.example.test/wallet',
    language: 'de',
    ...others,
  }
}

/** Request timeout in tests, in milliseconds: long enough for a busy machine, short enough to wait for. */
const timeout = 1500

export async function stripeWorld(clock: Clock): Promise<ProviderWorld> {
  const server = await StripeServer.start(clock)
  const { account, key, webhookSecret } = server
  let told = 0
  return {
    name: 'stripe',
    server,
    key,
    provider: new StripeProvider({ key, webhookSecret, clock, apiUrl: server.url, timeout, retries: 0 }),
    settings: {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_KEY: key,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: server.url,
    },
    begins: { page: /^POST \/v1\/checkout\/sessions$/, charge: /^POST \/v1\/payment_intents$/ },
    countPayments: () => {
      const sessions = account.all('checkout.session')
      const belong = new Set(sessions.map((session) => session.payment_intent))
      return sessions.length + account.all('payment_intent').filter(({ id }) => !belong.has(id)).length
    },
    pay: (id, temper) => account.pay(id, temper),
    order: (id) => account.order(id),
    arrive: (id) => account.arrive(id),
    bounce: (id) => account.bounce(id),
    expire: (id) => account.expire(id),
    chargeBack: (id, amount) => void account.dispute(id, amount),
    giveBack: (id) => {
      const intent = account.intentFor(id)
      for (const dispute of account.all('dispute')) {
        if (dispute.payment_intent === intent.id) account.winDispute(dispute.id)
      }
    },
    failRefunds: (id) => {
      const intent = account.intentFor(id)
      for (const refund of account.all('refund')) {
        if (refund.payment_intent === intent.id) account.failRefund(refund.id)
      }
    },
    deleteCustomer: (id) => {
      account.objects.delete(id)
      // deleting a customer deletes their cards
      for (const method of account.all('payment_method')) if (method.customer === id) method.customer = null
    },
    revoke: (id) => {
      account.get(id, 'payment_method').customer = null
    },
    messages: () => {
      const news = account.events.slice(told)
      told = account.events.length
      return news.map((event) => server.message(event))
    },
    tampered: (message) => ({
      ...message,
      body: Buffer.from(message.body.toString().replace('"evt_', '"evil_')),
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export async function mollieWorld(clock: Clock): Promise<ProviderWorld> {
  const server = await MollieServer.start(clock)
  const { account, key } = server
  let told = 0
  const money = (id: string, amount: number) => ({
    value: (amount / 100).toFixed(2),
    currency: account.payment(id).amount.currency,
  })
  return {
    name: 'mollie',
    server,
    key,
    provider: new MollieProvider({
      key,
      apiUrl: server.url,
      timeout,
      webhookUrl: 'https://portal.example.test/api/webhooks/payment/mollie',
    }),
    settings: { PAYMENT_PROVIDER: 'mollie', MOLLIE_KEY: key, MOLLIE_API_URL: server.url },
    begins: { page: /^POST \/v2\/payments$/, charge: /^POST \/v2\/payments$/ },
    countPayments: () => account.payments.size,
    pay: (id, temper) => account.pay(id, temper),
    order: (id) => account.order(id),
    arrive: (id) => account.pay(id),
    bounce: (id) => account.end(id, 'failed'),
    expire: (id) => account.end(id, 'expired'),
    chargeBack: (id, amount) => account.chargeBack(id, money(id, amount)),
    giveBack: (id) => account.reverseChargebacks(id),
    failRefunds: (id) => account.endRefund(id, 'failed'),
    deleteCustomer: (id) => {
      const customer = account.customers.get(id)
      if (customer !== undefined) customer.isDeleted = true
    },
    revoke: (id) => {
      const mandate = account.mandates.get(id)
      if (mandate !== undefined) mandate.isRevoked = true
    },
    messages: () => {
      const news = account.changes.slice(told)
      told = account.changes.length
      return news.map((id) => server.message(id))
    },
    tampered: (message) => ({ ...message, body: Buffer.from(`${message.body.toString()}%00`) }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** All HTTP providers, for `describe.each`. */
export const providerWorlds = [
  ['stripe', stripeWorld],
  ['mollie', mollieWorld],
] as const

type StartWorld = (clock: Clock) => Promise<ProviderWorld>

/** Starts a separate provider for each test of a block, without a portal; read it inside tests only. */
export function useProviderWorld(start: StartWorld): {
  readonly world: ProviderWorld
  readonly clock: ManualClock
} {
  let clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
  let world: ProviderWorld | undefined
  beforeEach(async () => {
    clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
    world = await start(clock)
  })
  afterEach(async () => {
    await world?.[Symbol.asyncDispose]()
  })
  return {
    get world() {
      if (world === undefined) throw new Error('the provider is only available inside tests')
      return world
    },
    get clock() {
      return clock
    },
  }
}

/** Returns the provider's view of a payment that must exist. */
export async function readOf({ provider }: ProviderWorld, id: string): Promise<ProviderPayment> {
  const payment = await provider.readPayment(id)
  if (payment === undefined) throw new Error(`${id} does not exist`)
  return payment
}

/** Creates a paid card payment. */
export async function paidPayment(world: ProviderWorld): Promise<{ id: string; customerId: string | null }> {
  const started = await world.provider.startPayment(anOrder())
  world.pay(started.id)
  return started
}

/** Creates a mandate with the bank's response to charges. */
export async function mandateOf(
  world: ProviderWorld,
  temper: BankTemper = 'accepts',
): Promise<{ mandateId: string; customerId: string | null }> {
  const { id, customerId } = await world.provider.startMandate(anOrder({ amount: 0 }))
  world.pay(id, temper)
  const { mandateId } = await readOf(world, id)
  if (mandateId === null) throw new Error('no mandate was set up')
  return { mandateId, customerId }
}
