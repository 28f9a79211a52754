import { beforeEach, describe, expect, test } from 'vitest'
import {
  exchange,
  makeClient,
  obtainCode,
  obtainTokens,
  post,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'

const app = useOAuthServer()
let person: SignedIn

beforeEach(async () => {
  person = await signedIn(app())
  await app().database.pool.query(`delete from event_log where event = 'sign-in.succeeded'`)
})

/** Entries are written after the response. */
async function entries() {
  await app().events.settled()
  const { rows } = await app().database.pool.query(
    `select event, data, times from event_log
      where object_id = $1 and event in ('sign-in.succeeded', 'session.token-reused') order by event`,
    [person.user.id],
  )
  return rows
}

describe('an application', () => {
  test('is logged when it gets tokens for a user, but not when it refreshes them', async () => {
    const client = await makeClient(app())
    const { refresh_token } = await obtainTokens(app(), person, client)
    await post(app(), '/oauth/token', client, { grant_type: 'refresh_token', refresh_token })
    await expect
      .poll(entries)
      .toMatchObject([
        { event: 'sign-in.succeeded', data: { method: 'app', client: expect.any(String) }, times: 1 },
      ])
  })

  test('whose code is exchanged twice is logged as a possible token theft', async () => {
    const client = await makeClient(app())
    const code = await obtainCode(app(), person, client)
    await exchange(app(), client, code)
    expect((await exchange(app(), client, code)).status).toBe(400)
    await expect.poll(entries).toMatchObject([
      { event: 'session.token-reused', data: { client: expect.any(String) }, times: 1 },
      { event: 'sign-in.succeeded', data: { method: 'app' } },
    ])
  })

  test('whose refresh token is used twice is logged as a possible token theft', async () => {
    const client = await makeClient(app())
    const { refresh_token } = await obtainTokens(app(), person, client, { scope: 'openid offline_access' })
    const refresh = () => post(app(), '/oauth/token', client, { grant_type: 'refresh_token', refresh_token })
    expect((await refresh()).status).toBe(200)
    expect((await refresh()).status).toBe(400)
    await expect.poll(entries).toContainEqual(expect.objectContaining({ event: 'session.token-reused' }))
  })
})
