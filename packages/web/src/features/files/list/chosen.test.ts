import { expect, test } from 'vitest'
import { nothing, type Selection } from '../../../ui/data-table/selection.ts'
import { stepTo } from './chosen.ts'

const page = ['a', 'b', 'c', 'd', 'e']
const walk = (start: Selection<string>, ...path: string[]) =>
  path.slice(1).reduce((before, to, at) => stepTo(before, { from: path[at] ?? '', to, page }), start)
const ids = ({ ids: chosen }: Selection<string>) => [...chosen].sort().join('')

test('shift steps select everything from the starting point', () => {
  expect(ids(walk(nothing, 'b', 'c', 'd'))).toBe('bcd')
  expect(ids(walk(nothing, 'd', 'c', 'b'))).toBe('bcd')
})

test('stepping back deselects and continues on the other side', () => {
  expect(ids(walk(nothing, 'b', 'c', 'd', 'c'))).toBe('bc')
  expect(ids(walk(nothing, 'c', 'd', 'c', 'b', 'a'))).toBe('abc')
})

test('steps continue from the last pressed row', () => {
  const pressed: Selection<string> = { ids: new Set(['a', 'c']), all: false, anchor: 'c' }
  expect(ids(walk(pressed, 'c', 'd'))).toBe('acd')
})
