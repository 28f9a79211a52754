import { defaultLanguage, isLanguage, type Language, languageCookie } from '@gatehouse/contract/language'
import type { Messages } from '@lingui/core'
import { activateLanguage, currentLanguage, overrideMessages } from './i18n.ts'

type Listener = (language: Language) => void

const listeners = new Set<Listener>()
let theme = 'default'

/** Calls back after the user has switched the language, to refetch localized content. */
export function onLanguageChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Uses the page's language, as chosen by the server. */
export async function startLanguage(themeName: string): Promise<void> {
  theme = themeName
  const { lang } = document.documentElement
  const language = isLanguage(lang) ? lang : defaultLanguage
  await Promise.all([activateLanguage(language), mergeThemeStrings(language)])
}

/** Switches the language of the interface and remembers it for ten years. */
export async function switchLanguage(language: Language): Promise<void> {
  if (language === currentLanguage()) return
  await Promise.all([activateLanguage(language), mergeThemeStrings(language)])
  document.documentElement.lang = language
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = cookieText(language, window.location.protocol === 'https:')
  for (const listener of listeners) listener(language)
}

/** Returns the cookie that stores the language. */
export function cookieText(language: Language, secure: boolean): string {
  const { name, maxAge } = languageCookie
  return `${name}=${language}; max-age=${maxAge}; path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}

async function mergeThemeStrings(language: Language): Promise<void> {
  if (theme === 'default') return
  const response = await fetch(`/themes/${theme}/strings/${language}.json`).catch(() => undefined)
  // Themes without strings need nothing else.
  if (!response?.ok) return
  const strings: Record<string, string> = await response.json()
  overrideMessages(language, await compileStrings(strings))
}

async function compileStrings(strings: Record<string, string>): Promise<Messages> {
  const entries = Object.entries(strings)
  const withPlaceholders = entries.some(([, text]) => text.includes('{'))
  if (!withPlaceholders) return Object.fromEntries(entries.map(([key, text]) => [key, [text]]))
  const { compileMessage } = await import('@lingui/message-utils/compileMessage')
  return Object.fromEntries(entries.map(([key, text]) => [key, compileMessage(text)]))
}
