import { expect, test } from 'vitest'
import { RouteMatcher } from './match.ts'

const matcher = new RouteMatcher(
  ['/$', '/files/$', '/files/{-$parent}', '/files/trash', '/user/$user', '/signup', '/a.b'].map((path) => ({
    path,
  })),
)

test.each([
  ['/files/trash', '/files/trash', {}],
  ['/Files/Trash/', '/files/trash', {}],
  ['/files', '/files/{-$parent}', { parent: undefined }],
  ['/files/12', '/files/{-$parent}', { parent: '12' }],
  ['/files/12/13', '/files/$', { _splat: '12/13' }],
  ['/user/a%20b', '/user/$user', { user: 'a b' }],
  ['/user/100%', '/user/$user', { user: '100%' }],
  ['/axb', '/$', { _splat: 'axb' }],
  ['/', '/$', { _splat: '' }],
])('%s is shown by %s', (path, pattern, params) => {
  expect(matcher.find(path)).toEqual({ route: { path: pattern }, params })
})

test('returns no match for an unknown path', () => {
  expect(new RouteMatcher([{ path: '/login' }]).find('/logins')).toBeUndefined()
})
