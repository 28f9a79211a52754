import { previewTypes } from '@gatehouse/contract/files/file-items'
import { expect, test } from 'vitest'
import { neighbour, previewKind, previewKindTypes } from './preview-kinds.ts'

test('supports exactly the media types of the contract', () => {
  expect([...previewKindTypes].sort()).toEqual([...previewTypes].sort())
})

test.each([
  ['image/png', 'image'],
  ['IMAGE/PNG', 'image'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/pdf', 'pdf'],
  ['image/svg+xml', undefined],
  ['text/html', undefined],
  ['application/xhtml+xml', undefined],
  ['text/xml', undefined],
  ['application/javascript', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  ['', undefined],
  [null, undefined],
] as const)('%s is shown as %s', (type, kind) => {
  expect(previewKind(type)).toBe(kind)
})

test('next and previous skip items without a preview and stop at the ends', () => {
  const item = (id: string, hasPreview = true) => ({ id, hasPreview })
  const items = [item('a'), item('b', false), item('c'), item('d', false)]
  expect(neighbour(items, 'a', 1)?.id).toBe('c')
  expect(neighbour(items, 'c', -1)?.id).toBe('a')
  expect(neighbour(items, 'c', 1)).toBeUndefined()
  expect(neighbour(items, 'a', -1)).toBeUndefined()
  expect(neighbour(items, 'd', -1)?.id).toBe('c')
  expect(neighbour(items, 'elsewhere', 1)).toBeUndefined()
})
