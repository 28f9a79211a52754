import { beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { makeDiscount, makeDomain, signInAs } from '../../testing/factories.ts'
import { bareStep, makeInvitation, makePlan } from '../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)
const host = 'reseller.localhost:8000'
let reseller: string | undefined

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const { database } = app()
  const [printed = ''] = await run(
    'tenant:create',
    ...['boss@partner.test', 'partner.test', '--title=Partner', '--url=https://mail.partner.test'],
  )
  const password = printed.split(' ').at(-1) ?? ''
  for (const name of ['mail.partner.test', 'partner.test']) {
    await run('tenant:confirm', '1', name, 'the contract names it')
  }
  await makePlan(app(), { title: 'ours', mode: 'email' })
  await makePlan(app(), { title: 'theirs', mode: 'email', tenantId: 1 })
  await makePlan(app(), { title: 'paid', mode: 'mandate', tenantId: 1 })
  // the tenant uses another currency than the service
  await database.db
    .updateTable('wallets')
    .set({ currency: 'EUR' })
    .where('id', '=', database.db.selectFrom('tenants').select('walletId').where('id', '=', 1))
    .execute()
  reseller = (await signInAs(app(), { email: 'boss@partner.test', password })).access_token
})

async function invite(email: string): Promise<string> {
  const answer = await app().call('POST /api/v4/invitations', { token: reseller, host, body: { email } })
  return answer.body.invitation.id
}

const call = (step: string, body: object) => app().call(`POST /api/auth/signup${step}`, { body })
const titles = async (query = '') => {
  const { body } = await app().call(`GET /api/auth/signup/plans${query}`)
  return body.plans.map(({ title, currency }: { title: string; currency: string }) => `${title} ${currency}`)
}

describe('a user invited by a reseller', () => {
  test("becomes a customer of that reseller on the service's host", async () => {
    const invitation = await invite('guest@elsewhere.test')
    const mail = (await app().mails()).find(({ text }) => text?.includes(invitation))
    expect(mail?.subject).toBe('You’re invited to join Partner')
    expect(JSON.stringify(mail)).toContain('noreply@partner.test')
    expect(await titles()).toContain('ours CHF')
    const offered = await titles(`?invitation=${invitation}`)
    expect(offered).toContain('theirs EUR')
    expect(offered.filter((one: string) => !one.endsWith(' EUR') || one.startsWith('ours'))).toEqual([])
    const domains = await app().call(`GET /api/auth/signup/domains?invitation=${invitation}`)
    expect(domains.body).toMatchObject({ domains: ['partner.test'], domain: 'partner.test' })

    const step = { ...bareStep('guest', { invitation, plan: 'individual' }), domain: 'partner.test' }
    expect((await call('/validate', step)).status).toBe(200)
    const { status, body } = await call('', step)
    expect(status).toBe(200)
    expect(body).toMatchObject({ email: 'guest@partner.test', wallet: { currency: 'EUR' } })
    const { db } = app().database
    const user = await db
      .selectFrom('users as u')
      .innerJoin('wallets as w', 'w.userId', 'u.id')
      .innerJoin('entitlements as e', 'e.walletId', 'w.id')
      .innerJoin('skus as k', 'k.id', 'e.skuId')
      .select(['u.tenantId as user', 'k.tenantId as sku', 'w.currency'])
      .distinct()
      .where('u.id', '=', body.id)
      .execute()
    expect(user).toEqual([{ user: 1, sku: 1, currency: 'EUR' }])
    const seen = await app().call(`GET /api/v4/users/${body.id}`, { token: reseller, host })
    expect(seen.body).toMatchObject({ tenant: { id: 1, title: 'Partner' } })
    const list = await app().call('GET /api/v4/invitations?state=completed', { token: reseller, host })
    expect(list.body.list).toMatchObject([{ id: invitation, isCompleted: true }])
    expect((await app().call(`GET /api/auth/signup/plans?invitation=${invitation}`)).status).toBe(404)
  })

  test("gets subsequent e-mails in the reseller's name", async () => {
    const invitation = await invite('letters@elsewhere.test')
    await call('', { ...bareStep('letters', { invitation, plan: 'theirs' }), domain: 'partner.test' })
    await app().call('POST /api/auth/password-reset/init', { body: { email: 'letters@partner.test' } })
    const mail = (await app().mails()).find(({ subject }) => /password/i.test(subject ?? ''))
    expect(JSON.stringify(mail)).toContain('noreply@partner.test')
    expect(mail?.text).toContain('https://mail.partner.test/')
  })

  test('cannot use plans, domains or vouchers of the service', async () => {
    const invitation = await invite('picky@elsewhere.test')
    await makeDiscount(app(), { discount: 50, code: 'OURS' })
    await makeDiscount(app(), { discount: 20, code: 'THEIRS', tenantId: 1 })
    const step = (facts: object) => ({
      ...bareStep('picky', { invitation, plan: 'theirs' }),
      domain: 'partner.test',
      ...facts,
    })
    expect((await call('/validate', step({ plan: 'ours' }))).body.errors).toHaveProperty('plan')
    expect((await call('/validate', step({ domain: 'example.test' }))).body.errors).toHaveProperty('domain')
    expect((await call('/validate', step({ voucher: 'OURS' }))).body.errors).toHaveProperty('voucher')
    const paid = await call('/validate', step({ plan: 'paid', voucher: 'THEIRS' }))
    expect(paid.body.summary).toContain('€7.92')
    const discount = await app().call(`GET /api/auth/signup/plans?voucher=THEIRS&invitation=${invitation}`)
    expect(discount.body.discount).toBe(20)
  })

  test('is rejected if the tenant has reached its user limit', async () => {
    const invitation = await invite('one-more@elsewhere.test')
    const { db } = app().database
    await db.insertInto('tenantLimits').values({ tenantId: 1, kind: 'users', value: 2 }).execute()
    const step = { ...bareStep('one.more', { invitation, plan: 'theirs' }), domain: 'partner.test' }
    expect((await call('', step)).status).toBe(422)
    await db.deleteFrom('tenantLimits').execute()
    expect((await call('', step)).status).toBe(200)
  })
})

describe('an installation of a single tenant', () => {
  const single = useTestApp({ APP_TENANT_ID: '4' })

  test('rejects invitations of other tenants', async () => {
    const { db } = single().database
    await db
      .insertInto('tenants')
      .values([
        { id: 4, title: 'Four', settings: '{}' },
        { id: 5, title: 'Five', settings: '{}' },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const own = await makeInvitation(single(), 'own@elsewhere.test', 4)
    const foreign = await makeInvitation(single(), 'foreign@elsewhere.test', 5)
    expect((await single().call(`GET /api/auth/signup/invitations/${own}`)).status).toBe(200)
    expect((await single().call(`GET /api/auth/signup/invitations/${foreign}`)).status).toBe(404)
    expect((await single().call(`GET /api/auth/signup/plans?invitation=${foreign}`)).status).toBe(404)
    const step = bareStep('foreign', { invitation: foreign, plan: 'individual' })
    expect((await single().call('POST /api/auth/signup', { body: step })).status).toBe(404)
  })
})
