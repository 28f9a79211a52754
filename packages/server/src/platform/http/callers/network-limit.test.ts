import { expect, test } from 'vitest'
import { NetworkLimit } from './network-limit.ts'

function limit(most: number, mostOverall: number) {
  const evicted: string[] = []
  const held = new NetworkLimit<string>({
    most,
    mostOverall,
    evict: (item, network) => evicted.push(`${item} of ${network}`),
  })
  return { held, evicted }
}

test('evicts the oldest item of a network over its limit, and none of other networks', () => {
  const { held, evicted } = limit(2, 100)
  held.add('other', 'o1')
  for (const item of ['a1', 'a2', 'a3', 'a4']) held.add('a', item)
  expect(evicted).toEqual(['a1 of a', 'a2 of a'])
})

test('evicts the oldest item overall when the total limit is exceeded', () => {
  const { held, evicted } = limit(2, 3)
  for (const network of ['a', 'b', 'c', 'd', 'e']) held.add(network, `${network}1`)
  expect(evicted).toEqual(['a1 of a', 'b1 of b'])
})

test('does not count removed items', () => {
  const { held, evicted } = limit(1, 1)
  held.add('a', 'a1')
  expect(held.remove('a1')).toBe(true)
  expect(held.remove('a1')).toBe(false)
  held.add('a', 'a2')
  expect(evicted).toEqual([])
})
