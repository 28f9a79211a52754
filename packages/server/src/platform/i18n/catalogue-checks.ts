import { type Language, languages } from '@gatehouse/contract/language'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Catalogue } from './catalogues.ts'

/**
 * Returns problems of catalogues as sentences: missing and additional keys, texts that are empty or can't be
 * parsed, and placeholders that differ from the English text.
 */
export function catalogueProblems(catalogues: Readonly<Record<Language, Catalogue>>): string[] {
  const { en: english } = catalogues
  const problems: string[] = []
  for (const language of languages) {
    const catalogue = catalogues[language]
    for (const key of Object.keys(english)) {
      if (!Object.hasOwn(catalogue, key)) problems.push(`${language}: "${key}" is missing`)
    }
    for (const [key, text] of Object.entries(catalogue)) {
      const original = english[key]
      if (original === undefined) problems.push(`${language}: "${key}" is not in English`)
      problems.push(...textProblems(text, original).map((problem) => `${language}: "${key}" ${problem}`))
    }
  }
  return problems
}

function textProblems(text: string, original: string | undefined): string[] {
  if (text.trim() === '') return ['is empty']
  // In ICU a straight apostrophe starts a quotation; the typographic one is correct in every language here.
  if (text.includes("'")) return ['has a straight apostrophe']
  const places = messagePlaces(text)
  if (places === undefined) return ['cannot be parsed']
  const expected = original === undefined ? places : messagePlaces(original)
  if (expected === undefined || sameMembers(places, expected)) return []
  return [`has the places ${list(places)} instead of ${list(expected)}`]
}

/**
 * Returns the placeholders of a text as `name` or `name:type`; undefined if it isn't valid ICU MessageFormat.
 */
export function messagePlaces(text: string): ReadonlySet<string> | undefined {
  try {
    return placesOf(compileMessageOrThrow(text))
  } catch {
    return undefined
  }
}

function placesOf(message: CompiledMessage): Set<string> {
  const places = new Set<string>()
  for (const token of message) {
    if (typeof token === 'string') continue
    const [name, type, format] = token
    if (type === undefined) {
      places.add(name)
      continue
    }
    // Plural cases depend on the language, those of a select are part of the contract.
    if (isCases(format) && !('other' in format)) throw new SyntaxError(`"${name}" has no case "other"`)
    const cases = isCases(format) ? Object.entries(format).filter(([key]) => key !== 'offset') : []
    const names = cases.map(([key]) => key).sort()
    const detail = type === 'select' ? `(${names.join()})` : ''
    places.add(`${name}:${type}${detail}`)
    for (const [, inner] of cases) {
      if (Array.isArray(inner)) for (const place of placesOf(inner)) places.add(place)
    }
  }
  return places
}

function isCases(format: unknown): format is Record<string, CompiledMessage | number | undefined> {
  return typeof format === 'object' && format !== null
}

function sameMembers(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member))
}

function list(places: ReadonlySet<string>): string {
  return `[${[...places].sort().join(', ')}]`
}
