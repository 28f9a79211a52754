import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { TooManyRequests } from '../platform/http/errors.ts'
import { Hasher, type HashFor } from './hasher.ts'

const hasher = new Hasher()
const whom = { ip: '192.0.2.1' }
const password = 'pä55 wörd🔑'

function salted(scheme: string, algorithm: string, salt: Buffer): string {
  const digest = createHash(algorithm).update(password).update(salt).digest()
  return `{${scheme}}${Buffer.concat([digest, salt]).toString('base64')}`
}

/** Encodes the layout of 389-ds: iterations, 64 bytes of salt, 256 bytes of key. */
function directory(iterations: number): string {
  const salt = randomBytes(64)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(iterations)
  const key = pbkdf2Sync(password, salt, iterations, 256, 'sha256')
  return `{PBKDF2_SHA256}${Buffer.concat([head, salt, key]).toString('base64')}`
}

function passlib(iterations: number): string {
  const salt = randomBytes(16)
  const key = pbkdf2Sync(password, salt, iterations, 64, 'sha512')
  const adapted = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '')
  return `{PBKDF2-SHA512}${iterations}$${adapted(salt)}$${adapted(key)}`
}

test('a new hash is salted argon2id of at least the minimum cost, and up to date', async () => {
  const [first, second] = [await hasher.hash(password, whom), await hasher.hash(password, whom)]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=47104,t=2,p=1\$/)
  expect(first).not.toBe(second)
  expect(await hasher.verify(first, password, whom)).toBe(true)
  expect(await hasher.verify(first, `${password} `, whom)).toBe(false)
  expect(hasher.isOutdated(first)).toBe(false)
})

describe('a hash of an older system', () => {
  const hashes = {
    SSHA: salted('SSHA', 'sha1', randomBytes(8)),
    'SSHA without salt': salted('SSHA', 'sha1', Buffer.alloc(0)),
    SSHA512: salted('SSHA512', 'sha512', randomBytes(16)),
    PBKDF2_SHA256: directory(2048),
    'PBKDF2-SHA512': passlib(1000),
  }
  test.each(Object.entries(hashes))('%s is verified and recognised as outdated', async (_, stored) => {
    expect(await hasher.verify(stored, password, whom)).toBe(true)
    expect(await hasher.verify(stored, 'wrong', whom)).toBe(false)
    expect(await hasher.verify(stored, '', whom)).toBe(false)
    expect(hasher.isOutdated(stored)).toBe(true)
  })

  test('argon2 with a lower cost is verified and recognised as outdated', async () => {
    const weak = '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$'
    expect(hasher.isOutdated(weak)).toBe(true)
  })
})

describe('an invalid hash', () => {
  test.each([
    '',
    'simple123',
    '{SSHA}',
    '{SSHA}!!!',
    '{SSHA512}c2hvcnQ=',
    '{PBKDF2_SHA256}c2hvcnQ=',
    `{PBKDF2_SHA256}${Buffer.alloc(324).toString('base64')}`,
    '{PBKDF2-SHA512}',
    '{PBKDF2-SHA512}0$c2FsdA$a2V5',
    '{PBKDF2-SHA512}1000$c2FsdA$',
    '{PBKDF2-SHA512}x$c2FsdA$a2V5',
    '{PBKDF2-SHA512}-1$c2FsdA$a2V5',
    '{UNKNOWN}abc',
    '{}',
    '$argon2id$',
    '$argon2id$v=19$m=47104,t=2,p=1$broken',
    '$2y$12$abcdefghijklmnopqrstuv',
  ])('%s matches no password and causes no error', async (stored) => {
    expect(await hasher.verify(stored, 'simple123', whom)).toBe(false)
    expect(await hasher.verify(stored, '', whom)).toBe(false)
  })

  test('neither does a missing one', async () => {
    expect(await hasher.verify(null, 'nobody has this password', whom)).toBe(false)
    expect(await hasher.verify(undefined, '', whom)).toBe(false)
  })
})

test('missing and cheap hashes take as long to verify as real ones', async () => {
  const real = await hasher.hash(password, whom)
  const cheap = salted('SSHA', 'sha1', randomBytes(8))
  await hasher.verify(undefined, password, whom)
  const least = async (stored: string | undefined) => {
    const times: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now()
      await hasher.verify(stored, 'wrong', whom)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  // the minimum of several runs is robust against load; without hashing it would be a hundredth
  const usual = await least(real)
  expect(await least(undefined)).toBeGreaterThan(usual / 4)
  expect(await least(cheap)).toBeGreaterThan(usual / 4)
})

test('many concurrent requests are all answered correctly', async () => {
  const real = await hasher.hash(password, whom)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => hasher.verify(real, turn % 2 === 0 ? password : 'wrong', whom)),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, turn) => turn % 2 === 0))
})

describe('queued hashes', () => {
  const cheap = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
  const atOnce = Math.max(1, availableParallelism() - 1)
  const from = (network: number) => ({ ip: `10.${network}.0.1` })

  /** Queues hashes and returns their requesters in order of completion. */
  function crowd(queue: Hasher) {
    const ended: string[] = []
    const all: Promise<unknown>[] = []
    return {
      ask(name: string, asker: HashFor, count = 1, stored?: string) {
        for (let n = 0; n < count; n++) {
          const done = queue.verify(stored, 'wrong', asker).then(
            () => ended.push(name),
            (error: unknown) => ended.push(error instanceof TooManyRequests ? `${name} refused` : 'broken'),
          )
          all.push(done)
        }
      },
      async end() {
        await Promise.all(all)
        return ended
      },
    }
  }
  const count = (ended: readonly string[], name: string) => ended.filter((one) => one === name).length

  test('are limited to fifty per network, including decoys', async () => {
    const one = crowd(new Hasher(cheap))
    one.ask('flood', from(1), 400)
    const ended = await one.end()
    expect(count(ended, 'flood')).toBe(50 + atOnce)
    expect(count(ended, 'flood refused')).toBe(350 - atOnce)
  })

  test.each([
    ['from elsewhere', from(2)],
    ['from the next address', { ip: '10.1.0.2' }],
    ['of a known device in the same network', { ...from(1), isKnown: true }],
    ['of a server that does not know the address', { login: 'ada@example.test' }],
  ])('let one %s pass after a few turns', async (_who, asker) => {
    const one = crowd(new Hasher(cheap))
    one.ask('flood', from(1), 50)
    one.ask('honest', asker)
    expect((await one.end()).indexOf('honest')).toBeLessThanOrEqual(2 * atOnce + 2)
  })

  test('are limited in total, and the busiest networks yield to a newcomer', async () => {
    const one = crowd(new Hasher(cheap))
    for (let network = 1; network <= 6; network++) one.ask('flood', from(network), 50)
    one.ask('honest', from(7))
    const ended = await one.end()
    expect(count(ended, 'honest')).toBe(1)
    expect(count(ended, 'flood')).toBe(249 + atOnce)
  })

  test('take precedence over background work, which progresses slowly', async () => {
    const one = crowd(new Hasher(cheap))
    one.ask('import', 'background', 60)
    one.ask('flood', from(1), 40)
    const ended = await one.end()
    const during = ended.slice(0, ended.lastIndexOf('flood'))
    expect(count(during, 'import')).toBeGreaterThanOrEqual(4)
    expect(count(during, 'import')).toBeLessThanOrEqual(8 + 2 * atOnce)
    expect(count(ended, 'import')).toBe(60)
  })
})
