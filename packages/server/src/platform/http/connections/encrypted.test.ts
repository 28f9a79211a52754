import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeUser } from '../../../testing/factories.ts'
import { type TestApp, useTestApp } from '../../../testing/test-app.ts'

/** Clients other than browsers are not recognised by a cookie. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const host = 'portal.example.test'
const secure = useTestApp({ NODE_ENV: 'production', APP_URL: `https://${host}` })
const trial = useTestApp({ APP_URL: `https://${host}` })
const plain = useTestApp({ NODE_ENV: 'production', APP_URL: `http://${host}` })

describe('a production installation served over https', () => {
  test.each(['GET /api/auth/info', 'GET /nothing', 'GET /api/v4/users/%E0%A4%A'])(
    'tells browsers to use https only, with %s',
    async (route) => {
      const { headers } = await secure().call(route, { host })
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    },
  )

  test('is the only one that sends HSTS', async () => {
    for (const app of [trial(), plain()]) {
      const { headers } = await app.call('GET /api/auth/info', { host })
      expect(headers['strict-transport-security']).toBeUndefined()
    }
  })
})

describe('the device cookie', () => {
  let user: MadeUser
  beforeAll(async () => {
    user = await makeUser(secure())
  })

  async function signIn(app: TestApp, person: MadeUser, cookie = 'language=en') {
    const { headers, status } = await app.call('POST /api/auth/login', {
      host,
      body: { email: person.email, password: person.password },
      headers: { cookie, 'user-agent': browser },
    })
    expect(status).toBe(200)
    return [headers['set-cookie'] ?? []].flat().map(String)
  }

  const known = 'k'.repeat(43)
  const other = 'o'.repeat(43)

  test('is bound to the host if served over https', async () => {
    expect(await signIn(secure(), user)).toEqual([
      expect.stringMatching(
        /^__Host-device=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ])
    expect(await signIn(secure(), user, `__Host-device=${known}`)).toEqual([])
  })

  test('of an earlier version is replaced once, and the device stays known', async () => {
    const sent = await signIn(secure(), user, `language=en; device=${known}`)
    expect(sent).toEqual([
      expect.stringContaining(`__Host-device=${known}; Path=/;`),
      'device=; Path=/api; Max-Age=0',
    ])
  })

  test('set by a neighbouring host does not replace the correct one', async () => {
    expect(await signIn(secure(), user, `device=${other}; __Host-device=${known}`)).toEqual([])
  })

  test('keeps its plain name over http', async () => {
    const person = await makeUser(plain())
    expect(await signIn(plain(), person)).toEqual([expect.stringMatching(/^device=[\w-]{43}; Path=\/api; /)])
    expect(await signIn(plain(), person, `device=${known}`)).toEqual([])
  })
})
