import { expect, test } from 'vitest'
import { arcs, largest, ringPath } from './slices.ts'

const parts = [
  { label: 'a', value: 1 },
  { label: 'b', value: 5 },
  { label: 'c', value: 0 },
  { label: 'd', value: 2 },
]

test('sorts parts by size and omits empty ones', () => {
  expect(largest(parts, 8, 'other').map(({ label }) => label)).toEqual(['b', 'd', 'a'])
})

test('merges excess parts into one, so that the total stays the same', () => {
  expect(largest(parts, 2, 'other')).toEqual([
    { label: 'b', value: 5 },
    { label: 'other', value: 3 },
  ])
})

test('the arcs form a full ring', () => {
  const laid = arcs(largest(parts, 8, 'other'))
  expect(laid.map(({ from, to }) => [from, to])).toEqual([
    [0, 0.625],
    [0.625, 0.875],
    [0.875, 1],
  ])
  expect(arcs([])).toEqual([])
})

test('a part starts at the top and goes clockwise', () => {
  expect(ringPath({ from: 0, to: 0.25 }, 10, 5)).toBe('M0 -10A10 10 0 0 1 10 0L5 0A5 5 0 0 0 0 -5Z')
  expect(ringPath({ from: 0.25, to: 1 }, 10, 5)).toContain('A10 10 0 1 1')
})

test('a part of 100% is drawn as a full ring', () => {
  const path = ringPath({ from: 0, to: 1 }, 10, 5)
  expect(path).toContain('A10 10 0 1 1')
  expect(path).not.toContain('1 1 0 -10L')
})
