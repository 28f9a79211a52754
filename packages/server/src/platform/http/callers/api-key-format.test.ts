import { describe, expect, test } from 'vitest'
import { sha256 } from '../../secrets.ts'
import { containsApiKey, formatApiKey, isApiKey, isSecret, newApiKey, readApiKey } from './api-key-format.ts'

describe('an API key', () => {
  test('has a recognisable form, a secret of 256 random bits and a checksum', () => {
    const many = Array.from({ length: 200 }, newApiKey)
    for (const { key, prefix, secretHash } of many) {
      expect(key).toMatch(/^gh_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
      const read = readApiKey(key)
      expect(read?.prefix).toBe(prefix)
      expect(secretHash).toEqual(sha256(read?.secret ?? ''))
    }
    expect(new Set(many.map(({ prefix }) => prefix)).size).toBe(200)
  })

  test('with any single character replaced is rejected by its checksum', () => {
    const { key } = newApiKey()
    for (let at = 3; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(readApiKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`), `character ${at}`).toBeUndefined()
    }
  })

  test('that is truncated, extended or empty is rejected', () => {
    const { key } = newApiKey()
    for (const text of [
      '',
      'gh_',
      key.slice(1),
      key.slice(0, -1),
      `${key}x`,
      `${key}\n`,
      key.toUpperCase(),
    ]) {
      expect(readApiKey(text)).toBeUndefined()
    }
  })

  test('is told apart from access tokens, which may begin like one by chance', () => {
    expect(isApiKey(newApiKey().key)).toBe(true)
    expect(isApiKey(`gh_${'x'.repeat(40)}`)).toBe(false)
    expect(isApiKey('x'.repeat(80))).toBe(false)
  })

  test('is compared with the hash of its secret', () => {
    const { key, secretHash } = newApiKey()
    const secret = readApiKey(key)?.secret ?? ''
    expect(isSecret(secret, secretHash)).toBe(true)
    expect(isSecret(`${secret}x`, secretHash)).toBe(false)
    expect(isSecret(secret, Buffer.alloc(0))).toBe(false)
  })

  test.each([
    ['in the query', (key: string) => `/api/v4/users?access_token=${key}`],
    ['in the path', (key: string) => `/api/v4/users/${key}`],
    ['with encoded underscores', (key: string) => `/api/v4/users?key=${key.replaceAll('_', '%5F')}`],
    ['without its checksum', (key: string) => `/api/v4/users?key=${key.slice(0, -7)}`],
  ])('is found in a URL %s', (_, url) => {
    expect(containsApiKey(url(formatApiKey('a'.repeat(12), 'b'.repeat(43))))).toBe(true)
  })

  test('is not found in ordinary URLs', () => {
    for (const url of ['/', '/api/v4/users/17?search=gh_', '/high_resolution/photo_1']) {
      expect(containsApiKey(url)).toBe(false)
    }
  })
})
