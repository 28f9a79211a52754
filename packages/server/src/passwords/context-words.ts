import { foldPassword, isGuessable, leastOwnCharacters, withSubstitutes } from './common-passwords.ts'

/** Known facts about the user of a password. */
export interface PersonFacts {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly organization?: string | null | undefined
  /** The user's addresses, here and elsewhere. */
  readonly addresses: readonly (string | null | undefined)[]
}

/** Folded words that a password must not be based on, longest first. */
export type ContextWords = readonly string[]

/** Shorter words are part of too many others. */
const shortestWord = 4

/** Facts are never longer; unvalidated input may be. */
const longestFact = 1024

/**
 * Returns words an attacker would try for this user: the parts of name and organization, local part and domain
 * of each address, product names, and the combined parts of each.
 */
export function contextWords(person: PersonFacts, products: readonly string[]): ContextWords {
  const { firstName: first, lastName: last, organization, addresses } = person
  const texts = [first, last, `${first ?? ''} ${last ?? ''}`, organization, ...addresses, ...products]
  const words = new Set(texts.flatMap((text) => wordsOf(foldPassword((text ?? '').slice(0, longestFact)))))
  return [...words]
    .filter((word) => Array.from(word).length >= shortestWord)
    .sort((one, other) => other.length - one.length)
}

function wordsOf(text: string): string[] {
  const [local = '', domain = ''] = text.split('@')
  return [text, local, domain].flatMap((part) => [
    part.trim(),
    part.replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ...part.split(/[^\p{L}\p{N}]+/u),
    ...part.split(/\P{L}+/u),
  ])
}

/**
 * Returns true if what is left of a password without the words is shorter than `leastOwnCharacters` or
 * guessable. A passphrase that contains a word is fine.
 */
export function isMadeOf(words: ContextWords, password: string): boolean {
  return withSubstitutes(foldPassword(password)).some((reading) => {
    const rest = words.reduce((text, word) => text.replaceAll(word, ''), reading)
    if (rest.length === reading.length) return false
    return Array.from(rest).length < leastOwnCharacters || isGuessable(rest)
  })
}
