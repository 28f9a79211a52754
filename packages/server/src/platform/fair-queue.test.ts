import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('turns rotate through the names on each level', () => {
  const queue = new FairQueue<string>()
  for (const n of [1, 2, 3]) queue.push(['a', 'a1'], `a1-${n}`)
  queue.push(['a', 'a2'], 'a2-1')
  for (const n of [1, 2]) queue.push(['b', 'b1'], `b1-${n}`)
  expect(drain(queue)).toEqual(['a1-1', 'b1-1', 'a2-1', 'b1-2', 'a1-2', 'a1-3'])
  expect(queue.size).toBe(0)
})

test('a newcomer is served after one turn of each other name, regardless of queue lengths', () => {
  const queue = new FairQueue<string>()
  for (let n = 0; n < 400; n++) queue.push(['crowd'], `crowd ${n}`)
  expect(queue.shift()).toBe('crowd 0')
  queue.push(['newcomer'], 'newcomer')
  expect([queue.shift(), queue.shift()]).toContain('newcomer')
})

test('the newest item of the longest queue is dropped', () => {
  const queue = new FairQueue<string>()
  queue.push(['small', 'one'], 'small')
  for (const n of [1, 2]) queue.push(['big', 'one'], `one ${n}`)
  queue.push(['big', 'two'], 'two 1')
  expect(queue.dropNewest()).toBe('one 2')
  expect(queue.count(['big'])).toBe(2)
  expect(queue.count(['big', 'one'])).toBe(1)
  expect(queue.size).toBe(3)
  expect(drain(queue).sort()).toEqual(['one 1', 'small', 'two 1'])
  expect(queue.dropNewest()).toBeUndefined()
})

test('the count is zero for a path without items', () => {
  const queue = new FairQueue<string>()
  queue.push(['a', 'b'], 'item')
  expect(queue.count(['x'])).toBe(0)
  expect(queue.count(['a', 'x'])).toBe(0)
})
