import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import type { WebhookMessage } from '../../billing/payments/providers/provider.ts'
import { reconcileJob } from '../../billing/payments/settlement/reconcile.ts'
import type { Clock } from '../../platform/clock.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import type { ProviderWorld } from './provider-worlds.ts'
import type { Payer } from './sandbox.ts'

/** A portal that accepts payments through a provider's HTTP API; read it inside tests only. */
export interface ProviderApp {
  readonly app: TestApp
  readonly world: ProviderWorld
  /** Starts a payment and runs the work that follows immediately. */
  readonly begin: (payer: Payer, amount: number, facts?: Record<string, unknown>) => ReturnType<Payer['pay']>
  /** Sends one message to the portal's endpoint; returns the response status. */
  readonly send: (message: WebhookMessage) => Promise<number>
  /** Sends messages sequentially and runs the resulting work; returns the response statuses. */
  readonly deliver: (...messages: readonly WebhookMessage[]) => Promise<number[]>
  /** Advances time and runs everything due, like a running server. */
  readonly pass: (minutes: number) => Promise<void>
}

/**
 * One portal and one provider for all tests of a block. After each test, the books must balance and nothing
 * may wait for an operator.
 */
export function useProviderApp(
  start: (clock: Clock) => Promise<ProviderWorld>,
  settings: Record<string, string> = {},
): ProviderApp {
  let server: TestApp | undefined
  let provider: ProviderWorld | undefined
  beforeAll(async () => {
    provider = await start({ now: () => server?.clock.now() ?? new Date('2026-03-10T12:00:00Z') })
    server = await createTestApp({ ...provider.settings, ...settings })
  })
  afterEach(async () => {
    const { db } = present(server).database
    present(provider).server.recover()
    expect(await verifyLedger(db)).toEqual([])
    expect(await db.selectFrom('paymentAlarms').selectAll().execute()).toEqual([])
  })
  afterAll(async () => {
    await server?.close()
    await provider?.[Symbol.asyncDispose]()
  })

  const send = async ({ body, headers }: WebhookMessage): Promise<number> => {
    const flat = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
    const route = `POST /api/webhooks/payment/${present(provider).name}`
    return (await present(server).call(route, { body, headers: flat })).status
  }
  return {
    get app() {
      return present(server)
    },
    get world() {
      return present(provider)
    },
    async begin(payer, amount, facts = {}) {
      const payment = await payer.pay(amount, facts)
      await present(server).jobs.drain()
      return payment
    },
    send,
    async deliver(...messages) {
      const statuses: number[] = []
      for (const message of messages) statuses.push(await send(message))
      await present(server).jobs.drain()
      return statuses
    },
    async pass(minutes) {
      const { clock, jobs, database } = present(server)
      clock.advance(minutes * 60)
      await jobs.enqueue(database.db, reconcileJob, {})
      await jobs.drain()
    },
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('portal and provider are only available inside tests')
  return value
}
