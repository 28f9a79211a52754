/** Supported languages, in display order. */
export const languages = ['en', 'de', 'fr', 'it'] as const

export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'en'

/** Name of each language in that language, for the menu. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && (languages as readonly string[]).includes(value)
}

/** Name and lifetime (ten years in seconds) of the cookie with the chosen language; specification §9. */
export const languageCookie = { name: 'language', maxAge: 315_360_000 } as const

/** BCP 47 tags for numbers and dates; Swiss variants, because the default currency is CHF. */
export const locales: Record<Language, string> = { en: 'en-CH', de: 'de-DE', fr: 'fr-CH', it: 'it-CH' }
