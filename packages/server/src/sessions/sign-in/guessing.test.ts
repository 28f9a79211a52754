import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeUser, makeTotp, makeUser } from '../../testing/factories.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let strangers = 0
/** Returns an address in a network of its own, also at the wider prefix. */
const elsewhere = () => `10.${++strangers >> 8}.${strangers & 255}.1`

interface From {
  readonly ip?: string
  readonly cookie?: string | undefined
}

function post(path: string, body: unknown, { ip = elsewhere(), cookie }: From = {}, token?: string) {
  const headers = { 'user-agent': browser, ...(cookie !== undefined && { cookie }) }
  return app().call(`POST ${path}`, { body, ip, headers, ...(token !== undefined && { token }) })
}

const signIn = (email: string, password: string, from?: From) =>
  post('/api/auth/login', { email, password }, from)

/** Signs in and returns the cookie that identifies the browser. */
async function useBrowser(user: MadeUser, from: From = {}) {
  const { status, body, headers } = await signIn(user.email, user.password, from)
  expect(status).toBe(200)
  return {
    cookie: String(headers['set-cookie'] ?? from.cookie).split(';')[0],
    token: body.access_token as string,
  }
}

function tally(answers: readonly Answer[]): Record<number, number> {
  const all: Record<number, number> = {}
  for (const { status } of answers) all[status] = (all[status] ?? 0) + 1
  return all
}

async function untilBlocked(guess: () => Promise<Answer>): Promise<number> {
  for (let turn = 1; turn <= 300; turn++) if ((await guess()).status === 429) return turn - 1
  throw new Error('guesses go on without end')
}

let user: MadeUser
beforeEach(async () => {
  user = await makeUser(app())
})

describe('an attacker', () => {
  test('cannot guess 400 accounts concurrently from one address', async () => {
    const ip = elsewhere()
    const guesses = Array.from({ length: 400 }, (_, n) => signIn(`sprayed${n}@example.test`, 'x', { ip }))
    expect(tally(await Promise.all(guesses))).toEqual({ 401: 50, 429: 350 })
    expect((await signIn(user.email, user.password, { ip })).status).toBe(429)
    expect((await signIn(user.email, user.password)).status).toBe(200)
  })

  test('cannot exceed the limit of an account with a burst from many addresses', async () => {
    const guesses = Array.from({ length: 60 }, () => signIn(user.email, 'wrong'))
    expect(tally(await Promise.all(guesses))).toEqual({ 401: 6, 429: 54 })
  })

  test('is distinguished from many people behind one address who sign in concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 60 }, () => makeUser(app())))
    const ip = elsewhere()
    const answers = people.map(({ email, password }) => signIn(email, password, { ip }))
    expect(tally(await Promise.all(answers))).toEqual({ 200: 60 })
  })

  let site = 0
  test.each<[string, string, (n: number) => unknown]>([
    ['a sign-in', '/api/auth/login', (n) => ({ email: `wide${n}@example.test`, password: 'x' })],
    ['a refresh', '/api/auth/refresh', (n) => ({ refresh_token: `unknown ${n}` })],
    [
      'a sign-in that waits',
      '/api/auth/login/attempt',
      (n) => ({ attempt: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, secret: 'x' }),
    ],
    [
      'a reset code',
      '/api/auth/password-reset/verify',
      (n) => ({ code: `${n}`.padStart(32, 'x'), short_code: 'WRONG' }),
    ],
    ['a reset mail', '/api/auth/password-reset/init', (n) => ({ email: `wide${n}@example.test` })],
    [
      'a sign-up code',
      '/api/auth/signup/verify',
      (n) => ({ code: `${n}`.padStart(32, 'x'), short_code: 'WRONG' }),
    ],
  ])(
    'cannot guess from 70 addresses of one /64 or from many /64 in one /48: %s',
    async (_what, path, body) => {
      const prefix = `2001:db8:${(++site).toString(16)}`
      let n = 0
      const inOne64 = () => post(path, body(++n), { ip: `${prefix}:7::${n.toString(16)}` })
      expect(await untilBlocked(inOne64)).toBe(50)
      const inOne48 = () => post(path, body(++n), { ip: `${prefix}:${n.toString(16)}::1` })
      // attempts from the first network also count for the wider one
      expect(await untilBlocked(inOne48)).toBe(147)
      expect((await post(path, body(++n), { ip: '2001:db8:ffff::1' })).status).not.toBe(429)
    },
    120_000,
  )
})

describe('a stranger who guesses passwords', () => {
  const guess = (email = user.email) => signIn(email, 'wrong')

  test('locks the owner out of unknown browsers, but not of known ones', async () => {
    const { cookie } = await useBrowser(user)
    expect(await untilBlocked(guess)).toBe(6)
    expect((await signIn(user.email, user.password)).status).toBe(429)
    expect((await signIn(user.email, user.password, { cookie })).status).toBe(200)
    // this doesn't reset the stranger's count
    expect((await guess()).status).toBe(429)
  })

  test('does not lock the owner out by guesses from a shared network', async () => {
    const ip = elsewhere()
    const { cookie } = await useBrowser(user, { ip })
    let n = 0
    expect(await untilBlocked(() => signIn(`office${++n}@example.test`, 'x', { ip }))).toBe(50)
    expect((await signIn(user.email, user.password, { ip, cookie })).status).toBe(200)
  })

  test('does not lock the owner out of a step-up', async () => {
    const { cookie, token } = await useBrowser(user)
    const prove = (password: string, from: From = {}) => post('/api/auth/step-up', { password }, from, token)
    expect(await untilBlocked(() => prove('wrong'))).toBe(6)
    expect((await prove(user.password)).status).toBe(429)
    expect((await prove(user.password, { cookie })).status).toBe(200)
  })

  test('does not lock the owner out of a second factor', async () => {
    const { cookie } = await useBrowser(user)
    const code = await makeTotp(app(), user)
    const withCode = (secondfactor: string, from: From = {}) =>
      post('/api/auth/login', { email: user.email, password: user.password, secondfactor }, from)
    expect(await untilBlocked(() => withCode('000000'))).toBe(6)
    expect((await withCode(code())).status).toBe(429)
    expect((await withCode(code(), { cookie })).status).toBe(200)
  })

  test('does not lock the owner out of a reset, its mail and its code', async () => {
    const owner = await makeUser(app(), { settings: { external_email: 'owner@elsewhere.test' } })
    const { cookie } = await useBrowser(owner)
    const init = (from: From = {}) => post('/api/auth/password-reset/init', { email: owner.email }, from)
    expect(await untilBlocked(() => init())).toBe(6)
    const { status, body } = await init({ cookie })
    expect(status).toBe(200)
    const mail = (await app().mails()).find(({ text }) => text?.includes(String(body.code)))
    const short = /password-reset\/([A-Z0-9]+)-/.exec(mail?.text ?? '')?.[1]
    const verify = (short_code: unknown, from: From = {}) =>
      post('/api/auth/password-reset/verify', { code: body.code, short_code }, from)
    expect(await untilBlocked(() => verify('WRONG'))).toBe(6)
    expect((await verify(short)).status).toBe(429)
    expect((await verify(short, { cookie })).status).toBe(200)
  })
})

describe('a known device', () => {
  test('has its own limit, so a stolen cookie does not allow unlimited guesses', async () => {
    const { cookie } = await useBrowser(user)
    const guess = () => signIn(user.email, 'wrong', { cookie })
    expect(await untilBlocked(guess)).toBe(6)
    for (const wait of [2, 4, 8]) {
      expect((await guess()).headers['retry-after']).toBe(String(wait))
      app().clock.advance(wait)
      expect((await guess()).status).toBe(401)
    }
    // other devices are not affected
    expect((await signIn(user.email, user.password)).status).toBe(200)
  })

  test.each([
    ['in a burst', 60],
    ['in a larger one', 400],
  ])('cannot be bypassed %s', async (_how, count) => {
    const { cookie } = await useBrowser(user)
    const guesses = Array.from({ length: count }, () => signIn(user.email, 'wrong', { cookie }))
    expect(tally(await Promise.all(guesses))[401]).toBe(6)
  })

  test('is not known for another user, a forged cookie or an unknown account', async () => {
    const { cookie } = await useBrowser(await makeUser(app()))
    for (const sent of [cookie, `device=${'x'.repeat(43)}`, 'device=', undefined]) {
      const victim = await makeUser(app())
      for (const email of [victim.email, `ghost${++strangers}@example.test`]) {
        expect(await untilBlocked(() => signIn(email, 'wrong', { cookie: sent }))).toBe(6)
        expect((await signIn(email, 'wrong', { cookie: sent })).headers['retry-after']).toBe('2')
      }
    }
  })

  test('is not known in another country, after ninety days, or once all devices are distrusted', async () => {
    const swiss = '5.148.0.1'
    const blocked = async (from: From) => {
      expect(await untilBlocked(() => signIn(user.email, 'wrong'))).toBeLessThanOrEqual(6)
      return (await signIn(user.email, user.password, from)).status
    }
    const { cookie, token } = await useBrowser(user, { ip: swiss })
    expect(await blocked({ ip: swiss, cookie })).toBe(200)
    expect(await blocked({ ip: '8.8.8.8', cookie })).toBe(429)
    expect((await post('/api/v4/lockdown', {}, { ip: swiss, cookie }, token)).status).toBe(200)
    expect(await blocked({ ip: swiss, cookie })).toBe(429)
    app().clock.advance(24 * 3600 + 1)
    await useBrowser(user, { ip: swiss, cookie })
    expect(await blocked({ ip: swiss, cookie })).toBe(200)
    app().clock.advance(91 * 24 * 3600)
    expect(await blocked({ ip: swiss, cookie })).toBe(429)
  })
})
