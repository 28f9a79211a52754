// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { chooseScheme, schemeChoice, schemeCookieText, startColorScheme } from './color-scheme.ts'

startColorScheme()

afterEach(() => chooseScheme('system'))

test("a choice is stored for ten years, the system setting isn't", () => {
  expect(schemeCookieText('dark', true)).toBe(
    '__Host-color-scheme=dark; max-age=315360000; path=/; SameSite=Lax; Secure',
  )
  expect(schemeCookieText('system', false)).toBe('color-scheme=; max-age=0; path=/; SameSite=Lax')
})

test('writes a choice where the style sheet and the server look for it', () => {
  chooseScheme('dark')
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(document.cookie).toContain('color-scheme=dark')
  chooseScheme('system')
  expect(document.documentElement.dataset.theme).toBeUndefined()
  expect(document.cookie).not.toContain('dark')
})

test('follows a choice in another tab', async () => {
  const other = new BroadcastChannel('color-scheme')
  const followed = new Promise<void>((resolve) => {
    const stop = schemeChoice.subscribe(() => {
      stop()
      resolve()
    })
  })
  other.postMessage('light')
  await followed
  other.close()
  expect(schemeChoice.get()).toBe('light')
  expect(document.documentElement.dataset.theme).toBe('light')
})
