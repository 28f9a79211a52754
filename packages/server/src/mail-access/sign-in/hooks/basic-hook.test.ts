import { appPasswordScopes } from '@gatehouse/contract/sessions/app-passwords'
import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeTotp, makeUser, setStatus } from '../../../testing/factories.ts'
import {
  abroad,
  basicVerdict,
  home,
  limitGeo,
  makeAppPassword,
  servicesHost,
  servicesSecret,
  withMailServices,
} from '../../../testing/servers/mail-services.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp(withMailServices)
let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  user = await makeUser(app(), { email: 'jane@example.test' })
})

const ask = (headers: Record<string, string>) =>
  app().call('GET /api/webhooks/nginx-httpauth', {
    host: servicesHost,
    headers: { 'x-services-secret': servicesSecret, ...headers },
  })

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

test('a request without credentials is allowed, because the application behind decides', async () => {
  expect((await ask({})).status).toBe(200)
  expect((await ask({ 'x-real-ip': home })).status).toBe(200)
  expect((await ask({ authorization: 'Bearer something' })).status).toBe(200)
})

test('a name without a password is answered with a challenge', async () => {
  const { status, headers } = await ask({ ...basic('jane@example.test:'), 'x-real-ip': home })
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toBe('Basic realm="Groupware", charset="UTF-8"')
  expect((await ask({ ...basic('jane@example.test'), 'x-real-ip': home })).status).toBe(401)
})

test.each([
  ['the right password', basic('jane@example.test:simple123'), 200],
  ['the name as Windows writes it', basic('example.test\\jane:simple123'), 200],
  [
    'the two headers of the reference',
    { 'php-auth-user': 'jane@example.test', 'php-auth-pw': 'simple123' },
    200,
  ],
  [
    'the scheme in small letters',
    { authorization: basic('jane@example.test:simple123').authorization.replace('Basic', 'basic') },
    200,
  ],
  ['a wrong password', basic('jane@example.test:wrong'), 403],
  ['a name with two backslashes', basic('a\\b\\c:simple123'), 403],
  ['nobody', basic('nobody@example.test:simple123'), 403],
  [
    'bytes that are no text',
    { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}` },
    403,
  ],
  [
    'a service that there is none of',
    { ...basic('jane@example.test:simple123'), 'auth-protocol': 'imap' },
    403,
  ],
])('%s is answered with the expected status', async (_what, headers, status) => {
  expect((await ask({ ...headers, 'x-real-ip': home })).status).toBe(status)
})

test("a web server that doesn't send the client's address is rejected", async () => {
  expect((await ask(basic('jane@example.test:simple123'))).status).toBe(403)
  expect((await ask({ ...basic('jane@example.test:simple123'), 'x-real-ip': 'x' })).status).toBe(403)
})

test('a password may contain colons and non-ASCII characters', async () => {
  const own = await makeUser(app(), { password: 'Grüße: 1:2' })
  expect(await basicVerdict(app(), { login: own.email, password: own.password })).toBe(200)
})

const services = ['dav', 'files'] as const
const cases = services.flatMap((service) =>
  appPasswordScopes.map((scope) => ({ service, scope, status: scope === service ? 200 : 403 })),
)
test.each(cases)(
  'an app password for $scope is, with $service, a $status',
  async ({ service, scope, status }) => {
    const { secret } = await makeAppPassword(app(), user, [scope])
    const headers: Record<string, string> = service === 'dav' ? {} : { 'auth-protocol': service }
    expect(await basicVerdict(app(), { login: user.email, password: secret, headers })).toBe(status)
  },
)

test('country, second factor and user state are checked here too', async () => {
  const own = await makeUser(app())
  const login = { login: own.email, password: own.password }
  expect(await basicVerdict(app(), login)).toBe(200)
  await limitGeo(app(), own, ['CH'])
  expect(await basicVerdict(app(), { ...login, ip: abroad })).toBe(403)
  expect(await basicVerdict(app(), login)).toBe(200)
  await makeTotp(app(), own)
  expect(await basicVerdict(app(), login)).toBe(403)
  const { secret } = await makeAppPassword(app(), own, ['dav'])
  expect(await basicVerdict(app(), { ...login, password: secret })).toBe(200)
  await setStatus(app(), own, userStatus.active | userStatus.suspended)
  expect(await basicVerdict(app(), { ...login, password: secret })).toBe(403)
})

test('a degraded account has access to calendars but not to files', async () => {
  const owner = await makeUser(app())
  const member = await makeUser(app(), { walletId: owner.walletId })
  await setStatus(app(), owner, userStatus.active | userStatus.degraded)
  const login = { login: member.email, password: member.password }
  expect(await basicVerdict(app(), login)).toBe(200)
  expect(await basicVerdict(app(), { ...login, headers: { 'auth-protocol': 'files' } })).toBe(403)
})
