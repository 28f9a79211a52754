import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faqFor } from './faq.ts'
import { loadTheme, type Theme } from './theme.ts'
import { settingsWith, writeTheme } from './theme-fixture.ts'

const labels = ['user', 'new', 'deep', 'settings', 'signup', 'any'] as const

let theme: Theme
let remove: () => Promise<void>

beforeAll(async () => {
  const link = (label: (typeof labels)[number]) => [{ label, href: `/help#faq-${label}` }]
  const faq = {
    '/user/*': link('user'),
    '/user/new': link('new'),
    '/user/*/settings': link('settings'),
    '/user/**': link('deep'),
    '/signup': link('signup'),
    '/*/any': link('any'),
  }
  const titles = (prefix: string) =>
    Object.fromEntries(labels.map((label) => [`faq.${label}`, `${prefix} ${label}`]))
  const written = await writeTheme({
    ...settingsWith({ faq }),
    'strings/en.json': JSON.stringify({ 'menu.help': 'Help', ...titles('About') }),
    'strings/de.json': JSON.stringify({ 'faq.signup': 'Über signup' }),
  })
  remove = written.remove
  theme = await loadTheme(written.folder)
})

afterAll(() => remove())

describe('the FAQ entries of a page', () => {
  it('have a link, a label and a title in the requested language', () => {
    expect(faqFor(theme, 'signup', 'de')).toEqual([
      { href: '/help#faq-signup', label: 'signup', title: 'Über signup' },
    ])
    expect(faqFor(theme, 'signup', 'fr')?.[0]?.title).toBe('About signup')
  })

  it.each([
    ['signup', 'signup'],
    ['/signup/', 'signup'],
    ['SignUp', 'signup'],
    ['user/new', 'new'],
    ['user/123', 'user'],
    ['USER/0198-abc', 'user'],
    ['user/123/settings', 'settings'],
    ['user/123/history', 'deep'],
    ['user/1/2/3/4', 'deep'],
    ['room/any', 'any'],
  ])('are found for %j', (path, label) => {
    expect(faqFor(theme, path, 'en')?.map((entry) => entry.label)).toEqual([label])
  })

  it.each([
    'users',
    'user',
    'signup/x',
    '__proto__',
    'constructor',
    'tostring',
    '../theme',
    '%00',
    'a'.repeat(10_000),
  ])('do not exist for %j', (path) => {
    expect(faqFor(theme, path, 'en')).toEqual([])
  })

  it('are found by pattern for a path that looks like another pattern', () => {
    expect(faqFor(theme, 'user/*', 'en')?.[0]?.label).toBe('user')
    expect(faqFor(theme, '*/any', 'en')?.[0]?.label).toBe('any')
  })

  it.each(['', '/', '//'])('are undefined without a page name (%j)', (path) => {
    expect(faqFor(theme, path, 'en')).toBeUndefined()
  })
})
