import { domainStatus, domainType } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { makeAlias, makeDomain, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { mtaStsId, mtaStsPolicy } from './mta-sts.ts'

const app = useTestApp({ APP_URL: 'https://portal.test', APP_NAME: 'Tom & "Jerry" <GmbH>' })

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  await makeUser(app(), { email: 'jane@example.test' })
  const wallet = (await makeUser(app(), { email: 'owner@example.test' })).walletId
  const confirmed = domainStatus.active | domainStatus.confirmed
  const own = { type: domainType.external, walletId: wallet }
  await makeDomain(app(), 'acme.test', { ...own, status: confirmed })
  await makeDomain(app(), 'claimed.test', { ...own, status: domainStatus.new })
  await makeDomain(app(), 'suspended.test', { ...own, status: confirmed | domainStatus.suspended })
  await makeDomain(app(), 'gone.test', { ...own, status: confirmed })
  await makeDomain(app(), 'xn--bcher-kva.test', { ...own, status: confirmed })
  await app().database.pool.query(`update domains set deleted_at = now() where namespace = 'gone.test'`)
  await makeAlias(app(), { id: 1 }, 'alias@example.test')
})

const host = 'portal.test'
const get = (path: string, on = host) => app().call(`GET ${path}`, { host: on })

/** Addresses in hosted domains, whether or not they exist. */
const served = ['jane@example.test', 'alias@example.test', 'nobody@example.test', 'x@acme.test']
/** Addresses without settings. */
const foreign = [
  'jane@elsewhere.test',
  'x@claimed.test',
  'x@suspended.test',
  'x@gone.test',
  'jane',
  '@example.test',
  'a b@example.test',
  '<x>@example.test',
  'x@example.test\0',
  '',
  `${'x'.repeat(5000)}@example.test`,
]

describe('Thunderbird', () => {
  const path = '/mail/config-v1.1.xml'
  const ask = (address: string, at = path) => get(`${at}?emailaddress=${encodeURIComponent(address)}`)

  test.each([path, '/.well-known/autoconfig/mail/config-v1.1.xml'])('gets the settings at %s', async (at) => {
    const { status, body, headers } = await ask('Jane@Example.test', at)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(body).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1">
  <emailProvider id="example.test">
    <domain>example.test</domain>
    <displayName>Tom &amp; &quot;Jerry&quot; &lt;GmbH&gt;</displayName>
    <displayShortName>Tom &amp; &quot;Jerry&quot; &lt;GmbH&gt;</displayShortName>
    <incomingServer type="imap">
      <hostname>imap.portal.test</hostname>
      <port>993</port>
      <socketType>SSL</socketType>
      <username>jane@example.test</username>
      <authentication>password-cleartext</authentication>
    </incomingServer>
    <incomingServer type="pop3">
      <hostname>pop3.portal.test</hostname>
      <port>995</port>
      <socketType>SSL</socketType>
      <username>jane@example.test</username>
      <authentication>password-cleartext</authentication>
    </incomingServer>
    <outgoingServer type="smtp">
      <hostname>smtp.portal.test</hostname>
      <port>465</port>
      <socketType>SSL</socketType>
      <username>jane@example.test</username>
      <authentication>password-cleartext</authentication>
    </outgoingServer>
  </emailProvider>
</clientConfig>
`)
  })

  test('gets the same settings for every address in a domain, existing or not', async () => {
    for (const address of served) {
      const { status, body } = await ask(address)
      const same = (await ask(`other@${address.split('@')[1]}`)).body.replaceAll(
        'other@',
        `${address.split('@')[0]}@`,
      )
      expect([status, body]).toEqual([200, same])
    }
  })

  test.each(foreign)('gets no settings for %j', async (address) => {
    expect((await ask(address)).status).toBe(404)
  })

  test('may omit the address when it uses a host of the domain', async () => {
    const { body } = await get(path, 'autoconfig.acme.test')
    expect(body).toContain('<emailProvider id="acme.test">')
    expect(body).toContain('<username>%EMAILADDRESS%</username>')
    expect((await get('/.well-known/autoconfig/mail/config-v1.1.xml', 'acme.test')).status).toBe(200)
    expect((await get(path, 'autoconfig.elsewhere.test')).status).toBe(404)
    expect((await get(path)).status).toBe(404)
  })

  test("always gets the installation's servers, regardless of the requested host", async () => {
    const { body } = await get(`${path}?emailaddress=x@acme.test`, 'autoconfig.evil.test')
    expect(body).toContain('<hostname>imap.portal.test</hostname>')
    expect(body).not.toContain('evil')
  })

  test('may send an internationalised domain in Unicode', async () => {
    expect((await ask('leser@bücher.test')).body).toContain('<username>leser@xn--bcher-kva.test</username>')
  })

  test.each(['emailaddress=a@b&emailaddress=c@d', 'emailaddress[]=x', 'emailaddress', 'emailaddress=%'])(
    'gets no fault of ours for %s',
    async (query) => {
      expect([400, 404]).toContain((await get(`${path}?${query}`)).status)
    },
  )
})

const outlook = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'
const mobile = 'http://schemas.microsoft.com/exchange/autodiscover/mobilesync/responseschema/2006'

const question = (address: string, schema = outlook) => `<?xml version="1.0" encoding="utf-8"?>
<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006">
  <Request>
    <EMailAddress>${address.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</EMailAddress>
    <AcceptableResponseSchema>${schema}</AcceptableResponseSchema>
  </Request>
</Autodiscover>`

const post = (
  body: string | Buffer,
  path = '/autodiscover/autodiscover.xml',
  type = 'text/xml; charset=utf-8',
) => app().call(`POST ${path}`, { host, body, headers: { 'content-type': type } })

const failure = `<?xml version="1.0" encoding="UTF-8"?>
<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006">
  <Response>
    <Error Time="12:00:00.000" Id="${new Date('2026-03-10T12:00:00Z').getTime() % 2 ** 31}">
      <ErrorCode>600</ErrorCode>
      <Message>Invalid Request</Message>
      <DebugData></DebugData>
    </Error>
  </Response>
</Autodiscover>
`

describe('Outlook', () => {
  test.each([
    '/autodiscover/autodiscover.xml',
    '/Autodiscover/Autodiscover.xml',
    '/AutoDiscover/AutoDiscover.xml',
  ])('gets the settings at %s', async (path) => {
    const { status, body, headers } = await post(question('jane@example.test'), path)
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(body).toContain(`<Response xmlns="${outlook}">`)
    expect(body).toContain('<AutoDiscoverSMTPAddress>jane@example.test</AutoDiscoverSMTPAddress>')
    expect(body).toContain(`    <Protocol>
        <Type>IMAP</Type>
        <Server>imap.portal.test</Server>
        <Port>993</Port>
        <LoginName>jane@example.test</LoginName>
        <SPA>off</SPA>
        <Encryption>SSL</Encryption>
      </Protocol>`)
    expect(body.match(/<Type>\w+<\/Type>/g)).toEqual([
      '<Type>IMAP</Type>',
      '<Type>POP3</Type>',
      '<Type>SMTP</Type>',
    ])
  })

  test.each(['application/xml', 'text/plain', 'application/x-www-form-urlencoded', 'application/json'])(
    'may call its question %s',
    async (type) => {
      expect((await post(question('jane@example.test'), undefined, type)).body).toContain('imap.portal.test')
    },
  )

  test('gets the same settings for every address in a domain, and none for others', async () => {
    for (const address of served) {
      expect((await post(question(address))).body).toContain(`<LoginName>${address}</LoginName>`)
    }
    for (const address of foreign) expect((await post(question(address))).body).toBe(failure)
  })

  test.each([
    ['nothing', ''],
    ['no XML', 'hello'],
    ['half a document', '<Autodiscover><Request>'],
    ['another document', '<a/>'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    [
      'an entity that reads a file',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${question('&x;')}`,
    ],
    ['entities that grow', `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${question('&b;')}`],
    ['elements without end', '<a>'.repeat(5000)],
    ['a prototype', '<__proto__><EMailAddress>jane@example.test</EMailAddress></constructor>'],
  ])('gets the generic error for %s', async (_what, body) => {
    const answer = await post(body)
    expect([answer.status, answer.body]).toEqual([200, failure])
  })

  test('gets no response to an oversized request', async () => {
    expect((await post(question('x'.repeat(100_000)))).status).toBe(413)
  })

  test("is redirected from the address's domain to the portal, which uses TLS", async () => {
    const { status, headers } = await get('/autodiscover/autodiscover.xml', 'autodiscover.acme.test')
    expect([status, headers.location]).toEqual([302, 'https://portal.test/autodiscover/autodiscover.xml'])
    expect((await get('/autodiscover/autodiscover.xml')).status).toBe(405)
  })
})

describe('a phone', () => {
  test('gets the URL of ActiveSync', async () => {
    const { body } = await post(question('jane@example.test', mobile))
    expect(body).toContain(`<Response xmlns="${mobile}">`)
    expect(body).toContain('<EMailAddress>jane@example.test</EMailAddress>')
    expect(body).toContain('<Url>https://activesync.portal.test/Microsoft-Server-ActiveSync</Url>')
  })

  test.each([
    ['/autodiscover/autodiscover.json?Email=jane@example.test&Protocol=ActiveSync', 'ActiveSync'],
    ['/autodiscover/autodiscover.json?email=nobody@example.test&Protocol=activesync', 'ActiveSync'],
    ['/autodiscover/autodiscover.json/v1.0/jane%40example.test?Protocol=ActiveSync', 'ActiveSync'],
    ['/Autodiscover/Autodiscover.json?Email=x@acme.test&Protocol=AUTODISCOVERV1', 'AutodiscoverV1'],
  ])('is answered at %s', async (path, protocol) => {
    const urls: Record<string, string> = {
      ActiveSync: 'https://activesync.portal.test/Microsoft-Server-ActiveSync',
      AutodiscoverV1: 'https://portal.test/Autodiscover/Autodiscover.xml',
    }
    const { status, body } = await get(path)
    expect([status, body]).toEqual([200, { Protocol: protocol, Url: urls[protocol] }])
  })

  test.each([
    ['?Protocol=ActiveSync', 'MandatoryParameterMissing'],
    ['?Email=jane@example.test', 'MandatoryParameterMissing'],
    ['?Email=jane@example.test&Protocol=', 'MandatoryParameterMissing'],
    ['?Email=jane@example.test&Protocol=EWS', 'InvalidProtocol'],
    ['?Email=jane@example.test&Protocol=constructor', 'InvalidProtocol'],
    ['?Email=jane@example.test&Protocol=a&Protocol=b', 'MandatoryParameterMissing'],
    ['?Email=jane@elsewhere.test&Protocol=ActiveSync', 'InternalServerError'],
    ['/v1.0/jane?Protocol=ActiveSync', 'InternalServerError'],
  ])('gets a specific error for %s', async (query, code) => {
    const { status, body } = await get(`/autodiscover/autodiscover.json${query}`)
    expect([status, body]).toEqual([400, { ErrorCode: code, ErrorMessage: expect.any(String) }])
  })
})

describe('other services', () => {
  test('mail servers get the MTA-STS policy', async () => {
    const { status, body, headers } = await get('/.well-known/mta-sts.txt', 'mta-sts.acme.test')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toBe('version: STSv1\nmode: enforce\nmx: mx.portal.test\nmax_age: 604800\n')
  })

  test('the policy id changes with the policy', () => {
    const policyOf = (settings: Record<string, string>) => mtaStsPolicy(loadConfig(settings))
    const policies = [
      policyOf({}),
      policyOf({ MTA_STS_MODE: 'testing' }),
      policyOf({ MTA_STS_MAX_AGE: '86400' }),
      policyOf({ MAIL_MX: 'a.test:10,b.test:20' }),
      policyOf({ MTA_STS: 'version: STSv1|mode: none|max_age: 86400' }),
    ]
    expect(policies[3]).toBe('version: STSv1\nmode: enforce\nmx: a.test\nmx: b.test\nmax_age: 604800\n')
    expect(policies[4]).toBe('version: STSv1\nmode: none\nmax_age: 86400\n')
    const ids = policies.map(mtaStsId)
    expect(new Set(ids).size).toBe(policies.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{1,32}$/)
    expect(mtaStsId(policyOf({}))).toBe(ids[0])
  })
})

test('CalDAV and CardDAV have no well-known redirect unless configured', async () => {
  expect((await get('/.well-known/caldav')).status).toBe(404)
  expect((await get('/.well-known/carddav')).status).toBe(404)
})

describe('an operator', () => {
  const own = useTestApp({
    APP_URL: 'https://portal.test',
    APP_NAME_SHORT: 'Port',
    APP_DISCOVERY_IMAP: 'tls://mail.%d:143;CRAM-MD5',
    APP_DISCOVERY_POP3: 'none',
    APP_DISCOVERY_SMTP: 'plain://192.0.2.1:25',
    APP_DISCOVERY_ACTIVESYNC: 'none',
    APP_DISCOVERY_DAV: 'https://dav.%h/dav/',
    MTA_STS: 'version: STSv1 | mode: testing | mx: *.mx.test | max_age: 86400',
  })
  beforeAll(async () => {
    await makeDomain(own(), 'example.test')
  })

  test('configures the announced servers', async () => {
    const { body } = await own().call('GET /mail/config-v1.1.xml?emailaddress=x@example.test')
    expect(body).toContain('<hostname>mail.example.test</hostname>')
    expect(body).toContain('<socketType>STARTTLS</socketType>')
    expect(body).toContain('<authentication>password-encrypted</authentication>')
    expect(body).toContain('<socketType>plain</socketType>')
    expect(body).toContain('<displayShortName>Port</displayShortName>')
    expect(body).not.toContain('pop3')
    const xml = await own().call('POST /autodiscover/autodiscover.xml', { body: question('x@example.test') })
    expect(xml.body).toContain('<Encryption>TLS</Encryption>')
    expect(xml.body).toContain('<SPA>on</SPA>')
    expect(xml.body).toContain('<Encryption>None</Encryption>')
  })

  test('may disable ActiveSync, which is then not announced', async () => {
    const xml = await own().call('POST /autodiscover/autodiscover.xml', {
      body: question('x@example.test', mobile),
    })
    expect(xml.body).toContain('<ErrorCode>600</ErrorCode>')
    const json = await own().call(
      'GET /autodiscover/autodiscover.json?Email=x@example.test&Protocol=ActiveSync',
    )
    expect(json.status).toBe(400)
  })

  test.each(['/.well-known/caldav', '/.well-known/carddav', '/.well-known/caldav/'])(
    'says where %s leads, for every method of a calendar program',
    async (path) => {
      for (const method of ['GET', 'PROPFIND', 'OPTIONS']) {
        const answer = await own().call(`${method} ${path}`, {
          ...(method === 'PROPFIND' && {
            body: '<propfind/>',
            headers: { 'content-type': 'application/xml' },
          }),
        })
        expect([answer.status, answer.headers.location]).toEqual([301, 'https://dav.portal.test/dav/'])
      }
    },
  )

  test('may set the MTA-STS policy', async () => {
    const { body } = await own().call('GET /.well-known/mta-sts.txt')
    expect(body).toBe('version: STSv1\nmode: testing\nmx: *.mx.test\nmax_age: 86400\n')
  })

  test.each([
    ['APP_DISCOVERY_IMAP', 'imap.test'],
    ['APP_DISCOVERY_IMAP', 'ssl://imap.test:99999'],
    ['APP_DISCOVERY_IMAP', 'none'],
    ['APP_DISCOVERY_SMTP', 'ssl://a b:465'],
    ['APP_DISCOVERY_ACTIVESYNC', 'http://x.test/'],
    ['APP_DISCOVERY_DAV', 'dav.test'],
    ['MTA_STS', 'mode: enforce'],
    ['MTA_STS', 'version: STSv1|mode: enforce|max_age: 1'],
    ['MTA_STS_MODE', 'on'],
    ['MTA_STS_MAX_AGE', '60'],
  ])('gets an error at startup if %s is %s', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name)
  })
})
