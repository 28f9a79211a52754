import { type Language, languages } from '@gatehouse/contract/language'
import type { MessageKey } from '../../i18n/areas.ts'

type Texts = Readonly<Partial<Record<Language, string | undefined>>>

/** Form values of name and description of a product: a field for each language. */
export type TextValues = Record<`${'name' | 'description'}-${Language}`, string>

/** Labels of the text fields, also used to list changes. */
export const textLabels: Readonly<Record<keyof TextValues, MessageKey>> = {
  'name-en': 'offer.nameEn',
  'name-de': 'offer.nameDe',
  'name-fr': 'offer.nameFr',
  'name-it': 'offer.nameIt',
  'description-en': 'offer.descriptionEn',
  'description-de': 'offer.descriptionDe',
  'description-fr': 'offer.descriptionFr',
  'description-it': 'offer.descriptionIt',
}

/** Initial form values; empty for a new item. */
export function textValues(of?: { names: Texts; descriptions: Texts }): TextValues {
  const entries = languages.flatMap((language) => [
    [`name-${language}`, of?.names[language] ?? ''],
    [`description-${language}`, of?.descriptions[language] ?? ''],
  ])
  // fromEntries loses the keys; there is one of each kind per language
  return Object.fromEntries(entries) as TextValues
}

/** Converts name and description to the API format. */
export function readTexts(values: TextValues) {
  const name = { en: values['name-en'].trim() }
  const description: Texts = {}
  for (const language of languages) {
    Object.assign(name, { [language]: values[`name-${language}`].trim() })
    Object.assign(description, { [language]: values[`description-${language}`].trim() })
  }
  return { name, description }
}
