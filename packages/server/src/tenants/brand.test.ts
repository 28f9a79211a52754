import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../main/settings/config.ts'
import { makeDomain, makeTenant } from '../testing/factories.ts'
import { makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { Brands } from './brand.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  for (const id of [7, 8]) await makeTenant(app(), id)
  const admin = await makeStaff(app(), 'admin')
  const body = {
    'app.name': 'Partner',
    'app.theme': 'harbour',
    'app.public_url': 'https://Mail.Partner.test:8443/',
    'app.support_email': 'help@partner.test',
  }
  await admin.call('PUT /api/v4/tenants/7', { body })
  const confirm = 'POST /api/v4/tenants/7/names/mail.partner.test/confirm'
  await admin.call(confirm, { body: { reason: 'ours' } })
})

/** Returns the brand for a request. */
const brand = (hostname: string, cookie?: string, variant: 'user' | 'admin' | 'reseller' = 'user') =>
  new Brands(app().database.db, loadConfig({ NODE_ENV: 'test' }), ['default', 'harbour']).of({
    ...{ hostname, variant, cookie },
  })

describe('a page shows the brand', () => {
  test('of the tenant whose host was requested, regardless of case and port', async () => {
    expect(await brand('mail.partner.test')).toEqual({
      tenantId: 7,
      theme: 'harbour',
      name: 'Partner',
      url: 'https://mail.partner.test:8443',
      supportEmail: 'help@partner.test',
    })
    expect(await brand('MAIL.partner.test', 'tenant=8')).toMatchObject({ tenantId: 7 })
  })

  test('of the tenant of the last user who signed in, on the shared portal host', async () => {
    const known = await brand('localhost', 'language=de; tenant=7')
    expect(known).toMatchObject({ tenantId: 7, theme: 'harbour', url: 'http://localhost:8000' })
    expect(await brand('reseller.localhost', 'tenant=7', 'reseller')).toMatchObject({ tenantId: 7 })
  })

  test.each([
    ['localhost', undefined],
    ['localhost', 'tenant=0'],
    ['localhost', 'tenant=99'],
    ['localhost', 'tenant=7;tenant=x'],
    ['localhost', 'tenant=%00'],
    ["' or 1=1", 'tenant=1e3'],
    ['', undefined],
  ])('of the installation at %j with the cookie %j', async (host, cookie) => {
    const found = await brand(host, cookie)
    if (cookie?.startsWith('tenant=7') !== true)
      expect(found).toMatchObject({ tenantId: 0, theme: 'default' })
    else expect(found.tenantId).toBe(7)
  })

  test('of the installation for administrators, and its theme if a tenant has chosen none', async () => {
    expect(await brand('admin.localhost', 'tenant=7', 'admin')).toMatchObject({ tenantId: 0 })
    expect(await brand('localhost', 'tenant=8')).toMatchObject({ tenantId: 8, theme: 'default' })
  })
})

test('content pages show it too', async () => {
  const page = async (host: string) => (await app().call('GET /content/page/support', { host })).body
  expect(await page('mail.partner.test')).toContain('help@partner.test')
  expect(await page('localhost')).not.toContain('help@partner.test')
})

test('an unknown theme cannot be chosen', async () => {
  const reseller = await makeStaff(app(), 'reseller', 7)
  const { status, body } = await reseller.call('PUT /api/v4/tenants/7', { body: { 'app.theme': 'nowhere' } })
  expect({ status, errors: body.errors }).toEqual({
    status: 422,
    errors: { 'app.theme': 'This theme doesn’t exist.' },
  })
  expect((await reseller.call('GET /api/v4/tenants/7')).body.themes).toEqual(['default', 'harbour'])
})
