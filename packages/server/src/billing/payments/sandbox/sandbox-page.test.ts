import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { balanceOf } from '../../../testing/payments/billing.ts'
import {
  type BegunPayment,
  makePayer,
  type Payer,
  sandboxOf,
  statusOf,
} from '../../../testing/payments/sandbox.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp()
let payer: Payer
let payment: BegunPayment

beforeAll(async () => {
  payer = await makePayer(app(), { settings: { first_name: '<b>Olivia', last_name: 'Berger' } })
})

beforeEach(async () => {
  payment = await payer.pay(10)
})

const path = () => new URL(payment.url).pathname
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const choose = (outcome: string, at = path()) =>
  app().call(`POST ${at}`, { body: `outcome=${outcome}`, headers: form })

describe('the sandbox page', () => {
  test('shows the payment and the payer as plain text', async () => {
    const { status, body, headers } = await app().call(`GET ${path()}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('CHF')
    expect(body).toContain('&lt;b&gt;Olivia Berger')
    expect(body).not.toContain('<b>Olivia')
    expect(body).not.toContain('<script')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; style-src 'self' 'nonce-[^']+'; /)
    expect(policy).toContain("form-action 'self' http://localhost:8000")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test.each([
    ['de', 'Bezahlen'],
    ['fr', 'Payer'],
    ['it', 'Paga'],
  ])('speaks the language in which the payment was begun: %s', async (language, word) => {
    const { body } = await payer.call('POST /api/v4/payments', { amount: 10 }, language)
    const page = await app().call(`GET ${new URL(body.redirectUrl).pathname}`)
    expect(page.body).toContain(`<html lang="${language}">`)
    expect(page.body).toContain(word)
  })

  test.each(['paid', 'failed', 'canceled', 'expired', 'pending'])('lets one choose: %s', async (outcome) => {
    const before = await balanceOf(app(), payer.walletId)
    const { status, headers } = await choose(outcome)
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: 'http://localhost:8000/wallet',
    })
    await app().jobs.drain()
    expect(await statusOf(app(), payment.id)).toBe(outcome)
    expect((await balanceOf(app(), payer.walletId)) - before).toBe(outcome === 'paid' ? 1000 : 0)
  })

  test('of a decided payment says so and offers no choices', async () => {
    await choose('paid')
    const again = await choose('failed')
    expect({ status: again.status, location: again.headers.location }).toEqual({
      status: 303,
      location: path(),
    })
    const { body } = await app().call(`GET ${path()}`)
    expect(body).toContain('The payment succeeded.')
    expect(body).not.toContain('<form')
    await app().jobs.drain()
    expect(await statusOf(app(), payment.id)).toBe('paid')
  })

  test('of a pending payment lets the bank decide', async () => {
    await choose('pending')
    expect((await app().call(`GET ${path()}`)).body).toContain('You’re the bank')
    expect((await choose('paid')).status).toBe(303)
    await app().jobs.drain()
    expect(await statusOf(app(), payment.id)).toBe('paid')
  })

  test.each(['', 'outcome=free', 'outcome=paid&card=stolen'])('shows itself again for %j', async (body) => {
    const { status } = await app().call(`POST ${path()}`, { body, headers: form })
    expect(status).toBe(200)
    expect(await statusOf(app(), payment.id)).toBe('open')
  })

  test('is accessible only through its secret URL', async () => {
    for (const at of ['/sandbox/pay/x', `/sandbox/pay/${payment.providerId}`, `/sandbox/pay/${payment.id}`]) {
      expect((await app().call(`GET ${at}`)).status).toBe(404)
      expect((await choose('paid', at)).status).toBe(404)
    }
    expect(await statusOf(app(), payment.id)).toBe('open')
  })
})

describe('a sandbox mandate', () => {
  const order = (paymentId: string, amount: number) => ({
    paymentId,
    customer: { walletId: payer.walletId, id: null, name: 'Olivia', email: 'o@example.test' },
    amount,
    currency: 'CHF',
    method: 'creditcard' as const,
    description: 'Auto-payment',
    returnUrl: 'http://localhost:8000/payment/status',
    language: 'en',
  })

  test.each([
    ['good', 'paid'],
    ['broke', 'failed'],
    ['slow', 'pending'],
  ] as const)('with the card %s has charges that are %s', async (card, outcome) => {
    const sandbox = sandboxOf(app())
    const started = await sandbox.startMandate(order(`set-up-${card}`, 0))
    const page = new URL(started.redirectUrl ?? '').pathname
    expect((await app().call(`GET ${page}`)).body).toContain('Future charges fail')
    await app().call(`POST ${page}`, { body: `outcome=paid&card=${card}`, headers: form })
    const setUp = await sandbox.readPayment(started.id)
    expect(setUp).toMatchObject({ status: 'paid', mandateId: expect.any(String) })
    const mandateId = setUp?.mandateId ?? ''
    expect(await sandbox.readMandate(mandateId)).toMatchObject({ status: 'valid', methodId: 'creditcard' })
    const charge = await sandbox.chargeMandate(order(`charge-${card}`, 500), mandateId)
    const again = await sandbox.chargeMandate(order(`charge-${card}`, 500), mandateId)
    expect(again.id).toBe(charge.id)
    expect(await sandbox.readPayment(charge.id)).toMatchObject({ status: outcome, amount: 500 })
    await sandbox.revokeMandate(mandateId)
    expect(await sandbox.readMandate(mandateId)).toBeUndefined()
    await expect(sandbox.chargeMandate(order(`late-${card}`, 500), mandateId)).rejects.toThrow('mandate')
  })
})
