import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolTotp, login } from '../../testing/factors.ts'
import {
  authorization,
  consent,
  exchange,
  makeClient,
  obtainTokens,
  post,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'

/** Applications can't be used to bypass the second factor. */

const server = useOAuthServer()

const approve = (token: string, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { token, body })

/** Creates an account whose owner requires second factors, and a member. */
async function strictAccount() {
  const owner = await signedIn(server(), { plan: 'group' })
  const member = await makeUser(server(), { walletId: owner.user.walletId })
  const demand = (value: 'required' | null) =>
    server().call(`POST /api/v4/users/${owner.user.id}/config`, {
      token: owner.token,
      body: { second_factor_policy: value },
    })
  return { member, demand }
}

describe('a user who still has to set up a second factor', () => {
  test("can't authorise any application before", async () => {
    const { member, demand } = await strictAccount()
    await demand('required')
    const client = await makeClient(server())
    const { body } = await login(server(), member)
    expect(body.mustEnrol).toBe(true)
    const token: string = body.access_token
    for (const more of [{}, { prompt: 'none' }, { prompt: 'login' }, { max_age: '0' }, { acr_values: '0' }]) {
      const answer = await approve(token, authorization(client, more))
      expect([answer.status, answer.body.redirectUrl]).toEqual([403, undefined])
    }
    const device = await post(server(), '/oauth/device_authorization', client, { scope: 'openid' })
    const decision = { user_code: device.body.user_code, decision: 'allow' }
    expect((await server().call('POST /api/oauth/device', { token, body: decision })).status).toBe(403)
    await enrolTotp(server(), token)
    expect((await approve(token, authorization(client))).body.status).toBe('success')
  })

  test("can't renew access granted earlier until then", async () => {
    const { member, demand } = await strictAccount()
    const client = await makeClient(server())
    const { access_token: token } = await signInAs(server(), member)
    const { refresh_token } = await obtainTokens(server(), { user: member, token }, client)
    const refresh = () =>
      post(server(), '/oauth/token', client, { grant_type: 'refresh_token', refresh_token })
    await demand('required')
    expect((await refresh()).body.error).toBe('invalid_grant')
    await demand(null)
    expect((await refresh()).status).toBe(200)
  })

  test('gets no tokens for a code or device from before the requirement', async () => {
    const { member, demand } = await strictAccount()
    const client = await makeClient(server())
    const { access_token: token } = await signInAs(server(), member)
    const person = { user: member, token }
    const address = await consent(server(), person, authorization(client))
    const device = (await post(server(), '/oauth/device_authorization', client, { scope: 'openid' })).body
    const decision = { user_code: device.user_code, decision: 'allow' }
    expect((await server().call('POST /api/oauth/device', { token, body: decision })).status).toBe(200)
    await demand('required')
    const code = address.searchParams.get('code') ?? ''
    expect((await exchange(server(), client, code)).body.error).toBe('invalid_grant')
    const poll = await post(server(), '/oauth/token', client, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
    })
    expect(poll.body.error).toBe('invalid_grant')
  })
})

describe('an application that requires a new sign-in', () => {
  test.each([{ prompt: 'login' }, { max_age: '0' }, { max_age: '1' }])(
    'with %j gets one with the second factor',
    async (wish) => {
      const user = await makeUser(server())
      const code = await makeTotp(server(), user)
      const client = await makeClient(server())
      const { access_token: old } = (await login(server(), user, { secondfactor: code() })).body
      const query = authorization(client, wish)
      const before = (await consent(server(), { user, token: old }, authorization(client))).searchParams
      const first = await exchange(server(), client, before.get('code') ?? '')
      server().clock.advance(60)
      const { ticket } = (await approve(old, { ...query, ifSeen: true })).body
      expect(ticket).toBeTruthy()
      // the password alone doesn't sign the user in, and the existing session isn't new
      const half = await login(server(), user)
      expect([half.status, half.body.access_token]).toEqual([422, undefined])
      expect((await approve(old, { ...query, ticket })).body.status).toBe('login')
      server().clock.advance(60)
      const { access_token: token } = (await login(server(), user, { secondfactor: code() })).body
      const answer = await consent(server(), { user, token }, { ...query, ticket })
      const { body } = await exchange(server(), client, answer.searchParams.get('code') ?? '')
      const since = Number(decodeJwt(body.id_token).auth_time)
      expect(since - Number(decodeJwt(first.body.id_token).auth_time)).toBeGreaterThanOrEqual(120)
      server().clock.advance(-120)
    },
  )

  test("rejects another application's ticket and an old sign-in", async () => {
    const person = await signedIn(server())
    const other = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { prompt: 'login' })
    const strange = await makeClient(server())
    const ticketOf = async (token: string, which: typeof client) =>
      (await approve(token, authorization(which, { prompt: 'login' }))).body.ticket as string
    const foreign = await ticketOf(other.token, strange)
    server().clock.advance(1)
    const { access_token: token } = await signInAs(server(), person.user)
    expect((await approve(token, { ...query, ticket: foreign })).body.status).toBe('login')
    const ticket = await ticketOf(person.token, client)
    server().clock.advance(2)
    const fresh = await signInAs(server(), person.user)
    server().clock.advance(3500)
    const renewal = { body: { refresh_token: fresh.refresh_token } }
    const later = (await server().call('POST /api/auth/refresh', renewal)).body.access_token
    server().clock.advance(101)
    expect((await approve(later, { ...query, ticket })).body.status).toBe('login')
    server().clock.advance(-3604)
  })

  test('gets no acr claim, whatever it requests', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const tokens = await obtainTokens(server(), person, client, { acr_values: '2 1', max_age: '600' })
    expect(decodeJwt(tokens.id_token)).not.toHaveProperty('acr')
    const { body } = await server().call('GET /.well-known/openid-configuration')
    expect(body).not.toHaveProperty('acr_values_supported')
  })
})
