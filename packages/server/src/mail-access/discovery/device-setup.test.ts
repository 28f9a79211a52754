import { beforeAll, expect, test } from 'vitest'
import { makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({
  APP_DISCOVERY_DAV: 'https://dav.%h/dav/',
  APP_DISCOVERY_POP3: 'none',
  APP_WITH_USER_SEARCH: '1',
})

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

const profileOf = (address: string) =>
  app().call(`GET /mail/apple.mobileconfig?emailaddress=${encodeURIComponent(address)}`)

/** The text after a key of the property list. */
const entryOf = (profile: string, key: string) =>
  new RegExp(`<key>${key}</key>\\s*<(?:string|integer)>([^<]*)<`).exec(profile)?.[1]

test('a person gets the servers, and links for a phone with pictures', async () => {
  const user = await makeUser(app())
  const { access_token: token } = await signInAs(app(), user)
  const { status, body } = await app().call('GET /api/v4/device-setup', { token })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    username: user.email,
    imap: { host: 'imap.localhost', port: 993, encryption: 'ssl' },
    smtp: { host: 'smtp.localhost', port: 465, encryption: 'ssl' },
    ...{ pop3: null, dav: 'https://dav.localhost/dav/', addressBook: 'http://localhost:8000/carddav/' },
    page: { url: 'http://localhost:8000/devices', qrcode: expect.stringMatching(/^data:image\/svg\+xml/) },
  })
  expect(body.profile.url).toContain(encodeURIComponent(user.email))
})

test('the Apple profile sets up mail, calendars and contacts, without a password', async () => {
  const { status, body, headers } = await profileOf('jane&co@example.test')
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/x-apple-aspen-config')
  expect(body).toContain('jane&amp;co@example.test')
  expect(entryOf(body, 'IncomingMailServerHostName')).toBe('imap.localhost')
  expect(entryOf(body, 'OutgoingMailServerPortNumber')).toBe('465')
  expect(entryOf(body, 'CalDAVHostName')).toBe('dav.localhost')
  expect(entryOf(body, 'CardDAVPrincipalURL')).toBe('/dav/')
  expect(body.replaceAll(/OutgoingPasswordSameAsIncomingPassword|EmailAuthPassword/g, '')).not.toMatch(
    /password/i,
  )
})

test('another profile of an address replaces the first one', async () => {
  const [first, second, other] = [
    await profileOf('jane@example.test'),
    await profileOf('JANE@example.test'),
    await profileOf('ned@example.test'),
  ]
  expect(second.body).toBe(first.body)
  expect(entryOf(other.body, 'PayloadUUID')).not.toBe(entryOf(first.body, 'PayloadUUID'))
  expect(entryOf(first.body, 'PayloadUUID')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('there is no profile for other domains, and it does not reveal whether a user exists', async () => {
  expect((await profileOf('jane@elsewhere.test')).status).toBe(404)
  expect((await app().call('GET /mail/apple.mobileconfig')).status).toBe(404)
  expect((await profileOf('missing@example.test')).status).toBe(200)
})
