import { dictionary } from '@zxcvbn-ts/language-common'

/** About 49,000 lower-case passwords from published leaks, without repetitions and keyboard walks. */
const known: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Longer texts need no lookup. */
const longestKnown = Math.max(...Array.from(known, (password) => password.length))

/** Minimum number of characters besides the guessable part. */
export const leastOwnCharacters = 6

/** Minimum length of a stem to be considered when surrounding characters are stripped. */
const shortestStem = 3

/** A repeated unit shorter than this is always guessable. */
const shortestUnit = 4

/** Key sequences on QWERTY, QWERTZ and AZERTY keyboards, digits and the alphabet, in both directions. */
const walks = [
  '0123456789'.repeat(4),
  '!@#$%^&*()',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
]
  .flatMap((row) => [row, Array.from(row).reverse().join('')])
  .join('\n')

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu
const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u

/**
 * Folds a password as a guesser would: ignores compatibility forms, accents, case and invisible characters.
 * Only for comparison; the password is hashed as typed.
 */
export function foldPassword(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(invisible, (character) => (/\s/.test(character) ? ' ' : ''))
    .toLowerCase()
}

/** Digits and symbols that stand for letters; `1` and `!` are ambiguous, so there are two readings. */
const substitutes = [readings('i'), readings('l')]

function readings(one: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      ...{ '0': 'o', '1': one, '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
      ...{ '@': 'a', $: 's', '!': one, '+': 't', '€': 'e', '|': one },
    }),
  )
}

/** Returns the text and its readings with digits and symbols replaced by letters, all of the same length. */
export function withSubstitutes(text: string): readonly string[] {
  if (!/\p{L}/u.test(text)) return [text]
  return [text, ...substitutes.map((map) => Array.from(text, (sign) => map.get(sign) ?? sign).join(''))]
}

/**
 * Returns true for an empty, blank or common password, a keyboard walk or a repetition, including variants
 * with digits for letters or a few digits or symbols around it.
 */
export function isGuessable(password: string): boolean {
  return blank.test(password) || stemsOf(foldPassword(password)).some(isCommon)
}

function isCommon(stem: string): boolean {
  const unit = repeatedUnit(stem)
  if (unit.length < stem.length && unit.length < shortestUnit) return true
  return [stem, unit].some(
    (text) =>
      walks.includes(text) ||
      (text.length <= longestKnown && withSubstitutes(text).some((reading) => known.has(reading))),
  )
}

/** Returns the text with symbols, or digits and symbols, stripped from either end if little is removed. */
function stemsOf(text: string): string[] {
  const signs = Array.from(text)
  const reversed = signs.toReversed()
  const stems: string[] = []
  for (const start of edgesOf(signs)) {
    for (const end of edgesOf(reversed)) {
      const isLittle = start + end < leastOwnCharacters
      const stem = signs.slice(start, signs.length - end)
      if (isLittle && (stem.length >= shortestStem || start + end === 0)) stems.push(stem.join(''))
    }
  }
  return stems
}

/**
 * Returns possible starts of the text: the beginning, after leading symbols, after leading symbols and digits.
 */
function edgesOf(signs: readonly string[]): ReadonlySet<number> {
  const first = (pattern: RegExp) =>
    Math.max(
      0,
      signs.findIndex((sign) => pattern.test(sign)),
    )
  return new Set([0, first(/[\p{L}\p{N}]/u), first(/\p{L}/u)])
}

/**
 * Returns the shortest unit that the text repeats at least twice, the last time perhaps partially; otherwise
 * the text.
 */
function repeatedUnit(text: string): string {
  const longest = Math.min(Math.floor(text.length / 2), longestKnown)
  for (let length = 1; length <= longest; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  }
  return text
}
