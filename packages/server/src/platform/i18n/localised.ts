import { defaultLanguage, type Language } from '@gatehouse/contract/language'

/** Returns a localised database text in a language; English, or else the first one, if it is missing. */
export function localised(text: Readonly<Record<string, string>>, language: Language): string {
  return text[language] ?? text[defaultLanguage] ?? Object.values(text)[0] ?? ''
}
