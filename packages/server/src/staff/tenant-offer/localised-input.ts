import { languages } from '@gatehouse/contract/language'
import type { Localised } from '../../platform/db/schema.ts'

/** A text by language as a form sent it, without the languages that it leaves empty. */
export function readText(input: Readonly<Record<string, unknown>>): Localised {
  const given = languages.flatMap((language) => {
    const text = input[language]
    return typeof text === 'string' && text !== '' ? [[language, text] as const] : []
  })
  return Object.fromEntries(given)
}
