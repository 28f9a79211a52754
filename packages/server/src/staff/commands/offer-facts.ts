import { languages } from '@gatehouse/contract/language'
import { UsageError } from '../../platform/cli/command.ts'
import { readNumber } from '../../platform/cli/options.ts'
import type { Localised } from '../../platform/db/schema.ts'

/** The facts given to an offer command, by name. */
export type Facts = ReadonlyMap<string, string>

/** Names of localized texts, such as `name.en`. */
export const textNames = languages.flatMap((language) => [`name.${language}`, `description.${language}`])

/** Parses `<name>=<value>` arguments. Throws UsageError for an unknown name. */
export function readFacts(words: readonly string[], names: readonly string[]): Facts {
  const facts = words.map((word): readonly [string, string] => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (!names.includes(name)) throw new UsageError(`${word} is not one of ${names.join('=, ')}=.`)
    return [name, value]
  })
  return new Map(facts)
}

/** Returns a localized text with the given changes; an empty value removes a language. */
export function textOf(facts: Facts, field: 'name' | 'description', was: Localised = {}): Localised {
  const told = languages.flatMap((language) => {
    const text = facts.get(`${field}.${language}`)
    return text === undefined ? [] : [[language, text] as const]
  })
  const all = Object.entries({ ...was, ...Object.fromEntries(told) })
  return Object.fromEntries(all.filter(([, text]) => text !== ''))
}

/** Returns an integer of at least 0, or the previous value. Throws UsageError. */
export function numberOf(facts: Facts, name: string, was: number): number {
  return readNumber(facts.get(name)) ?? was
}

/** Returns true for `1`, false for `0`, otherwise the previous value. Throws UsageError. */
export function switchOf(facts: Facts, name: string, was: boolean): boolean {
  const text = facts.get(name)
  if (text === undefined) return was
  if (text !== '0' && text !== '1') throw new UsageError(`${name}=${text} must be 0 or 1.`)
  return text === '1'
}
