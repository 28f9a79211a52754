import { describe, expect, test } from 'vitest'
import { loadConfig } from '../main/settings/config.ts'
import { AddressRefused, addressRules, parseLink, parseTenantUrl, senderDomain } from './tenant-address.ts'

const production = addressRules(
  loadConfig({
    NODE_ENV: 'production',
    APP_URL: 'https://portal.provider.example.com',
    RESERVED_DOMAINS: 'localhost,internal',
    MAIL_FROM_ADDRESS: 'noreply@provider.example.com',
    MAIL_MX: 'mx1.provider-mail.example.com:10',
    MAIL_AUTOCONFIG_HOST: 'autoconfig.provider-mail.example.com',
    APP_WEBMAIL_URL: 'https://webmail.provider-mail.example.com/mail/',
    APP_DISCOVERY_IMAP: 'ssl://imap.provider-mail.example.com:993',
    APP_DISCOVERY_SMTP: 'ssl://smtp.%d:465',
    APP_SERVICES_ALLOWED_DOMAINS: 'webapp,internal-services.example.com',
  }),
)

/** Returns the key of the error; undefined if accepted. */
function refusal(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof AddressRefused) return error.key
    throw error
  }
}

describe('in production', () => {
  test.each([
    ['https://mail.partner.com', undefined],
    ['https://mail.partner.com:8443/', undefined],
    ['http://mail.partner.com', 'tenants.url-https'],
    ['https://localhost', 'tenants.host-invalid'],
    ['https://x.localhost', 'tenants.host-invalid'],
    ['https://db.internal', 'tenants.host-invalid'],
    ['https://127.0.0.1', 'tenants.host-invalid'],
    ['https://[::1]', 'tenants.host-invalid'],
    ['https://0x7f.1', 'tenants.host-invalid'],
    ['https://github.io', 'tenants.host-invalid'],
    ['https://portal.provider.example.com', 'tenants.host-own'],
    ['https://PORTAL.provider.example.com.:444', 'tenants.host-own'],
    ['https://admin.portal.provider.example.com', 'tenants.host-own'],
    ['https://partner.portal.provider.example.com', 'tenants.host-own'],
    ['https://mx1.provider-mail.example.com', 'tenants.host-own'],
    ['https://autoconfig.provider-mail.example.com', 'tenants.host-own'],
    ['https://webmail.provider-mail.example.com', 'tenants.host-own'],
    ['https://imap.provider-mail.example.com', 'tenants.host-own'],
    ['https://internal-services.example.com', 'tenants.host-own'],
    ['https://portal.provider.example.com@evil.example.net', 'tenants.url-user'],
    ['https://@mail.partner.com', 'tenants.url-user'],
    ['https:\\\\mail.partner.com\\@evil.example.net', 'tenants.url-path'],
    ['https://mail.partner.com/nowhere', 'tenants.url-path'],
    ['https://mail.partner.com?', 'tenants.url-path'],
    ['ftp://mail.partner.com', 'validation.url'],
    ['mail.partner.com', 'validation.url'],
  ])('the URL %s of a tenant: %s', (url, key) => {
    expect(refusal(() => parseTenantUrl(url, production))).toBe(key)
  })

  test.each([
    ['https://partner.portal.provider.example.com', undefined],
    ['https://portal.provider.example.com', 'tenants.host-own'],
    ['https://admin.portal.provider.example.com', 'tenants.host-own'],
    ['https://reseller.portal.provider.example.com', 'tenants.host-own'],
    ['https://autodiscover.portal.provider.example.com', 'tenants.host-own'],
  ])('the URL %s that an operator sets: %s', (url, key) => {
    expect(refusal(() => parseTenantUrl(url, production, true))).toBe(key)
  })

  test.each([
    ['hello@partner.com', undefined],
    ['hello@provider.example.com', 'tenants.sender-own'],
    ['hello@portal.provider.example.com', 'tenants.sender-own'],
    ['hello@news.provider.example.com', 'tenants.sender-own'],
    ['hello@example.com', 'tenants.sender-own'],
    ['hello@signup.example.org', 'tenants.sender-own'],
    ['hello@co.uk', 'tenants.sender-invalid'],
    ['hello@localhost', 'tenants.sender-invalid'],
    ['hello@host.internal', 'tenants.sender-own'],
    ['hello@[192.0.2.1]', 'tenants.sender-invalid'],
  ])('the sender %s: %s', (address, key) => {
    expect(refusal(() => senderDomain(address, production, ['signup.example.org']))).toBe(key)
  })

  test('help pages must use HTTPS and contain no user information', () => {
    expect(refusal(() => parseLink('https://help.example.net/start?x=1#y', production))).toBeUndefined()
    expect(refusal(() => parseLink('http://help.example.net', production))).toBe('tenants.url-https')
    expect(refusal(() => parseLink('https://a:b@help.example.net', production))).toBe('tenants.url-user')
  })
})

test("the path is the installation's or none, and is not stored", () => {
  const rules = addressRules(loadConfig({ NODE_ENV: 'test', APP_URL: 'https://gate.example/account' }))
  for (const url of ['https://mail.partner.com', 'https://mail.partner.com/account/'])
    expect(parseTenantUrl(url, rules)).toEqual({
      origin: 'https://mail.partner.com',
      host: 'mail.partner.com',
    })
  expect(refusal(() => parseTenantUrl('https://mail.partner.com/accounts', rules))).toBe('tenants.url-path')
})
