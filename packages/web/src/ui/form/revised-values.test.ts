import { describe, expect, test } from 'vitest'
import { changedKeys, countListChanges, mergeValues } from './revised-values.ts'

const base = { name: 'Team', members: ['a@b.test', 'b@b.test'] }

describe('after another user has saved', () => {
  test('untouched values follow the server', () => {
    const mine = { ...base, name: 'Mine' }
    const theirs = { name: 'Theirs', members: ['c@b.test'] }
    expect(mergeValues(mine, base, theirs)).toEqual({ name: 'Mine', members: ['c@b.test'] })
  })

  test('merges lists entry by entry', () => {
    const mine = { ...base, members: ['new@b.test', 'b@b.test'] }
    const theirs = { ...base, members: ['a@b.test', 'b@b.test', 'c@b.test'] }
    expect(mergeValues(mine, base, theirs).members).toEqual(['new@b.test', 'b@b.test', 'c@b.test'])
  })

  test('keeps an entry added by both once', () => {
    const both = { ...base, members: [...base.members, 'c@b.test'] }
    expect(mergeValues(both, base, both)).toEqual(both)
  })
})

test('reports differing values, and lists by their entries', () => {
  expect(changedKeys({ name: 'Team', members: ['a@b.test'] }, base)).toEqual(['members'])
  expect(changedKeys({ ...base, members: [...base.members] }, base)).toEqual([])
})

test('counts an edited list entry once', () => {
  expect(countListChanges(['a@b.test', 'x@b.test'], base.members)).toBe(1)
  expect(countListChanges([], base.members)).toBe(2)
})

test('merges ten thousand entries quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, number) => `user${number}@b.test`)
  const merged = mergeValues({ members: [...many, 'x@b.test'] }, { members: many }, { members: many })
  expect(merged.members).toHaveLength(10_001)
})
