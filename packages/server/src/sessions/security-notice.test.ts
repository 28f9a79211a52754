import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeUser } from '../testing/factories.ts'
import { makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const switzerland = '185.70.40.1'
const subject = 'New sign-in to your Gatehouse account'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

/** A browser or client that keeps its cookies. */
function machine(agent = firefox, ip = switzerland) {
  let cookie: string | undefined
  return {
    get cookie() {
      return cookie
    },
    forget() {
      cookie = undefined
    },
    async signIn(user: MadeUser, from = ip) {
      const answer = await app().call('POST /api/auth/login', {
        body: { email: user.email, password: user.password },
        headers: { 'user-agent': agent, ...(cookie !== undefined && { cookie: `language=en; ${cookie}` }) },
        ip: from,
      })
      expect(answer.status).toBe(200)
      const sent = answer.headers['set-cookie']
      if (sent !== undefined) cookie = String(sent).split(';')[0]
      return {
        token: answer.body.access_token as string,
        sent: sent === undefined ? undefined : String(sent),
      }
    },
  }
}

async function told(address: string, about = subject) {
  const mails = (await app().mails()).filter((mail) => mail.to.some((to) => to.address === address))
  return mails.filter((mail) => mail.subject === about)
}

describe('a sign-in', () => {
  test('from a new device is reported, except the first one of an account', async () => {
    const user = await makeUser(app(), {
      settings: { external_email: 'me@elsewhere.test', first_name: 'Jo' },
    })
    await machine().signIn(user)
    expect(await told(user.email)).toHaveLength(0)
    await machine(safari).signIn(user)
    for (const address of [user.email, 'me@elsewhere.test']) {
      const [mail, ...others] = await told(address)
      expect(others).toEqual([])
      expect(mail?.text).toContain('Hello Jo,')
      expect(mail?.text).toContain('10 March 2026 at 12:00 UTC')
      expect(mail?.text).toContain(`${switzerland} (Switzerland)`)
      expect(mail?.text).toContain('Safari on iOS')
      expect(mail?.text).toContain('/security?tab=sessions')
    }
  })

  test('from a browser with a known cookie is reported once', async () => {
    const user = await makeUser(app())
    await machine().signIn(user)
    const phone = machine(safari)
    const first = await phone.signIn(user)
    expect(first.sent).toMatch(/^device=[\w-]{43}; Path=\/api; Max-Age=34560000; HttpOnly; SameSite=Strict$/)
    const second = await phone.signIn(user)
    expect(second.sent).toBeUndefined()
    app().clock.advance(80 * 24 * 3600)
    await phone.signIn(user)
    app().clock.advance(80 * 24 * 3600)
    await phone.signIn(user)
    expect(await told(user.email)).toHaveLength(1)
    app().clock.advance(-160 * 24 * 3600)
  })

  test('from the same browser with another cookie or from another country is reported', async () => {
    const user = await makeUser(app())
    const laptop = machine()
    await laptop.signIn(user)
    const kept = laptop.cookie
    laptop.forget()
    await laptop.signIn(user)
    expect(laptop.cookie).not.toBe(kept)
    expect(await told(user.email)).toHaveLength(1)
    await laptop.signIn(user, '8.8.8.8')
    expect(await told(user.email)).toHaveLength(2)
    await laptop.signIn(user, '8.8.8.8')
    await laptop.signIn(user)
    expect(await told(user.email)).toHaveLength(2)
  })

  test('of a client without cookies is recognized by name and country', async () => {
    const user = await makeUser(app())
    await machine().signIn(user)
    const script = machine('curl/8.5.0')
    expect((await script.signIn(user)).sent).toBeUndefined()
    await script.signIn(user)
    await machine('curl/8.9.1').signIn(user)
    expect(await told(user.email)).toHaveLength(1)
    await machine('python-requests/2.32').signIn(user)
    expect(await told(user.email)).toHaveLength(2)
  })

  test('after ninety days without one is reported again, even if the device was purged meanwhile', async () => {
    const user = await makeUser(app())
    const laptop = machine()
    await laptop.signIn(user)
    app().clock.advance(91 * 24 * 3600)
    await app().jobs.perform('purge', {})
    await laptop.signIn(user)
    expect(await told(user.email)).toHaveLength(1)
    app().clock.advance(-91 * 24 * 3600)
  })

  test('is reported once when many come from a new device concurrently', async () => {
    const user = await makeUser(app())
    await machine().signIn(user)
    const phone = machine(safari)
    const other = await makeUser(app())
    await phone.signIn(other)
    await Promise.all(Array.from({ length: 8 }, () => phone.signIn(user)))
    expect(await told(user.email)).toHaveLength(1)
  })

  test('by staff impersonating a user is recorded but not mailed', async () => {
    const user = await makeUser(app())
    await machine().signIn(user)
    const admin = await makeStaff(app(), 'admin')
    const begun = await admin.call(`POST /api/v4/users/${user.id}/login-as`, { body: { reason: 'Ticket 3' } })
    const code = new URL(begun.body.redirectUrl).hash.slice(1)
    const { status, headers } = await app().call('POST /api/auth/login-as', {
      body: { code },
      headers: { 'user-agent': safari },
    })
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('set-cookie')
    expect(await told(user.email)).toHaveLength(0)
  })

  test('that fails sets no cookie', async () => {
    const user = await makeUser(app())
    const answer = await app().call('POST /api/auth/login', {
      body: { email: user.email, password: 'wrong' },
      headers: { 'user-agent': firefox },
    })
    expect(answer.status).toBe(401)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('after a lockdown is always reported', async () => {
    const user = await makeUser(app())
    const laptop = machine()
    const { token } = await laptop.signIn(user)
    expect((await app().call('POST /api/v4/lockdown', { token, body: {} })).status).toBe(200)
    await laptop.signIn(user)
    expect(await told(user.email)).toHaveLength(1)
    expect(await told(user.email, 'Your Gatehouse account was locked down')).toHaveLength(1)
  })
})

describe('mails about the account', () => {
  test('name the app password', async () => {
    const user = await makeUser(app())
    const { token } = await machine().signIn(user)
    const made = await app().call('POST /api/v4/app-passwords', {
      token,
      body: { name: 'Old phone', scopes: ['imap'] },
    })
    await app().call(`DELETE /api/v4/app-passwords/${made.body.id}`, { token })
    const [added] = await told(user.email, 'An app password was created for your Gatehouse account')
    const [removed] = await told(user.email, 'An app password of your Gatehouse account was deleted')
    expect(added?.text).toContain('Old phone')
    expect(added?.text).not.toContain(made.body.secret)
    expect(removed?.text).toContain('Old phone')
  })

  test('also go to the old external address when it changes', async () => {
    const user = await makeUser(app(), { settings: { external_email: 'old@elsewhere.test' } })
    const { token } = await machine().signIn(user)
    const body = { external_email: 'new@elsewhere.test' }
    expect((await app().call(`PUT /api/v4/users/${user.id}`, { token, body })).status).toBe(200)
    const changed = 'The external e-mail address of your Gatehouse account was changed'
    for (const address of [user.email, 'old@elsewhere.test', 'new@elsewhere.test']) {
      expect(await told(address, changed), address).toHaveLength(1)
    }
    await app().call(`PUT /api/v4/users/${user.id}`, { token, body: { ...body, first_name: 'Jo' } })
    expect(await told(user.email, changed)).toHaveLength(1)
  })

  test('report a changed password to both addresses', async () => {
    const user = await makeUser(app(), { settings: { external_email: 'both@elsewhere.test' } })
    const { token } = await machine().signIn(user)
    const body = { password: 'Other-pass-1', password_confirmation: 'Other-pass-1' }
    expect((await app().call(`PUT /api/v4/users/${user.id}`, { token, body })).status).toBe(200)
    for (const address of [user.email, 'both@elsewhere.test']) {
      expect(await told(address, 'Your Gatehouse password was changed'), address).toHaveLength(1)
    }
  })
})
