import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashOf, Sha256 } from './sha256.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('the hash of content of every length around a block is the one of the standard', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = randomBytes(length)
    expect(new Sha256().update(bytes).digest(), `${length} bytes`).toBe(expected(bytes))
  }
})

test('it does not matter in which pieces the content comes', () => {
  const bytes = randomBytes(10_000)
  const hash = new Sha256()
  for (let at = 0, step = 1; at < bytes.length; at += step, step = (step * 7) % 131) {
    hash.update(bytes.subarray(at, at + step))
  }
  expect(hash.digest()).toBe(expected(bytes))
})

test('a file of several pieces is hashed whole', async () => {
  const bytes = randomBytes(1_300_001)
  expect(await hashOf(new Blob([bytes]))).toBe(expected(bytes))
})

test('hashing ends when nobody wants it any more', async () => {
  const file = new Blob([new Uint8Array(10)])
  await expect(hashOf(file, AbortSignal.abort())).rejects.toThrow()
})
