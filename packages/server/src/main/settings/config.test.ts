import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig, settings } from './config.ts'

describe('without any setting', () => {
  const config = loadConfig({}, '/srv/gatehouse')

  test('the defaults apply', () => {
    expect(config).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      APP_URL: 'http://localhost:8000',
      domain: 'localhost',
      dataDir: '/srv/gatehouse/data',
      TRUSTED_PROXIES: [],
      METRICS_ALLOW: ['127.0.0.1', '::1'],
      demo: true,
      production: false,
      locales: ['en', 'de', 'fr', 'it'],
      APP_LOCALE: 'en',
      APP_CURRENCY: 'CHF',
      PASSWORD_POLICY: 'min:6,max:255',
      OAUTH_TOKEN_EXPIRY: 60,
      OAUTH_REFRESH_TOKEN_EXPIRY: 43_200,
      SIGNUP_CODE_EXPIRY: 24,
      VERIFICATION_CODE_EXPIRY: 8,
      APP_WITH_SIGNUP: true,
      APP_LDAP: false,
      mailFrom: { address: 'noreply@localhost', name: 'Gatehouse' },
    })
  })

  test.each(['DATABASE_URL', 'SMTP_URL', 'SUPPORT_EMAIL', 'SECRET_KEY'] as const)('%s is absent', (name) => {
    expect(config[name]).toBeUndefined()
  })

  test('empty values count as absent', () => {
    const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '  ']))
    expect(loadConfig(empty, '/srv/gatehouse')).toEqual(config)
  })
})

describe('an invalid setting is named', () => {
  test.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '8.5'],
    ['APP_URL', 'portal.test'],
    ['APP_URL', 'ftp://portal.test'],
    ['APP_URL', 'https://'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL', '1'],
    ['SMTP_URL', 'http://mail.test'],
    ['SMTP_URL', 'mail.test:25'],
    ['TRUSTED_PROXIES', 'banana'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['TRUSTED_PROXIES', '127.0.0.1, proxy.test'],
    ['METRICS_ALLOW', 'everyone'],
    ['SUPPORT_EMAIL', 'help'],
    ['MAIL_FROM_ADDRESS', 'Gatehouse <a@b.test>'],
    ['MAIL_REPLYTO_ADDRESS', '@'],
    ['DEMO', 'maybe'],
    ['APP_WITH_SIGNUP', '2'],
    ['SECRET_KEY', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
    ['APP_THEME', '../other'],
    ['APP_LOCALES', 'en,xx'],
    ['APP_LOCALES', ','],
    ['APP_LOCALE', 'pt'],
    ['APP_CURRENCY', 'chf'],
    ['PAYMENT_PROVIDER', 'cash'],
    ['COMPANION_DOWNLOAD_LINK', 'javascript:alert(1)'],
    ['PASSWORD_POLICY', 'strong'],
    ['PASSWORD_POLICY', 'min:6,'],
    ['PASSWORD_POLICY', 'min'],
    ['PASSWORD_POLICY', 'min:20,max:10'],
    ['OAUTH_TOKEN_EXPIRY', '0'],
    ['OAUTH_REFRESH_TOKEN_EXPIRY', '5'],
    ['SIGNUP_CODE_EXPIRY', '0'],
    ['VERIFICATION_CODE_EXPIRY', '1000'],
    ['SIGNUP_LIMIT_EMAIL', '-1'],
  ])('%s=%s', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`Gatehouse cannot start.*${name}: `, 's'))
  })

  test('along with all other invalid settings', () => {
    const attempt = () => loadConfig({ PORT: 'x', APP_CURRENCY: 'euro', LOG_LEVEL: 'loud' })
    for (const name of ['PORT', 'APP_CURRENCY', 'LOG_LEVEL']) expect(attempt).toThrow(`${name}: `)
  })

  test('the default language must be enabled', () => {
    expect(() => loadConfig({ APP_LOCALES: 'de,fr', APP_LOCALE: 'en' })).toThrow(/APP_LOCALE: en/)
    expect(loadConfig({ APP_LOCALES: 'de fr', APP_LOCALE: 'fr' }).locales).toEqual(['de', 'fr'])
  })

  test('values of secrets are not printed', () => {
    const attempt = () => loadConfig({ SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@x/y' })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).not.toThrow(/hunter2/)
  })
})

describe('derived settings', () => {
  test("strip trailing slashes from the portal's URL and take the domain from it", () => {
    const config = loadConfig({ APP_URL: 'https://Portal.Example.test:8443//' })
    expect(config).toMatchObject({
      APP_URL: 'https://Portal.Example.test:8443',
      domain: 'portal.example.test',
      mailFrom: { address: 'noreply@portal.example.test' },
    })
  })

  test.each([
    [{}, true],
    [{ DEMO: '0' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', DEMO: '1' }, true],
    [{ DATABASE_URL: 'postgres://localhost/x', DEMO: '1' }, true],
    [{ DATABASE_URL: 'postgres://localhost/x' }, false],
    [{ DATABASE_URL: 'postgres:///x?host=/run/pg' }, false],
  ])('%j enables the demo: %s', (env, demo) => {
    expect(loadConfig(env).demo).toBe(demo)
  })

  test.each(['1', 'true', 'on', 'yes'])('%s means true', (word) => {
    expect(loadConfig({ APP_LDAP: word }).APP_LDAP).toBe(true)
  })

  test.each(['0', 'false', 'off', 'no'])('%s means false', (word) => {
    expect(loadConfig({ APP_WITH_MEET: word }).APP_WITH_MEET).toBe(false)
  })

  test('split lists at commas or spaces', () => {
    expect(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8,  ::1 192.168.1.1' }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '::1',
      '192.168.1.1',
    ])
  })

  test('resolve a relative data folder against the working directory', () => {
    expect(loadConfig({ DATA_DIR: '/var/lib/x' }, '/srv').dataDir).toBe('/var/lib/x')
    expect(loadConfig({ DATA_DIR: 'd' }, '/srv').dataDir).toBe('/srv/d')
  })

  test.each(['9.9.9.9', '127.0.0.1:5353', '[2620:fe::fe]:53', '2620:fe::fe', '1.1.1.1, 8.8.8.8:53'])(
    'name servers may be %s',
    (servers) => {
      expect(loadConfig({ DNS_SERVERS: servers }).DNS_SERVERS).toEqual(servers.split(/, ?/))
    },
  )

  test.each(['dns.example.org', '1.2.3', '1.2.3.4:0', '1.2.3.4:99999', '[1.2.3.4', '1.2.3.4:x'])(
    'name servers may not be %s',
    (servers) => {
      expect(() => loadConfig({ DNS_SERVERS: servers })).toThrow('DNS_SERVERS')
    },
  )

  test('derive the DNS targets of customer domains from the host unless configured', () => {
    const APP_URL = 'https://portal.example.net'
    expect(loadConfig({ APP_URL }).mailSetup).toEqual({
      mx: [{ host: 'mx.portal.example.net', priority: 10 }],
      spf: 'include:spf.portal.example.net',
      dkimSelector: 'gatehouse',
      dkim: null,
      dmarc: 'v=DMARC1; p=quarantine',
      autoconfig: 'autoconfig.portal.example.net',
      autodiscover: 'autodiscover.portal.example.net',
    })
    const said = { MAIL_MX: 'MX1.host.net:5 mx2.host.net', MAIL_DKIM: 'v=DKIM1; p=abc', MAIL_SPF: 'mx' }
    expect(loadConfig({ APP_URL, ...said }).mailSetup).toMatchObject({
      mx: [
        { host: 'mx1.host.net', priority: 5 },
        { host: 'mx2.host.net', priority: 10 },
      ],
      dkim: 'v=DKIM1; p=abc',
      spf: 'mx',
    })
  })

  test.each([
    { MAIL_MX: 'mx 1:x' },
    { MAIL_SPF: 'v=spf1 include:a.test ~all' },
    { MAIL_DKIM: 'not a key' },
    { MAIL_DKIM_SELECTOR: 'a.b' },
    { MAIL_DMARC: 'p=none' },
    { MAIL_AUTOCONFIG_HOST: 'http://a.test' },
    { RESERVED_DOMAINS: 'a b_c' },
  ])('%j is rejected', (setting) => {
    expect(() => loadConfig(setting)).toThrow(Object.keys(setting)[0])
  })

  test('reserve names for trials only in production, unless the operator configures them', () => {
    expect(loadConfig({}).reservedDomains).not.toContain('test')
    expect(loadConfig({ NODE_ENV: 'production' }).reservedDomains).toEqual(
      expect.arrayContaining(['test', 'example.com', 'localhost', 'local']),
    )
    const own = { NODE_ENV: 'production', RESERVED_DOMAINS: 'Corp.net' }
    expect(loadConfig(own).reservedDomains).toEqual(['corp.net'])
  })

  test('every setting has a description', () => {
    for (const [name, setting] of Object.entries(settings.shape))
      expect(setting.description, name).toBeTruthy()
  })
})

test('production with an external database requires a secret shared by all processes', () => {
  const external = { NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/x' }
  expect(() => loadConfig(external)).toThrow(/SECRET_KEY: production with DATABASE_URL needs/)
  expect(loadConfig({ ...external, SECRET_KEY: 's'.repeat(32) }).production).toBe(true)
  expect(loadConfig({ NODE_ENV: 'production' }).SECRET_KEY).toBeUndefined()
})
