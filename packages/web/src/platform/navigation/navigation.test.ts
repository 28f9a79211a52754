// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { expectedLogin, rememberTarget, takeTarget } from './navigation.ts'

beforeEach(() => sessionStorage.clear())

test('the target keeps its query and is cleared after use', () => {
  rememberTarget('/user/12?tab=settings')
  expect(takeTarget()).toBe('/user/12?tab=settings')
  expect(takeTarget()).toBeUndefined()
})

const foreign = ['//evil.test/x', '/\\evil.test', '\\\\evil.test', '///evil.test', 'evil.test', '']
const schemes = [
  'https://evil.test',
  'https:evil.test',
  'javascript:alert(1)',
  ' //evil.test',
  '\t//evil.test',
]

test.each([...foreign, ...schemes])('rejects the target %j', (target) => {
  rememberTarget(target)
  expect(takeTarget()).toBeUndefined()
})

test('only an application may name who is to sign in', () => {
  expect(expectedLogin()).toBe('')
  rememberTarget('/oauth/authorize?client_id=x&login_hint=jane%2Bwork%40acme.test')
  expect(expectedLogin()).toBe('jane+work@acme.test')
  rememberTarget(`/oauth/authorize?login_hint=${'x'.repeat(500)}`)
  expect(expectedLogin()).toHaveLength(191)
  for (const target of ['/oauth/authorize?client_id=x', '/users?login_hint=eve', '/dashboard']) {
    rememberTarget(target)
    expect(expectedLogin()).toBe('')
  }
  expect(takeTarget()).toBe('/dashboard')
})
