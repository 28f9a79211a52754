import { expect, test } from 'vitest'
import { onlyHit } from './only-hit.ts'

const jane = { id: 7, isDeleted: false }

test('opens the only customer found', () => {
  expect(onlyHit({ list: [jane], hasMore: false }, 1)).toBe(7)
})

test.each([
  ['there is no answer yet', undefined, 1],
  ['nobody was found', { list: [], hasMore: false }, 1],
  ['two were found', { list: [jane, { id: 8, isDeleted: true }], hasMore: false }, 1],
  ['there are more', { list: [jane], hasMore: true }, 1],
  ['it is the last one of a second page', { list: [jane], hasMore: false }, 2],
  ['it is deleted', { list: [{ id: 7, isDeleted: true }], hasMore: false }, 1],
])('nothing is opened when %s', (_, found, page) => {
  expect(onlyHit(found, page)).toBeUndefined()
})
