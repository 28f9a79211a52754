// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentLanguage, t } from './i18n.ts'
import { cookieText, onLanguageChange, startLanguage, switchLanguage } from './switch-language.ts'

beforeEach(() => {
  document.documentElement.lang = 'en'
})
afterEach(() => vi.unstubAllGlobals())

test('stores a cookie for ten years on the whole site', () => {
  expect(cookieText('de', true)).toBe('language=de; max-age=315360000; path=/; SameSite=Lax; Secure')
  expect(cookieText('de', false)).toBe('language=de; max-age=315360000; path=/; SameSite=Lax')
})

test("starts with the page's language, or English", async () => {
  document.documentElement.lang = 'fr'
  await startLanguage('default')
  expect(t('menu.login')).toBe('Se connecter')
  document.documentElement.lang = 'xx'
  await startLanguage('default')
  expect(currentLanguage()).toBe('en')
})

test('switching updates texts, page and cookie, and notifies listeners', async () => {
  await startLanguage('default')
  const listener = vi.fn()
  const stop = onLanguageChange(listener)
  await switchLanguage('it')
  stop()
  expect(t('menu.login')).toBe('Accedi')
  expect(document.documentElement.lang).toBe('it')
  expect(document.cookie).toContain('language=it')
  expect(listener).toHaveBeenCalledWith('it')
})

test('a theme overrides our texts, including those with placeholders', async () => {
  const strings = { 'menu.login': 'Come in', 'shell.build': 'Made on {date}' }
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) =>
      url === '/themes/north/strings/en.json'
        ? new Response(JSON.stringify(strings))
        : new Response('', { status: 404 }),
    ),
  )
  await startLanguage('north')
  expect(t('menu.login')).toBe('Come in')
  expect(t('shell.build', { date: 'Monday' })).toBe('Made on Monday')
  expect(t('menu.logout')).toBe('Sign out')
  await switchLanguage('de')
  expect(t('menu.login')).toBe('Anmelden')
})
