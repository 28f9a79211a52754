// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { canMoveInto, commonFolder } from './acts.ts'

const item = (more: object = {}) => ({ id: 'i', name: 'n', type: 'file' as const, ...more })

test.each([
  ['rows of a folder lie in it', [item(), item()], 'shown', 'shown'],
  ['rows of the root lie in the root', [item()], null, null],
  [
    'a folder of which the page is shown lies in its parent',
    [item({ parents: ['above'], path: [] })],
    'i',
    'above',
  ],
  ['one without parents lies in the root', [item({ parents: [], path: [] })], 'i', null],
  [
    'a hit of a search lies at the end of its way',
    [item({ path: [{ id: 'a' }, { id: 'b' }] })],
    'shown',
    'b',
  ],
  [
    'hits of several folders have none in common',
    [item({ path: [{ id: 'a' }] }), item({ path: [] })],
    'shown',
    undefined,
  ],
])('%s', (_, items, shown, folder) => {
  expect(commonFolder(items, shown)).toBe(folder)
})

test('forbids moving items into themselves or without permission to change them', () => {
  // the fields of an item needed here
  const flags = (id: string, canUpdate = true) =>
    ({ id, canUpdate }) as Parameters<typeof canMoveInto>[0][number]
  expect(canMoveInto([flags('a')], 'b')).toBe(true)
  expect(canMoveInto([flags('a')], null)).toBe(true)
  expect(canMoveInto([flags('a'), flags('b')], 'b')).toBe(false)
  expect(canMoveInto([flags('a', false)], 'b')).toBe(false)
  expect(canMoveInto([], 'b')).toBe(false)
})
