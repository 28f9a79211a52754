import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { hashFile } from './hashing.ts'
import { hashOf } from './sha256.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const { signal } = new AbortController()

test.each([0, 10, 2 ** 20])('hashes %i bytes on the page', async (length) => {
  const bytes = randomBytes(length)
  expect(await hashFile(new Blob([bytes]), signal)).toBe(expected(bytes))
})

test.each([0, 1, 63, 64, 65, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3_000_001])(
  '%i bytes are hashed by the worker',
  async (length) => {
    const bytes = randomBytes(length)
    expect(await hashOf(new Blob([bytes]))).toBe(expected(bytes))
  },
)

test('without WebAssembly, hashes whatever fits into memory', async () => {
  vi.stubGlobal('WebAssembly', undefined)
  const bytes = randomBytes(2 ** 20 + 1)
  expect(await hashOf(new Blob([bytes]))).toBe(expected(bytes))
  vi.unstubAllGlobals()
})

test.each([10, 3_000_001])('stops hashing when aborted (%i bytes)', async (length) => {
  await expect(hashFile(new Blob([randomBytes(length)]), AbortSignal.abort())).rejects.toThrow()
})
