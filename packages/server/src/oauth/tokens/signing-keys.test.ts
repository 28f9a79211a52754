import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { textOutput } from '../../platform/cli/answer.ts'
import { makeClient, obtainTokens, signedIn, useOAuthServer } from '../../testing/oauth.ts'
import { oauthCommands } from '../oauth-commands.ts'
import { rotateJob } from '../oauth-jobs.ts'
import { SigningKeys } from './signing-keys.ts'

/** Signing keys are rotated without affecting clients that cache the public keys. */

const server = useOAuthServer()

const hour = 3600
const day = 24 * hour
let moved = 0

/** Advances the clock, so that keys cached by processes expire. */
function pass(seconds: number): void {
  server().clock.advance(seconds)
  moved += seconds
}

afterEach(async () => {
  server().clock.advance(-moved)
  moved = 0
  // isolates tests from each other's keys
  await server().oauth.keys.withdraw()
})

async function published(): Promise<JSONWebKeySet> {
  return JSON.parse((await server().call('GET /oauth/jwks')).body)
}

const kids = async () => (await published()).keys.map(({ kid }) => kid ?? '')

/** Signs an ID token with each kind of key. */
async function sign(): Promise<string[]> {
  const person = await signedIn(server())
  const made = []
  for (const alg of ['RS256', 'ES256'] as const) {
    const client = await makeClient(server(), { alg })
    made.push((await obtainTokens(server(), person, client)).id_token)
  }
  return made
}

const names = (tokens: readonly string[]) => tokens.map((token) => decodeProtectedHeader(token).kid ?? '')

/** Returns whether these tokens can be verified with a cached copy of the keys. */
async function areGood(tokens: readonly string[], copy: JSONWebKeySet): Promise<boolean> {
  // times in tokens come from the library's own clock, which doesn't follow ours
  const checks = tokens.map((token) => jwtVerify(token, createLocalJWKSet(copy)))
  return (await Promise.allSettled(checks)).every(({ status }) => status === 'fulfilled')
}

describe('a planned rotation', () => {
  test('publishes the new keys a day before they sign', async () => {
    const before = names(await sign())
    const made = await server().oauth.keys.rotate()
    expect(made).toHaveLength(2)
    expect(await kids()).toEqual(expect.arrayContaining([...before, ...made]))
    pass(day - 60)
    expect(names(await sign())).toEqual(before)
    pass(2 * 60)
    expect(names(await sign()).toSorted()).toEqual(made.toSorted())
  })

  test("doesn't affect clients that cached the keys for hours", async () => {
    await server().oauth.keys.rotate()
    const copy = await published()
    pass(day + 60)
    expect(await areGood(await sign(), copy)).toBe(true)
  })

  test('keeps tokens valid that were signed before, for thirty days', async () => {
    const tokens = await sign()
    await server().oauth.keys.rotate()
    pass(day + hour)
    const hint = { id_token_hint: tokens[0] ?? '', post_logout_redirect_uri: 'https://app.test/bye' }
    const ask = async () => {
      const { headers } = await server().call(`GET /oauth/logout?${new URLSearchParams(hint).toString()}`)
      return String(headers.location)
    }
    expect(await kids()).toHaveLength(4)
    expect(await ask()).toContain('request=')
    pass(30 * day)
    expect(await kids()).toHaveLength(2)
    expect(await kids()).not.toContain(names(tokens)[0])
    expect(await ask()).toContain('error=invalid_request')
    await server().oauth.keys.purge()
    const { rows } = await server().database.pool.query('select kid from oauth_keys')
    expect(rows).toHaveLength(2)
  })

  test('is not started a second time', async () => {
    const made = await server().oauth.keys.rotate()
    expect(made).toHaveLength(2)
    expect(await server().oauth.keys.rotate()).toEqual([])
    pass(hour)
    expect(await server().oauth.keys.rotate()).toEqual([])
    expect(await kids()).toHaveLength(4)
  })

  test('happens once when started by two processes concurrently', async () => {
    const { database, clock, secrets } = server()
    const processes = [1, 2, 3].map(() => new SigningKeys(database.db, clock, secrets))
    const made = await Promise.all(processes.map((one) => one.rotate()))
    expect(made.flat()).toHaveLength(2)
    pass(60)
    expect(await kids()).toHaveLength(4)
  })

  test('reaches a process that has cached the keys', async () => {
    const { database, clock, secrets } = server()
    const other = new SigningKeys(database.db, clock, secrets)
    await other.current()
    const made = await server().oauth.keys.rotate()
    pass(11)
    const seen = (await other.current()).keys.map(({ kid }) => kid)
    expect(seen).toEqual(expect.arrayContaining(made))
    pass(day)
    const [first] = (await other.current()).keys
    expect(made).toContain(first?.kid)
  })
})

describe('the nightly job', () => {
  const night = async () => {
    await server().jobs.enqueue(server().database.db, rotateJob, {})
    await server().jobs.drain()
  }

  test('rotates keys that will have signed for ninety days tomorrow', async () => {
    const before = await kids()
    await night()
    expect(await kids()).toEqual(before)
    pass(88 * day)
    await night()
    expect(await kids()).toEqual(before)
    pass(day + hour)
    await night()
    expect(await kids()).toHaveLength(4)
    expect(before).toEqual(expect.arrayContaining(names(await sign())))
    pass(day)
    expect(before).not.toEqual(expect.arrayContaining(names(await sign())))
    await night()
    expect(await kids()).toHaveLength(4)
  })
})

describe('compromised keys', () => {
  test('are withdrawn immediately, which invalidates everything they signed', async () => {
    const tokens = await sign()
    const before = await kids()
    expect(await areGood(tokens, await published())).toBe(true)
    const made = await server().oauth.keys.withdraw()
    expect((await kids()).toSorted()).toEqual(made.toSorted())
    expect(before).not.toEqual(expect.arrayContaining(made))
    expect(await areGood(tokens, await published())).toBe(false)
    const fresh = await sign()
    expect(names(fresh).toSorted()).toEqual(made.toSorted())
    expect(await areGood(fresh, await published())).toBe(true)
  })

  test('are withdrawn along with pending successors', async () => {
    const waiting = await server().oauth.keys.rotate()
    await server().oauth.keys.withdraw()
    expect(await kids()).toHaveLength(2)
    expect(await kids()).not.toEqual(expect.arrayContaining(waiting))
  })
})

describe('the command line', () => {
  const run = async (...args: string[]): Promise<string[]> => {
    const command = oauthCommands.find(({ name }) => name === 'oauth:rotate-keys')
    const lines: string[] = []
    const { database, clock, secrets } = server()
    const config = loadConfig({ APP_URL: server().issuer })
    const output = textOutput((line) => lines.push(line))
    await command?.run({ args, config, database, db: database.db, clock, secrets, root: '', ...output })
    return lines
  }

  test('plans a rotation once, and withdraws compromised keys', async () => {
    const before = await kids()
    expect(await run()).toEqual([expect.stringMatching(/^New keys: [\w-]{43}, [\w-]{43}$/)])
    expect(await run()).toEqual(['New keys are already published and will be used within a day.'])
    expect(await run('--leaked=yes')).toEqual([expect.stringMatching(/^New keys: [\w-]{43}, [\w-]{43}$/)])
    const { rows } = await server().database.pool.query<{ kid: string }>(
      'select kid from oauth_keys where expires_at is null',
    )
    expect(rows).toHaveLength(2)
    expect(before).not.toContain(rows[0]?.kid)
    await expect(run('--leaked=no')).rejects.toThrow('--leaked must be yes')
    await expect(run('--now=yes')).rejects.toThrow('--now=yes is not an option')
  })
})

test('the key endpoint sends its cache lifetime', async () => {
  const { headers } = await server().call('GET /oauth/jwks')
  expect(headers['cache-control']).toBe('public, max-age=600')
})
