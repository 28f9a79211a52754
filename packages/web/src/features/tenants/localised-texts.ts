import { type Language, languages } from '@gatehouse/contract/language'
import type { MessageKey } from '../../i18n/areas.ts'

type Texts = Readonly<Partial<Record<Language, string | undefined>>>

/** Name and description of something that is sold, as its form has them: a field for each language. */
export type TextValues = Record<`${'name' | 'description'}-${Language}`, string>

/** Of the fields of texts, also where changes are told. */
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

/** What a form begins with; without texts that of something new. */
export function textValues(of?: { names: Texts; descriptions: Texts }): TextValues {
  const entries = languages.flatMap((language) => [
    [`name-${language}`, of?.names[language] ?? ''],
    [`description-${language}`, of?.descriptions[language] ?? ''],
  ])
  // fromEntries forgets the keys; they are one of each kind for each language
  return Object.fromEntries(entries) as TextValues
}

/** Name and description as the server takes them. */
export function readTexts(values: TextValues) {
  const name = { en: values['name-en'].trim() }
  const description: Texts = {}
  for (const language of languages) {
    Object.assign(name, { [language]: values[`name-${language}`].trim() })
    Object.assign(description, { [language]: values[`description-${language}`].trim() })
  }
  return { name, description }
}
