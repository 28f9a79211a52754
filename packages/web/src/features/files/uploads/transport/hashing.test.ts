import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashFile } from './hashing.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const { signal } = new AbortController()

test.each([0, 10, 2 ** 20, 2 ** 20 + 1, 3_000_001])(
  '%i bytes are hashed where there are no workers',
  async (length) => {
    const bytes = randomBytes(length)
    expect(await hashFile(new Blob([bytes]), signal)).toBe(expected(bytes))
  },
)

test.each([10, 3_000_001])('nothing is hashed that nobody wants any more (%i bytes)', async (length) => {
  await expect(hashFile(new Blob([randomBytes(length)]), AbortSignal.abort())).rejects.toThrow()
})
