import { beforeEach, describe, expect, test } from 'vitest'
import { wireDate } from '../../platform/clock.ts'
import { type MadeUser, makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolPasskey, enrolTotp, login } from '../../testing/factors.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let token: string

beforeEach(async () => {
  user = await makeUser(app(), { settings: { external_email: 'me@elsewhere.test' } })
  token = (await signInAs(app(), user)).access_token
})

const call = (route: string, body?: unknown, as = token) => app().call(route, { token: as, body })
const overview = async () => (await call('GET /api/v4/factors')).body
const kinds = async () => {
  const { body } = await call('GET /api/v4/events')
  return body.list.map((entry: { event: string }) => entry.event)
}
const mailsAbout = async () => {
  const { db } = app().database
  await app().mails()
  const rows = await db.selectFrom('mailLog').select('subject').where('userId', '=', user.id).execute()
  // one for each of the user's addresses
  return [...new Set(rows.map(({ subject }) => subject))].sort()
}

describe('setting up an authenticator app', () => {
  test('returns its secret as URI, text and QR code; it becomes active once a code confirmed it', async () => {
    const { body } = await call('POST /api/v4/factors/totp', { label: 'Phone' })
    expect(body.uri).toContain(`otpauth://totp/Gatehouse:${encodeURIComponent(user.email)}?issuer=Gatehouse`)
    expect(body.uri).toContain(`secret=${body.secret}`)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.qrcode).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(body.expires_at).toBe(wireDate(new Date(app().clock.now().getTime() + 600_000)))
    expect((await overview()).totp).toEqual([])
    expect((await login(app(), user)).status).toBe(200)
  })

  test('stores the secret encrypted', async () => {
    const { body } = await call('POST /api/v4/factors/totp', {})
    const row = await app()
      .database.db.selectFrom('secondFactors')
      .select('secret')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect(row.secret.toString('latin1')).not.toContain(body.secret)
  })

  test('returns recovery codes and requires a code from then on', async () => {
    const { recoveryCodes, id, code } = await enrolTotp(app(), token)
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const text of recoveryCodes ?? []) expect(text).toMatch(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/)
    expect(await overview()).toMatchObject({
      totp: [{ id, label: 'My phone', last_used_at: null }],
      recovery: { left: 10 },
      policy: { value: 'optional', source: 'system' },
      stepUp: ['totp', 'recovery'],
    })
    expect((await login(app(), user)).body.factors).toEqual(['totp', 'recovery'])
    expect((await login(app(), user, { secondfactor: code() })).status).toBe(200)
    expect((await overview()).totp[0].last_used_at).toBe(wireDate(app().clock.now()))
  })

  test('consumes the code that confirmed it', async () => {
    const { code } = await enrolTotp(app(), token)
    expect((await login(app(), user, { secondfactor: code(-1) })).status).toBe(422)
  })

  test('expires after ten minutes', async () => {
    const { body } = await call('POST /api/v4/factors/totp', {})
    app().clock.advance(600)
    const { status } = await call(`POST /api/v4/factors/totp/${body.id}/confirm`, { code: '123456' })
    expect(status).toBe(404)
  })

  test('rejects wrong codes with increasing delays', async () => {
    const { body } = await call('POST /api/v4/factors/totp', {})
    const confirm = (code: string) => call(`POST /api/v4/factors/totp/${body.id}/confirm`, { code })
    for (let guess = 1; guess <= 6; guess++) {
      expect(await confirm('000000')).toMatchObject({
        status: 422,
        body: { errors: { code: 'This verification code is incorrect.' } },
      })
    }
    expect((await confirm('000000')).status).toBe(429)
  })

  test('cannot be confirmed, renamed or removed by another user', async () => {
    const { body } = await call('POST /api/v4/factors/totp', {})
    const mine = await enrolTotp(app(), token)
    const { access_token: stranger } = await signInAs(app(), await makeUser(app()))
    const codes = { code: '123456' }
    expect((await call(`POST /api/v4/factors/totp/${body.id}/confirm`, codes, stranger)).status).toBe(404)
    expect((await call(`PUT /api/v4/factors/totp/${mine.id}`, { label: 'x' }, stranger)).status).toBe(404)
    expect((await call(`DELETE /api/v4/factors/totp/${mine.id}`, {}, stranger)).status).toBe(404)
    expect((await call(`DELETE /api/v4/factors/passkeys/${mine.id}`, {})).status).toBe(404)
    for (const id of ['x', '0', '01890000-0000-7000-8000-000000000000']) {
      expect((await call(`DELETE /api/v4/factors/totp/${id}`, {})).status).toBe(404)
    }
  })

  test('is limited to twenty per user', async () => {
    for (let factor = 0; factor < 20; factor++) await makeTotp(app(), user)
    expect((await call('POST /api/v4/factors/totp', {})).body.errors).toEqual({
      label: 'You can set up at most 20 of each kind.',
    })
  })
})

describe('a change of factors', () => {
  test('ends the other sessions, is recorded for the owner and reported by mail', async () => {
    const { access_token: other } = await signInAs(app(), user)
    const { id } = await enrolTotp(app(), token)
    expect((await call('GET /api/auth/info', undefined, other)).status).toBe(401)
    expect((await call('GET /api/auth/info')).status).toBe(200)
    await call(`PUT /api/v4/factors/totp/${id}`, { label: 'Tablet' })
    await call('POST /api/v4/factors/recovery-codes')
    await call(`DELETE /api/v4/factors/totp/${id}`)
    expect((await kinds()).slice(0, 4)).toEqual([
      'user.factor-removed',
      'user.recovery-codes-renewed',
      'user.factor-renamed',
      'user.factor-added',
    ])
    expect(await mailsAbout()).toEqual([
      'A two-step verification method was added to your Gatehouse account',
      'A two-step verification method was removed from your Gatehouse account',
      'New recovery codes were created for your Gatehouse account',
    ])
  })

  test('that removes the last one also removes the recovery codes', async () => {
    const { id } = await enrolTotp(app(), token)
    const passkey = await enrolPasskey(app(), token)
    await call(`DELETE /api/v4/factors/totp/${id}`)
    expect((await overview()).recovery.left).toBe(10)
    await call(`DELETE /api/v4/factors/passkeys/${passkey.id}`)
    expect(await overview()).toMatchObject({ recovery: { left: 0, created_at: null }, stepUp: ['password'] })
    expect((await login(app(), user)).status).toBe(200)
  })
})

describe('recovery codes', () => {
  test('work once each, however they are typed, and the user is notified', async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const [first = '', second = ''] = recoveryCodes
    const typed = first.toLowerCase().replace('-', ' ')
    expect((await login(app(), user, { secondfactor: typed })).status).toBe(200)
    expect((await login(app(), user, { secondfactor: first })).status).toBe(422)
    expect((await login(app(), user, { secondfactor: second })).status).toBe(200)
    expect((await overview()).recovery.left).toBe(8)
    expect(await kinds()).toContain('user.recovery-code-used')
    expect(await mailsAbout()).toContain('A recovery code was used for your Gatehouse account')
  })

  test('work once for fifty concurrent attempts with the right one, and guesses are throttled', async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const secondfactor = recoveryCodes[0]
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(app(), user, { secondfactor })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(30)
    expect((await overview()).recovery.left).toBe(9)
  })

  test('reject fifty concurrent guesses, of which only a few are checked', async () => {
    await enrolTotp(app(), token)
    const guesses = Array.from({ length: 50 }, (_, guess) => `AAAAA-${String(22_222 + guess)}`)
    const answers = await Promise.all(guesses.map((secondfactor) => login(app(), user, { secondfactor })))
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThan(16)
  })

  test('of one user do not work for another', async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const other = await makeUser(app())
    await enrolTotp(app(), (await signInAs(app(), other)).access_token)
    expect((await login(app(), other, { secondfactor: recoveryCodes[0] })).status).toBe(422)
  })

  test('are invalid once new ones were created', async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const { body } = await call('POST /api/v4/factors/recovery-codes')
    expect(body.recoveryCodes).toHaveLength(10)
    expect((await login(app(), user, { secondfactor: recoveryCodes[0] })).status).toBe(422)
    expect((await login(app(), user, { secondfactor: body.recoveryCodes[0] })).status).toBe(200)
  })

  test('are not created for a user without a factor they could replace', async () => {
    const { status, body } = await call('POST /api/v4/factors/recovery-codes')
    expect([status, Object.keys(body.errors)]).toEqual([422, ['factor']])
  })

  test("are stored as hashes keyed with the installation's secret", async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const rows = await app()
      .database.db.selectFrom('recoveryCodes')
      .select('hash')
      .where('userId', '=', user.id)
      .execute()
    const stored = rows.map(({ hash }) => hash.toString('latin1')).join()
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replace('-', ''))
  })
})

describe('a lost password', () => {
  const reset = async (more: Record<string, unknown>) => {
    const { body: begun } = await app().call('POST /api/auth/password-reset/init', {
      body: { email: user.email },
    })
    const mails = await app().mails()
    const code = mails
      .map(({ text }) => /\/password-reset\/([A-Z2-9]{8})-/.exec(text ?? '')?.[1])
      .find(Boolean)
    return (again: Record<string, unknown> = more) =>
      app().call('POST /api/auth/password-reset', {
        body: {
          ...{
            code: begun.code,
            short_code: code,
            password: 'another-anchor',
            password_confirmation: 'another-anchor',
          },
          ...again,
        },
      })
  }

  test('does not bypass the second factor: without it nothing is changed', async () => {
    const { recoveryCodes = [] } = await enrolTotp(app(), token)
    const submit = await reset({})
    const missing = await submit()
    expect(missing).toMatchObject({ status: 422, body: { factors: ['totp', 'recovery'] } })
    expect((await submit({ secondfactor: '000000' })).status).toBe(422)
    expect((await call('GET /api/auth/info')).status).toBe(200)
    expect((await submit({ secondfactor: recoveryCodes[0] })).status).toBe(200)
    expect((await call('GET /api/auth/info')).status).toBe(401)
  })

  test('rejects fifty concurrent guesses and checks only a few of them', async () => {
    await enrolTotp(app(), token)
    const submit = await reset({})
    const guesses = Array.from({ length: 50 }, (_, guess) => `AAAAA-${22_222 + guess}`)
    const answers = await Promise.all(guesses.map((secondfactor) => submit({ secondfactor })))
    expect(answers.filter(({ status }) => status !== 422 && status !== 429)).toEqual([])
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThan(16)
    expect((await call('GET /api/auth/info')).status).toBe(200)
  })

  test('accepts a passkey, but not the response to a sign-in challenge', async () => {
    const { device } = await enrolPasskey(app(), token)
    const submit = await reset({})
    const elsewhere = (await login(app(), user)).body.passkey
    expect((await submit({ passkey: device.get(elsewhere) })).status).toBe(422)
    const { body } = await submit()
    expect((await submit({ passkey: device.get(body.passkey) })).status).toBe(200)
  })
})

describe('staff', () => {
  test('can remove all factors at once, and the user is notified', async () => {
    await enrolPasskey(app(), token)
    const { id } = await enrolTotp(app(), token)
    const admin = await makeUser(app(), { role: 'admin' })
    const { access_token: staff } = await signInAs(app(), admin)
    const answer = await app().call(`POST /api/v4/users/${user.id}/reset-2fa`, {
      token: staff,
      host: 'admin.localhost:8000',
      body: { comment: 'lost phone' },
    })
    expect(answer.status).toBe(200)
    expect((await call('GET /api/auth/info')).status).toBe(401)
    token = (await signInAs(app(), user)).access_token
    expect(await overview()).toMatchObject({ totp: [], passkeys: [], recovery: { left: 0 } })
    expect((await call(`DELETE /api/v4/factors/totp/${id}`)).status).toBe(404)
    expect(await mailsAbout()).toContain('Two-step verification of your Gatehouse account was reset')
    const { body } = await call('GET /api/v4/events')
    expect(body.list[0]).toMatchObject({ event: 'user.second-factor-reset', comment: 'lost phone' })
  })

  test('who impersonate a user see no factors and change none', async () => {
    const admin = await makeUser(app(), { role: 'admin' })
    const { access_token: staff } = await signInAs(app(), admin)
    const { body } = await app().call(`POST /api/v4/users/${user.id}/login-as`, {
      token: staff,
      host: 'admin.localhost:8000',
      body: { reason: 'asked for help' },
    })
    const code = body.redirectUrl.split('#')[1]?.replace(/^.*=/, '')
    const { body: borrowed } = await app().call('POST /api/auth/login-as', { body: { code } })
    const as = borrowed.access_token
    for (const route of [
      'GET /api/v4/factors',
      'POST /api/v4/factors/totp',
      'POST /api/v4/factors/passkeys/options',
      'POST /api/v4/factors/recovery-codes',
      'POST /api/auth/step-up/options',
      'POST /api/auth/step-up',
    ]) {
      const body = route.startsWith('GET') ? undefined : { password: user.password }
      expect((await call(route, body, as)).status, route).toBe(403)
    }
  })
})
