import { expect, test } from 'vitest'
import { countChosen, everything, nothing, pageState, pressPage, pressRow } from './selection.ts'

const page = [11, 12, 13, 14, 15]
const press = (id: number, range = false) => ({ id, page, range })
const ids = (selection: { ids: ReadonlySet<number> }) => [...selection.ids].sort((a, b) => a - b)

test('a press selects a row, another one deselects it', () => {
  const one = pressRow(nothing, press(12))
  expect(ids(one)).toEqual([12])
  expect(ids(pressRow(one, press(12)))).toEqual([])
})

test('shift selects all rows from the previous one, in both directions', () => {
  expect(ids(pressRow(pressRow(nothing, press(12)), press(14, true)))).toEqual([12, 13, 14])
  expect(ids(pressRow(pressRow(nothing, press(14)), press(11, true)))).toEqual([11, 12, 13, 14])
})

test('shift on a selected row deselects the range', () => {
  const all = pressPage(nothing, page)
  const first = pressRow(all, press(12))
  expect(ids(pressRow(first, press(14, true)))).toEqual([11, 15])
})

test('a range that started on another page selects a single row', () => {
  const before = pressRow(nothing, { id: 3, page: [1, 2, 3], range: false })
  expect(ids(pressRow(before, press(13, true)))).toEqual([3, 13])
})

test('the page is selected in addition to other pages, and deselected again', () => {
  const before = pressRow(nothing, { id: 3, page: [1, 2, 3], range: false })
  const both = pressPage(before, page)
  expect(ids(both)).toEqual([3, 11, 12, 13, 14, 15])
  expect(ids(pressPage(both, page))).toEqual([3])
})

test('the page is selected completely, partly or not at all', () => {
  expect(pageState(nothing, page)).toBe('none')
  expect(pageState(pressRow(nothing, press(12)), page)).toBe('some')
  expect(pageState(pressPage(nothing, page), page)).toBe('all')
  expect(pageState(everything, page)).toBe('all')
  expect(pageState(everything, [])).toBe('none')
})

test('"everything" counts all pages; deselecting a row keeps the rest of the page', () => {
  expect(countChosen(everything, 240)).toBe(240)
  const rest = pressRow(everything, press(13))
  expect(rest.all).toBe(false)
  expect(ids(rest)).toEqual([11, 12, 14, 15])
  expect(countChosen(rest, 240)).toBe(4)
  expect(countChosen(pressPage(everything, page), 240)).toBe(0)
})
