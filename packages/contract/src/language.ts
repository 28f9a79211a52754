/** Languages of the product, in the order in which they are offered. */
export const languages = ['en', 'de', 'fr', 'it'] as const

export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'en'

/** Each language's name in itself, for the language menu. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && (languages as readonly string[]).includes(value)
}

/** Name and lifetime (seconds, ten years) of the cookie that keeps the chosen language; specification §9. */
export const languageCookie = { name: 'language', maxAge: 315_360_000 } as const

/** BCP 47 tags used for numbers and dates; Swiss variants, because the default currency is CHF. */
export const locales: Record<Language, string> = { en: 'en-CH', de: 'de-DE', fr: 'fr-CH', it: 'it-CH' }
