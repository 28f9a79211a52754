// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { rememberTarget, takeTarget } from './navigation.ts'

beforeEach(() => sessionStorage.clear())

test('the target keeps its query and is forgotten after use', () => {
  rememberTarget('/user/12?tab=settings')
  expect(takeTarget()).toBe('/user/12?tab=settings')
  expect(takeTarget()).toBeUndefined()
})

test.each(['//evil.test/x', 'https://evil.test', 'javascript:alert(1)'])('%s is no target', (target) => {
  rememberTarget(target)
  expect(takeTarget()).toBeUndefined()
})
