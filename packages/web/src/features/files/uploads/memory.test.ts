// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { browserMemory, readBegun } from './memory.ts'

beforeEach(() => localStorage.clear())

const begun = { uploadId: 'u1', name: 'a.bin', size: 10, modified: 5, parent: null }

test('finds an unfinished upload by file, place and user', () => {
  browserMemory(1).remember(begun)
  const wanted = { name: 'a.bin', size: 10, modified: 5, parent: null }
  expect(browserMemory(1).find(wanted)).toEqual(begun)
  expect(browserMemory(2).find(wanted)).toBeUndefined()
  for (const other of [{ name: 'b' }, { size: 11 }, { modified: 6 }, { parent: 'p' }, { item: 'i' }]) {
    expect(browserMemory(1).find({ ...wanted, ...other })).toBeUndefined()
  }
})

test('forgets finished uploads completely', () => {
  const memory = browserMemory(1)
  memory.remember(begun)
  memory.forget('u1')
  expect(localStorage.length).toBe(0)
})

test('keeps at most the newest two hundred', () => {
  const memory = browserMemory(1)
  for (let n = 0; n < 210; n++) memory.remember({ ...begun, uploadId: `u${n}`, modified: n })
  expect(memory.find({ ...begun, modified: 9 })).toBeUndefined()
  expect(memory.find({ ...begun, modified: 10 })?.uploadId).toBe('u10')
})

test.each([null, '', '{', '{}', '[1, null, {"uploadId": 5}]'])('%s counts as nothing', (text) => {
  expect(readBegun(text)).toEqual([])
})
