import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../platform/clock.ts'
import { MollieServer } from '../../../testing/payments/mollie-server.ts'
import { anOrder } from '../../../testing/payments/provider-worlds.ts'
import { ProviderUnavailable } from '../providers/provider-errors.ts'
import { fromMollie, toMollie } from './mollie-payment.ts'
import { MollieProvider } from './mollie-provider.ts'

const webhookUrl = 'https://portal.example.test/api/webhooks/payment/mollie'

describe('amounts', () => {
  test.each([
    [1, 'CHF', '0.01'],
    [1250, 'EUR', '12.50'],
    [0, 'CHF', '0.00'],
    [99_999_999, 'CHF', '999999.99'],
    [1005, 'CHF', '10.05'],
    [1250, 'JPY', '1250'],
  ])('%d of %s are written %s and read again', (amount, currency, value) => {
    expect(toMollie(amount, currency)).toEqual({ value, currency })
    expect(fromMollie({ value, currency })).toBe(amount)
  })

  test('round-trip for every value', () => {
    for (let amount = 0; amount < 20_000; amount += 7) {
      expect(fromMollie(toMollie(amount, 'CHF'))).toBe(amount)
    }
  })
})

describe('over the API', () => {
  let server: MollieServer
  let provider: MollieProvider

  beforeEach(async () => {
    server = await MollieServer.start(new ManualClock(new Date('2026-03-10T12:00:00Z')))
    provider = new MollieProvider({ key: server.key, apiUrl: server.url, webhookUrl })
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
  })

  test('a payment contains the webhook URL, the language and the return URL', async () => {
    const { id } = await provider.startPayment(anOrder({ language: 'it' }))
    expect(server.account.payment(id)).toMatchObject({
      webhookUrl,
      locale: 'it_IT',
      redirectUrl: 'https://portal.example.test/wallet',
      sequenceType: 'oneoff',
      method: 'creditcard',
    })
  })

  test("a machine that Mollie can't reach sends no webhook URL", async () => {
    const local = new MollieProvider({ key: server.key, apiUrl: server.url, webhookUrl: undefined })
    const { id } = await local.startPayment(anOrder())
    expect(server.account.payment(id).webhookUrl).toBeNull()
  })

  test('a charge needs no page and has an immediate result', async () => {
    const { id, customerId } = await provider.startMandate(anOrder({ amount: 0 }))
    server.account.pay(id)
    const mandateId = (await provider.readPayment(id))?.mandateId
    const charge = await provider.chargeMandate(anOrder({ customerId }), String(mandateId))
    expect(charge.redirectUrl).toBeUndefined()
    expect(server.account.payment(charge.id)).toMatchObject({
      sequenceType: 'recurring',
      redirectUrl: null,
      webhookUrl,
    })
  })

  test("a card payment can't be cancelled, and says so", async () => {
    const { id } = await provider.startPayment(anOrder())
    expect(await provider.readPayment(id)).toMatchObject({ isCancelable: false })
    await expect(provider.cancelPayment(id)).rejects.toMatchObject({ refusal: 'too late' })
  })

  test('a manually created payment without our metadata is ignored', async () => {
    const { id } = await provider.startPayment(anOrder())
    const payment = server.account.payment(id)
    server.account.payments.set(id, { ...payment, metadata: 'order 7' })
    expect(await provider.readPayment(id)).toMatchObject({ paymentId: null })
  })

  test('an invalid API key is an outage for customers and is not revealed', async () => {
    const wrong = new MollieProvider({ key: 'test_wrongwrong', apiUrl: server.url, webhookUrl })
    const failure = await wrong.startPayment(anOrder()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderUnavailable)
    expect(String(failure)).not.toContain('wrongwrong')
  })

  test.each([
    ['id=tr_7UhSN1zuXS', ['tr_7UhSN1zuXS']],
    ['id=tr_7UhSN1zuXS&id=tr_other', ['tr_7UhSN1zuXS']],
    ['testByMollie=1', []],
    ['id=sub_1', []],
    ['id=tr_', []],
    ['id=tr_%00', []],
    ['id=tr_1%2F..%2F..', []],
    ['id[]=tr_1', []],
    [`id=tr_${'a'.repeat(500)}`, []],
  ])('the message %s is about %j', async (body, ids) => {
    expect(await provider.readWebhook({ body: Buffer.from(body), headers: {} })).toEqual(ids)
  })
})

describe('a response that', () => {
  let other: Server
  let reached = 0
  let answer: { status: number; body: string; headers?: Record<string, string> }

  beforeEach(async () => {
    reached = 0
    other = createServer((request, response) => {
      reached += 1
      response.writeHead(answer.status, answer.headers)
      response.end(request.url === '/elsewhere' ? '{}' : answer.body)
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  })
  afterEach(async () => {
    await new Promise<void>((done) => other.close(() => done()))
  })

  const read = () => {
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const apiUrl = `http://127.0.0.1:${port}`
    return new MollieProvider({ key: 'test_localLOCAL', apiUrl, webhookUrl }).readPayment('tr_1')
  }

  test.each([
    ['lacks what a payment has', '{"id":"tr_1"}'],
    ['has an amount of no form', JSON.stringify(payment({ amount: { value: '1e3', currency: 'CHF' } }))],
    ['has a status that there is not', JSON.stringify(payment({ status: 'delighted' }))],
    ['is empty', ''],
    ['is endless', ' '.repeat(5 * 1024 * 1024)],
  ])('%s is an outage', async (_what, body) => {
    answer = { status: 200, body }
    await expect(read()).rejects.toBeInstanceOf(ProviderUnavailable)
  })

  test('has unknown fields is accepted', async () => {
    answer = { status: 200, body: JSON.stringify({ ...payment({}), new: true }) }
    expect(await read()).toMatchObject({ id: 'tr_1', amount: 1000 })
  })

  test('redirects is not followed, because that would forward the key', async () => {
    answer = { status: 302, body: '', headers: { location: '/elsewhere' } }
    await expect(read()).rejects.toBeInstanceOf(ProviderUnavailable)
    expect(reached).toBe(1)
  })
})

function payment(facts: Record<string, unknown>) {
  return {
    id: 'tr_1',
    status: 'open',
    amount: { value: '10.00', currency: 'CHF' },
    createdAt: '2026-03-10T12:00:00+00:00',
    _links: {},
    ...facts,
  }
}
