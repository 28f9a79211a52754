import type { Language } from '@gatehouse/contract/language'
import type { Variant } from '@gatehouse/contract/route'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { menuFor } from './menu.ts'
import { loadTheme, type Theme } from './theme.ts'
import { settingsWith, writeTheme } from './theme-fixture.ts'

let theme: Theme
let remove: () => Promise<void>

beforeAll(async () => {
  const menu = [
    { label: 'help', location: '/help', page: 'help', admin: true, authenticated: false },
    { label: 'shop', location: 'https://shop.test/', title: 'Shop', footer: true },
    { label: 'tools', location: '/tools', title: 'Tools', admin: 'only' },
    { label: 'news', location: '/news', title: 'News', admin: false },
  ]
  const written = await writeTheme(settingsWith({ menu }))
  remove = written.remove
  theme = await loadTheme(written.folder)
})

afterAll(() => remove())

function labels(variant: Variant): string[] {
  return menuFor(theme, { variant, languages: ['en'] }).map(({ label }) => label)
}

describe('the menu', () => {
  it('shows the admin host the entries meant for admins', () => {
    expect(labels('admin')).toEqual(['help', 'tools'])
  })

  it('hides admin-only entries from users and resellers', () => {
    expect(labels('user')).toEqual(['help', 'shop', 'news'])
    expect(labels('reseller')).toEqual(['help', 'shop', 'news'])
  })

  it('sends each entry with its titles but without its admin flag', () => {
    const languages: Language[] = ['en', 'de', 'fr']
    expect(menuFor(theme, { variant: 'user', languages }).slice(0, 2)).toEqual([
      {
        label: 'help',
        location: '/help',
        page: 'help',
        authenticated: false,
        'title-en': 'Help',
        'title-de': 'Hilfe',
      },
      { label: 'shop', location: 'https://shop.test/', title: 'Shop', footer: true },
    ])
    for (const entry of menuFor(theme, { variant: 'admin', languages }))
      expect(entry).not.toHaveProperty('admin')
  })

  it('has titles for enabled languages only', () => {
    const [help] = menuFor(theme, { variant: 'user', languages: ['en'] })
    expect(help).not.toHaveProperty('title-de')
  })
})
