import { defaultLanguage, type Language } from '@gatehouse/contract/language'

/** One language of a text that the database keeps in several; English, else the first, when it is missing. */
export function localised(text: Readonly<Record<string, string>>, language: Language): string {
  return text[language] ?? text[defaultLanguage] ?? Object.values(text)[0] ?? ''
}
