import { describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import { noise } from '../testing/cuts.ts'
import { ByteQueue } from './byte-queue.ts'

describe('the queue of bytes', () => {
  test('gives bytes back in their order, whatever is appended and taken', () => {
    const random = new Random(1)
    const queue = new ByteQueue()
    let expected = Buffer.alloc(0)
    for (let step = 0; step < 1500; step++) {
      const act = random.below(4)
      if (act < 2) {
        const chunk = noise(random.below(random.chance(0.02) ? 10_000 : 30), random)
        queue.append(chunk)
        expected = Buffer.concat([expected, chunk])
      } else if (act === 2) {
        const length = random.below(expected.length + 1)
        expect(queue.take(length).equals(expected.subarray(0, length))).toBe(true)
        expected = expected.subarray(length)
      } else {
        const length = random.below(expected.length + 1)
        queue.skip(length)
        expected = expected.subarray(length)
      }
      expect(queue.length).toBe(expected.length)
      const from = random.below(expected.length + 1)
      expect(queue.indexOf(7, from)).toBe(expected.indexOf(7, from))
      if (expected.length >= 4) {
        expect(queue.byteAt(3)).toBe(expected[3])
        expect(queue.uint16At(1)).toBe(expected.readUInt16BE(1))
        expect(queue.uint32At(0)).toBe(expected.readUInt32BE(0))
      }
    }
  })

  test('returns copies that later bytes do not change', () => {
    const queue = new ByteQueue()
    queue.append(Buffer.from('first'))
    const first = queue.take(5)
    queue.append(Buffer.from('other'))
    expect(first.toString()).toBe('first')
  })
})
