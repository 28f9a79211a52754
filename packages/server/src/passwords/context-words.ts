import { foldPassword, isGuessable, leastOwnCharacters, withSubstitutes } from './common-passwords.ts'

/** What is known of the person whose password it is. */
export interface PersonFacts {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly organization?: string | null | undefined
  /** Addresses of the person, here and elsewhere. */
  readonly addresses: readonly (string | null | undefined)[]
}

/** Words that a password must not be made of, folded, the longest first. */
export type ContextWords = readonly string[]

/** Shorter words are part of too many others. */
const shortestWord = 4

/** No fact about a person is longer; input that is not validated yet may be. */
const longestFact = 1024

/**
 * The words that anybody would try for this person: each part of the name and the organization, the local part and
 * the domain of each address, and the names of the product; also all parts of one fact together.
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
 * True when a password is made of the words: what is left without them is shorter than `leastOwnCharacters`, or
 * guessable itself. A passphrase in which a word occurs is fine.
 */
export function isMadeOf(words: ContextWords, password: string): boolean {
  return withSubstitutes(foldPassword(password)).some((reading) => {
    const rest = words.reduce((text, word) => text.replaceAll(word, ''), reading)
    if (rest.length === reading.length) return false
    return Array.from(rest).length < leastOwnCharacters || isGuessable(rest)
  })
}
