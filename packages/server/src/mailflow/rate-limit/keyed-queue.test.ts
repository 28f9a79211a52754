import { expect, test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

test('work with the same key runs one after another, and everything else at once', async () => {
  const queue = new KeyedQueue()
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    began.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const all = [queue.run('a', work('a1')), queue.run('a', work('a2')), queue.run('b', work('b1'))]
  expect(began).toEqual(['a1', 'b1'])
  ends.get('a1')?.()
  await all[0]
  await new Promise(setImmediate)
  expect(began).toEqual(['a1', 'b1', 'a2'])
  ends.get('a2')?.()
  ends.get('b1')?.()
  await Promise.all(all)
})

test('work that fails does not affect what follows', async () => {
  const queue = new KeyedQueue()
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', async () => 1)
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe(1)
})
