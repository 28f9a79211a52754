import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeClient, obtainTokens, signedIn, useOAuthServer } from '../../testing/oauth.ts'

const server = useOAuthServer()

describe('the mail password', () => {
  const obtain = async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { scopes: ['openid', 'email', 'auth.token'] })
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid email auth.token' })
    const password = String(decodeJwt(tokens.id_token)['auth.token'])
    return { person, client, tokens, password }
  }

  test('has the format that mail servers know, belongs to the user, and is valid as long as a token', async () => {
    const { person, password } = await obtain()
    expect(password).toMatch(/^[a-zA-Z0-9+/]{8,}![a-zA-Z0-9+/]*![a-zA-Z0-9+/]{48,}$/)
    expect(password.length).toBeLessThan(128)
    const { mailPasswords } = server().oauth
    expect(await mailPasswords.verify(password)).toBe(person.user.id)
    server().clock.advance(3601)
    expect(await mailPasswords.verify(password)).toBeUndefined()
    server().clock.advance(-3601)
  })

  test('cannot be used for a portal session or the API', async () => {
    const { person, password } = await obtain()
    const login = await server().call('POST /api/auth/login', {
      body: { email: person.user.email, password },
    })
    expect(login.status).toBe(401)
    expect((await server().call('GET /api/auth/info', { token: password })).status).toBe(401)
  })

  test('ends with the connection, and is rejected if altered', async () => {
    const { person, client, password } = await obtain()
    const { mailPasswords } = server().oauth
    const altered = `${password.slice(0, -2)}${password.endsWith('AA') ? 'BB' : 'AA'}`
    for (const wrong of [
      altered,
      '',
      'simple123',
      'x!y!z',
      `${'A'.repeat(16)}!${'A'.repeat(22)}!${'A'.repeat(64)}`,
    ]) {
      expect(await mailPasswords.verify(wrong)).toBeUndefined()
    }
    await server().call(`DELETE /api/v4/consents/${client.id}`, { token: person.token })
    expect(await mailPasswords.verify(password)).toBeUndefined()
  })

  test('is contained in the ID token only', async () => {
    const { tokens } = await obtain()
    const { body } = await server().call('GET /oauth/userinfo', { token: tokens.access_token })
    expect(Object.keys(body)).toEqual(['sub', 'email', 'email_verified', 'settings'])
  })
})
