import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { expect, test } from 'vitest'
import { Batch, type BatchOptions } from './batch.ts'

/** A batch that doubles numbers and notes which ones it handled together. */
function doubling(options: Partial<BatchOptions<number, number>> = {}) {
  const handled: number[][] = []
  const run = async (items: readonly number[]) => {
    handled.push([...items])
    return items.map((item) => 2 * item)
  }
  const batch = new Batch<number, number>({ run, most: 100, ...options })
  return { batch, handled }
}

const addAll = (batch: Batch<number, number>, items: readonly number[]) =>
  Promise.all(items.map((item) => batch.add(item)))

test('items of one turn are handled together, and each gets its own result', async () => {
  const { batch, handled } = doubling()
  expect(await addAll(batch, [1, 2, 3])).toEqual([2, 4, 6])
  expect(handled).toEqual([[1, 2, 3]])
})

test('items that arrive while a batch is in progress form the next one', async () => {
  let finish: () => void = () => undefined
  const handled: number[][] = []
  const batch = new Batch<number, number>({
    most: 100,
    run: async (items) => {
      handled.push([...items])
      if (handled.length === 1) await new Promise<void>((resolve) => (finish = resolve))
      return items
    },
  })
  const first = batch.add(1)
  await new Promise(setImmediate)
  const others = addAll(batch, [2, 3])
  await new Promise(setImmediate)
  expect(handled).toEqual([[1]])
  finish()
  expect(await first).toBe(1)
  expect(await others).toEqual([2, 3])
  expect(handled).toEqual([[1], [2, 3]])
})

test('a batch has a greatest size', async () => {
  const { batch, handled } = doubling({ most: 2 })
  await addAll(batch, [1, 2, 3, 4, 5])
  expect(handled).toEqual([[1, 2], [3, 4], [5]])
})

test('items with the same key are handled one after another', async () => {
  const { batch, handled } = doubling({ keyOf: (item) => String(item % 2) })
  expect(await addAll(batch, [1, 3, 2, 5])).toEqual([2, 6, 4, 10])
  expect(handled).toEqual([[1, 2], [3], [5]])
})

test('an item that the database rejects fails alone', async () => {
  const run = async (items: readonly number[]) => {
    if (items.includes(2)) throw new pg.DatabaseError('invalid', 1, 'error')
    return items
  }
  const { batch } = doubling({ run })
  const results = await Promise.allSettled([1, 2, 3].map((item) => batch.add(item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('if the database is away, all items fail at once', async () => {
  let calls = 0
  const run = async () => {
    calls++
    throw new Error('connection refused')
  }
  const { batch } = doubling({ run })
  const results = await Promise.allSettled([1, 2, 3].map((item) => batch.add(item)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(calls).toBe(1)
})

test('a batch runs outside of what its callers are doing', async () => {
  const caller = new AsyncLocalStorage<string>()
  const found: (string | undefined)[] = []
  const run = async (items: readonly number[]) => {
    found.push(caller.getStore())
    return items
  }
  const { batch } = doubling({ run })
  await caller.run('a transaction', () => batch.add(1))
  expect(found).toEqual([undefined])
})
