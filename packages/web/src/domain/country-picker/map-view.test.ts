import { describe, expect, test } from 'vitest'
import { maxZoom, nextCountry, panBy, showing, viewBox, wholeWorld, zoomBy, zoomStep } from './map-view.ts'
import type { MapCountry } from './world-map.ts'

const world = { width: 960, height: 426 }
const start = wholeWorld(world)

test('starts with the whole world', () => {
  expect(viewBox(start, world)).toEqual({ x: 0, y: 0, ...world })
})

describe('zoom', () => {
  test('keeps the point under the pointer in place', () => {
    const point: [number, number] = [600, 100]
    const before = viewBox(start, world)
    const after = viewBox(zoomBy(start, zoomStep, world, point), world)
    const place = (box: typeof before) => [(point[0] - box.x) / box.width, (point[1] - box.y) / box.height]
    const [x = 0, y = 0] = place(before)
    expect(place(after)).toEqual([expect.closeTo(x), expect.closeTo(y)])
  })

  test('is limited to its initial and maximum scale', () => {
    expect(zoomBy(start, 1 / zoomStep, world)).toEqual(start)
    expect(zoomBy(start, 1000, world).zoom).toBe(maxZoom)
  })
})

test('panning stays on the map', () => {
  expect(panBy(start, 500, 500, world)).toEqual(start)
  const near = zoomBy(start, 2, world)
  const corner = viewBox(panBy(near, 9999, -9999, world), world)
  expect(corner.x + corner.width).toBe(world.width)
  expect(corner.y).toBe(0)
})

test('reveals a point outside the view, and does not move for one inside', () => {
  const near = zoomBy(start, 4, world)
  const moved = viewBox(showing(near, [100, 50], world), world)
  expect(moved.x).toBeLessThan(100)
  expect(moved.y).toBeLessThan(50)
  expect(showing(near, [near.x, near.y], world)).toEqual(near)
})

describe('the next country', () => {
  const at = (code: string, x: number, y: number): MapCountry => ({ code, path: '', at: [x, y] })
  const here = at('A', 100, 100)
  const countries = [here, at('B', 110, 102), at('C', 130, 100), at('D', 100, 60), at('E', 90, 180)]

  test.each([
    [{ x: 1, y: 0 }, 'B'],
    [{ x: 0, y: -1 }, 'D'],
    [{ x: 0, y: 1 }, 'E'],
    [{ x: -1, y: 0 }, undefined],
  ] as const)('towards %j is %s', (direction, code) => {
    expect(nextCountry(countries, here, direction)?.code).toBe(code)
  })
})
