import { languages } from '@gatehouse/contract/language'
import type { Localised } from '../../platform/db/schema.ts'

/** Returns a localized text from a form, without languages left empty. */
export function readText(input: Readonly<Record<string, unknown>>): Localised {
  const given = languages.flatMap((language) => {
    const text = input[language]
    return typeof text === 'string' && text !== '' ? [[language, text] as const] : []
  })
  return Object.fromEntries(given)
}
