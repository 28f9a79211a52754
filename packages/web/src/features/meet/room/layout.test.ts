import { describe, expect, test } from 'vitest'
import { gridOf, placeLarge, placeTiles, type Rect, roomFor } from './layout.ts'

const wide = { width: 1600, height: 900 }
const square = { width: 1050, height: 760 }
const phone = { width: 390, height: 720 }

describe('adds rows on a stage of 16:9 or wider', () => {
  test.each([
    [1, 1],
    [3, 1],
    [4, 2],
    [8, 2],
    [9, 3],
    [15, 3],
    [16, 4],
    [20, 4],
    [21, 5],
    [36, 5],
  ])('%i tiles stand in %i rows', (count, rows) => {
    expect(gridOf(count, wide).rows).toBe(rows)
  })
})

describe('adds columns on a narrower stage', () => {
  test.each([
    [1, 1],
    [2, 2],
    [4, 2],
    [5, 3],
    [9, 3],
    [10, 4],
    [16, 4],
    [17, 5],
    [25, 5],
    [26, 6],
  ])('%i tiles stand in %i columns', (count, columns) => {
    expect(gridOf(count, square).columns).toBe(columns)
  })
})

test.each([
  [2, 2, 1],
  [6, 3, 2],
  [9, 3, 3],
])('on a portrait stage it is the other way round: %i tiles in %i rows', (count, rows, columns) => {
  expect(gridOf(count, phone)).toEqual({ rows, columns })
})

test.each([wide, square, phone])('every tile is fully visible, on the stage and on its own', (box) => {
  const counts = Array.from({ length: 40 }, (_, index) => index + 1)
  const isOn = ({ left, top, width, height }: Rect) =>
    width > 0 && left >= 0 && left + width <= box.width + 0.01 && top + height <= box.height + 0.01
  const areApart = (one: Rect, other: Rect) =>
    other.left >= one.left + one.width - 0.01 || other.top >= one.top + one.height - 0.01
  const wrong = counts.filter((count) => {
    const tiles = placeTiles(count, box)
    const isAlone = (tile: Rect, at: number) => tiles.slice(at + 1).every((other) => areApart(tile, other))
    return tiles.length !== count || !tiles.every((tile, at) => isOn(tile) && isAlone(tile, at))
  })
  expect(wrong).toEqual([])
})

test('centres an incomplete last row', () => {
  const [first, , , fourth, fifth] = placeTiles(5, square)
  expect(fourth?.top).toBeGreaterThan(first?.top ?? 0)
  expect((fourth?.left ?? 0) + (fifth?.left ?? 0) + (fifth?.width ?? 0)).toBeCloseTo(square.width)
})

test('a shared screen has its natural width at full height, at most two thirds of the stage', () => {
  const upright = placeLarge({ box: wide, count: 3, large: 0.6 })
  expect(upright.large).toEqual({ left: 0, top: 0, width: 540, height: 900 })
  const flat = placeLarge({ box: wide, count: 3, large: 21 / 9 })
  expect(flat.large?.width).toBeCloseTo(1600 * (2 / 3))
  expect(flat.rest.width + (flat.large?.width ?? 0) + 8).toBeCloseTo(1600)
})

test('puts the shared screen on top of a portrait stage, or on all of it if alone', () => {
  const { large, rest, origin } = placeLarge({ box: phone, count: 2, large: 16 / 9 })
  expect(large).toMatchObject({ left: 0, top: 0, width: 390 })
  expect(origin.top).toBeGreaterThan(large?.height ?? 0)
  expect(rest.height).toBeCloseTo(720 - (large?.height ?? 0) - 8)
  expect(placeLarge({ box: phone, count: 0, large: 1 }).large).toMatchObject(phone)
})

test('a phone fits fewer tiles than a wall display', () => {
  expect(roomFor(phone)).toBeLessThan(roomFor(wide))
  expect(roomFor({ width: 10, height: 10 })).toBe(1)
  expect(roomFor({ width: 9000, height: 9000 })).toBe(36)
})
