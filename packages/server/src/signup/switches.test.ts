import { describe, expect, test } from 'vitest'
import { makeDiscount, makeDomain } from '../testing/factories.ts'
import { apply, countRows, finish } from '../testing/signup/sign-up.ts'
import { bareStep, makePlan } from '../testing/signup/signup-ways.ts'
import { useTestApp } from '../testing/test-app.ts'

describe('with sign-up disabled', () => {
  const app = useTestApp({ APP_WITH_SIGNUP: '0' })

  test.each(['GET /api/auth/signup/plans', 'GET /api/auth/signup/domains'])('%s is a 404', async (route) => {
    expect((await app().call(route)).status).toBe(404)
  })

  test.each(['init', 'verify', 'validate', ''])('POST signup/%s is a 404, whatever is sent', async (step) => {
    const route = `POST /api/auth/signup/${step}`
    for (const body of [{}, { email: 5 }, { plan: 'individual', email: 'a@b.test' }]) {
      expect((await app().call(route, { body })).status).toBe(404)
    }
  })
})

describe('with limits for open codes and a default domain', () => {
  const app = useTestApp({ SIGNUP_LIMIT_EMAIL: '2', SIGNUP_LIMIT_IP: '3', APP_URL: 'https://portal.test' })
  const init = (email: string, ip: string) =>
    app().call('POST /api/auth/signup/init', { body: { plan: 'individual', email }, ip })

  test('no domain is preselected until the default one exists', async () => {
    const domains = async () => (await app().call('GET /api/auth/signup/domains')).body
    expect(await domains()).toEqual({ status: 'success', domains: [], domain: null })
    await makeDomain(app(), 'a.test')
    await makeDomain(app(), 'portal.test')
    expect(await domains()).toEqual({
      status: 'success',
      domains: ['a.test', 'portal.test'],
      domain: 'portal.test',
    })
  })

  test('an address gets two codes until they expire', async () => {
    const unusable = { status: 422, body: { errors: { email: ['This e-mail address can’t be used.'] } } }
    expect((await init('a@b.test', '203.0.113.1')).status).toBe(200)
    expect((await init('A@b.test', '203.0.113.2')).status).toBe(200)
    expect(await init('a@b.test', '203.0.113.3')).toMatchObject(unusable)
    app().clock.advance(24 * 3600)
    expect((await init('a@b.test', '203.0.113.3')).status).toBe(200)
  })

  test('a network address gets three codes', async () => {
    for (const name of ['c', 'd', 'e']) expect((await init(`${name}@b.test`, '203.0.113.9')).status).toBe(200)
    expect((await init('f@b.test', '203.0.113.9')).status).toBe(422)
    expect((await init('f@b.test', '203.0.113.10')).status).toBe(200)
  })

  test("e-mails link to the portal's address", async () => {
    await init('link@b.test', '203.0.113.20')
    const mail = (await app().mails()).find((one) => one.to[0]?.address === 'link@b.test')
    expect(mail?.text).toContain('https://portal.test/signup/')
    expect(mail?.from.address).toBe('noreply@portal.test')
  })
})

describe('in production without a payment provider', () => {
  const app = useTestApp({ NODE_ENV: 'production', PAYMENT_PROVIDER: undefined })

  test('prepaid plans are neither offered nor available, with any voucher', async () => {
    await makeDomain(app(), 'example.test')
    await makePlan(app(), { title: 'phone', mode: 'mandate' })
    await makeDiscount(app(), { code: 'FREE', discount: 100 })
    const { body } = await app().call('GET /api/auth/signup/plans')
    expect(body.plans.map(({ title }: { title: string }) => title)).toEqual(['individual', 'group'])
    const refused = { status: 403, body: { message: 'Payments aren’t available here.' } }
    const before = await countRows(app())
    const email = 'payer@elsewhere.test'
    expect(await app().call('POST /api/auth/signup/init', { body: { plan: 'phone', email } })).toMatchObject(
      refused,
    )
    for (const voucher of [undefined, 'FREE']) {
      const order = { body: bareStep('payer', { plan: 'phone', voucher }) }
      expect(await app().call('POST /api/auth/signup/validate', order)).toMatchObject(refused)
      expect(await app().call('POST /api/auth/signup', order)).toMatchObject(refused)
    }
    expect(await countRows(app())).toEqual(before)
  })

  test('an older code does not help either, and other plans are available as usual', async () => {
    const applicant = await apply(app())
    await app()
      .database.db.updateTable('plans')
      .set({ mode: 'mandate' })
      .where('title', '=', 'individual')
      .execute()
    expect((await finish(app(), applicant)).status).toBe(403)
    await app()
      .database.db.updateTable('plans')
      .set({ mode: 'email' })
      .where('title', '=', 'individual')
      .execute()
    const made = await finish(app(), applicant)
    expect(made).toMatchObject({
      status: 200,
      body: { statusInfo: { enableWallets: true, enableWalletPayments: false, enableWalletMandates: false } },
    })
  })
})
