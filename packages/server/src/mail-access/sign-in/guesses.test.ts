import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeTotp, makeUser, setStatus } from '../../testing/factories.ts'
import {
  askNginx,
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  type ProxyRequest,
  putOff,
  refusal,
  saslVerdict,
  withMailServices,
} from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp(withMailServices)

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

const ask = (request: ProxyRequest) => nginxVerdict(app(), request)
const from = (n: number) => `198.51.100.${n}`
let guesses = 0
const guess = () => `guess ${++guesses}`

/** Counts the verdicts of concurrent attempts. */
async function counted(tries: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const verdicts = (await Promise.all(tries)).map(String)
  return Object.fromEntries(
    [...new Set(verdicts)].map((one) => [one, verdicts.filter((other) => other === one).length]),
  )
}

/** Fails from so many addresses that the global limit of the login is used up. */
async function attack(login: string): Promise<void> {
  for (let n = 1; n <= 51; n++) await ask({ login, password: guess(), ip: `100.64.${n}.1` })
}

describe('guessing passwords', () => {
  test('gets few answers when fifty attempts are made concurrently', async () => {
    const user = await makeUser(app())
    const tries = Array.from({ length: 50 }, () => ask({ login: user.email, password: guess(), ip: from(1) }))
    const verdicts = await counted(tries)
    expect(verdicts[refusal]).toBeLessThanOrEqual(10)
    expect(verdicts[putOff]).toBeGreaterThanOrEqual(40)
    // the correct one is throttled there now
    expect(await ask({ login: user.email, password: user.password, ip: from(1) })).toBe(putOff)
    app().clock.advance(15 * 60)
    expect(await ask({ login: user.email, password: user.password, ip: from(1) })).toBe('OK')
  })

  test('looks the same for an unknown login', async () => {
    const user = await makeUser(app())
    const verdictsOf = async (login: string, ip: string) => {
      const verdicts = []
      for (let n = 0; n < 8; n++) verdicts.push(await ask({ login, password: `same ${n}`, ip }))
      return verdicts
    }
    expect(await verdictsOf('nobody.at.all@example.test', from(2))).toEqual(
      await verdictsOf(user.email, from(3)),
    )
  })

  test('from one address at many logins is blocked for logins that never signed in from there', async () => {
    const [here, other] = [await makeUser(app()), await makeUser(app())]
    const office = from(4)
    expect(await ask({ login: here.email, password: here.password, ip: office })).toBe('OK')
    app().clock.advance(6 * 60)
    for (let n = 0; n < 51; n++) await ask({ login: `n${n}@example.test`, password: guess(), ip: office })
    expect(await ask({ login: other.email, password: other.password, ip: office })).toBe(putOff)
    expect(await ask({ login: here.email, password: here.password, ip: office })).toBe('OK')
  })

  test('is limited per IPv6 /64 prefix', async () => {
    const user = await makeUser(app())
    for (let n = 1; n <= 6; n++) await ask({ login: user.email, password: guess(), ip: `2001:db8:1:2::${n}` })
    const right = { login: user.email, password: user.password }
    expect(await ask({ ...right, ip: '2001:0db8:0001:0002:ffff::1' })).toBe(putOff)
    expect(await ask({ ...right, ip: '2001:db8:1:3::1' })).toBe('OK')
  })
})

test.each([
  ['the country', (user: MadeUser) => limitGeo(app(), user, ['US'])],
  ['a second factor', (user: MadeUser) => makeTotp(app(), user)],
  ['a suspension', (user: MadeUser) => setStatus(app(), user, userStatus.active | userStatus.suspended)],
])('a correct password refused for %s looks the same as a wrong one', async (_what, refuse) => {
  const [user, other] = [await makeUser(app()), await makeUser(app())]
  await refuse(user)
  const verdicts = async (login: string, ip: string) => {
    const all = []
    for (const password of ['a', 'b', 'c', 'simple123', 'd', 'e', 'simple123', 'f']) {
      all.push(await ask({ login, password: login === other.email ? `not ${password}` : password, ip }))
    }
    return all
  }
  expect(await verdicts(user.email, from(20))).toEqual(await verdicts(other.email, from(21)))
})

describe("attackers can't lock a user out", () => {
  test('at another address', async () => {
    const user = await makeUser(app())
    for (let n = 0; n < 12; n++) await ask({ login: user.email, password: guess(), ip: from(5) })
    expect(await ask({ login: user.email, password: user.password, ip: home })).toBe('OK')
  })

  test('from anywhere at a recently used address, and elsewhere for a minute at most', async () => {
    const user = await makeUser(app())
    const right = { login: user.email, password: user.password }
    expect(await ask({ ...right, ip: from(6) })).toBe('OK')
    app().clock.advance(6 * 60)
    await attack(user.email)
    expect(await ask({ ...right, ip: from(6) })).toBe('OK')
    expect(await ask({ ...right, password: guess(), ip: from(7) })).toBe(putOff)
    app().clock.advance(60)
    expect(await ask({ ...right, ip: from(7) })).toBe('OK')
  })

  test("of an app password, which can't be guessed", async () => {
    const user = await makeUser(app())
    const { secret } = await makeAppPassword(app(), user, ['imap'])
    await attack(user.email)
    expect(await ask({ login: user.email, password: secret, ip: from(8) })).toBe('OK')
  })

  test("at a server that doesn't know client addresses, beyond a minute", async () => {
    const user = await makeUser(app())
    const right = { login: user.email, password: user.password }
    for (let n = 0; n < 51; n++) await saslVerdict(app(), { ...right, password: guess() })
    expect(await saslVerdict(app(), right)).toBe(403)
    app().clock.advance(60)
    expect(await saslVerdict(app(), right)).toBe(200)
  })

  test('of the portal', async () => {
    const user = await makeUser(app())
    for (let n = 0; n < 12; n++) await ask({ login: user.email, password: guess(), ip: from(9) })
    const { status } = await app().call('POST /api/auth/login', { body: user, ip: from(9) })
    expect(status).toBe(200)
  })
})

test('a client that keeps sending an old password is not counted as guessing', async () => {
  const user = await makeUser(app())
  for (let n = 0; n < 30; n++) {
    expect(await ask({ login: user.email, password: 'the old one', ip: from(10) })).toBe(refusal)
  }
  expect(await ask({ login: user.email, password: user.password, ip: from(10) })).toBe('OK')
})

test('throttling is reported to SMTP clients with a temporary error code', async () => {
  const user = await makeUser(app())
  const request = { login: user.email, ip: from(11), protocol: 'smtp' }
  for (let n = 0; n < 6; n++) await ask({ ...request, password: guess() })
  const { headers } = await askNginx(app(), { ...request, password: user.password })
  expect(headers).toMatchObject({ 'auth-status': putOff, 'auth-error-code': '454 4.7.0', 'auth-wait': '3' })
})
