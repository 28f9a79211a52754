// @vitest-environment happy-dom
import type { SearchHit } from '@gatehouse/contract/search'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { beforeEach, expect, test } from 'vitest'
import { forgetRecent, keyOf, readRecent, remember } from '../../platform/session/recent.ts'
import { hitGroups, stillFits } from './hits.ts'
import { narrow, type Option } from './option.ts'

beforeEach(() => localStorage.clear())

const option = (title: string, words?: string): Option => ({
  key: title,
  title,
  icon: IconUser,
  ...(words && { words }),
})

test('ranks options: exact match, prefix, prefix of a later word, anywhere', () => {
  const options = [option('Old policies'), option('Apolitical'), option('Policies'), option('Polic')]
  expect(narrow(options, 'polic').map(({ title }) => title)).toEqual(['Polic', 'Policies', 'Old policies'])
  expect(narrow(options, 'poli').map(({ title }) => title)).toEqual([
    'Policies',
    'Polic',
    'Old policies',
    'Apolitical',
  ])
})

test('ignores case and accents, and matches additional words', () => {
  const options = [option('Rôles'), option('Dark colours', 'theme')]
  expect(narrow(options, 'ROLE')).toHaveLength(1)
  expect(narrow(options, 'théme')).toHaveLength(1)
  expect(narrow(options, 'zzz')).toEqual([])
})

test('keeps only matching hits of an older response on screen', () => {
  const hit = (title: string, detail: string | null) => ({ type: 'user' as const, id: 1, title, detail })
  const hits = [hit('Anna Zorn', 'anna@acme.test'), hit('Jane', null)]
  expect(stillFits(hits, 'zor')).toEqual([hits[0]])
  expect(stillFits(hits, 'jane')).toEqual([hits[1]])
})

test('remembers choices per user, newest first, without duplicates, up to a limit', () => {
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'c']) remember(1, { key })
  remember(1, { hit: { type: 'user', id: 7, title: 'Ned', detail: null } })
  expect(readRecent(1).map(keyOf)).toEqual(['user 7', 'c', 'i', 'h', 'g', 'f', 'e', 'd'])
  expect(readRecent(2)).toEqual([])
})

test('signing out clears the choices of that user only', () => {
  remember(1, { key: 'a' })
  remember(2, { key: 'b' })
  forgetRecent(1)
  expect(readRecent(1)).toEqual([])
  expect(readRecent(2).map(keyOf)).toEqual(['b'])
})

test('groups hits by kind, the kind of the best hit first', () => {
  const hit = (type: SearchHit['type'], id: number) => ({ type, id, title: `${type} ${id}`, detail: null })
  const groups = hitGroups([hit('domain', 1), hit('user', 2), hit('domain', 3), hit('user', 4)], 4)
  expect(groups.map(({ name, options: found }) => [name, found.map(({ to }) => to)])).toEqual([
    ['domain', ['/domain/1', '/domain/3']],
    ['user', ['/user/2', '/settings']],
  ])
})

test.each(['{', '{}', '[null, 1, {"hit": {"type": "planet"}}]', '[{"key": 5}]'])(
  'what makes no sense among the remembered choices, %s, counts as nothing',
  (text) => {
    localStorage.setItem('palette-1', text)
    expect(readRecent(1)).toEqual([])
  },
)
