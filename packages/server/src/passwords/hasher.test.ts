import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Hasher } from './hasher.ts'

const hasher = new Hasher()
const password = 'pä55 wörd🔑'

function salted(scheme: string, algorithm: string, salt: Buffer): string {
  const digest = createHash(algorithm).update(password).update(salt).digest()
  return `{${scheme}}${Buffer.concat([digest, salt]).toString('base64')}`
}

/** The layout of 389-ds: iterations, 64 bytes of salt, 256 bytes of key. */
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

test('a hash of ours is argon2id above the least cost, salted, and up to date', async () => {
  const [first, second] = [await hasher.hash(password), await hasher.hash(password)]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=47104,t=2,p=1\$/)
  expect(first).not.toBe(second)
  expect(await hasher.verify(first, password)).toBe(true)
  expect(await hasher.verify(first, `${password} `)).toBe(false)
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
  test.each(Object.entries(hashes))('%s is verified and known as outdated', async (_, stored) => {
    expect(await hasher.verify(stored, password)).toBe(true)
    expect(await hasher.verify(stored, 'wrong')).toBe(false)
    expect(await hasher.verify(stored, '')).toBe(false)
    expect(hasher.isOutdated(stored)).toBe(true)
  })

  test('argon2 of a lower cost is verified and known as outdated', async () => {
    const weak = '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$'
    expect(hasher.isOutdated(weak)).toBe(true)
  })
})

describe('what is no hash', () => {
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
  ])('%s fits no password and breaks nothing', async (stored) => {
    expect(await hasher.verify(stored, 'simple123')).toBe(false)
    expect(await hasher.verify(stored, '')).toBe(false)
  })

  test('neither does the absence of one', async () => {
    expect(await hasher.verify(null, 'nobody has this password')).toBe(false)
    expect(await hasher.verify(undefined, '')).toBe(false)
  })
})

test('the absence of a hash, and a hash that is cheap to check, take as long as a real one', async () => {
  const real = await hasher.hash(password)
  const cheap = salted('SSHA', 'sha1', randomBytes(8))
  await hasher.verify(undefined, password)
  const least = async (stored: string | undefined) => {
    const times: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now()
      await hasher.verify(stored, 'wrong')
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  // the least of several is not disturbed by what else the machine does; without hashing it is a hundredth
  const usual = await least(real)
  expect(await least(undefined)).toBeGreaterThan(usual / 4)
  expect(await least(cheap)).toBeGreaterThan(usual / 4)
})

test('many at once are all answered rightly', async () => {
  const real = await hasher.hash(password)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => hasher.verify(real, turn % 2 === 0 ? password : 'wrong')),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, turn) => turn % 2 === 0))
})
