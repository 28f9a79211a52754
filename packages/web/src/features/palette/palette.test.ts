// @vitest-environment happy-dom
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { beforeEach, expect, test } from 'vitest'
import { stillFits } from './hits.ts'
import { narrow, type Option } from './option.ts'
import { keyOf, readRecent, remember } from './recent.ts'

beforeEach(() => localStorage.clear())

const option = (title: string, words?: string): Option => ({
  key: title,
  title,
  icon: IconUser,
  ...(words && { words }),
})

test('options come by how near they are: the same, a beginning, a later word, anywhere', () => {
  const options = [option('Old policies'), option('Apolitical'), option('Policies'), option('Polic')]
  expect(narrow(options, 'polic').map(({ title }) => title)).toEqual(['Polic', 'Policies', 'Old policies'])
  expect(narrow(options, 'poli').map(({ title }) => title)).toEqual([
    'Policies',
    'Polic',
    'Old policies',
    'Apolitical',
  ])
})

test('case and accents make no difference, and other words lead to an option too', () => {
  const options = [option('Rôles'), option('Dark colours', 'theme')]
  expect(narrow(options, 'ROLE')).toHaveLength(1)
  expect(narrow(options, 'théme')).toHaveLength(1)
  expect(narrow(options, 'zzz')).toEqual([])
})

test('of an older answer only what fits is kept on screen', () => {
  const hit = (title: string, detail: string | null) => ({ type: 'user' as const, id: 1, title, detail })
  const hits = [hit('Anna Zorn', 'anna@acme.test'), hit('Jane', null)]
  expect(stillFits(hits, 'zor')).toEqual([hits[0]])
  expect(stillFits(hits, 'jane')).toEqual([hits[1]])
})

test('choices are remembered for each person, newest first, each once, and not too many', () => {
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'c']) remember(1, { key })
  remember(1, { hit: { type: 'user', id: 7, title: 'Ned', detail: null } })
  expect(readRecent(1).map(keyOf)).toEqual(['user 7', 'c', 'f', 'e', 'd'])
  expect(readRecent(2)).toEqual([])
})

test.each(['{', '{}', '[null, 1, {"hit": {"type": "planet"}}]', '[{"key": 5}]'])(
  'what makes no sense among the remembered choices, %s, counts as nothing',
  (text) => {
    localStorage.setItem('palette-1', text)
    expect(readRecent(1)).toEqual([])
  },
)
