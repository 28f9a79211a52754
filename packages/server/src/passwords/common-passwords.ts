import { dictionary } from '@zxcvbn-ts/language-common'

/** About 49,000 passwords from published leaks, in lower case, without repetitions and keyboard walks. */
const known: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Longer texts need not be looked up. */
const longestKnown = Math.max(...Array.from(known, (password) => password.length))

/** Characters that a password needs beside the part that anybody can guess. */
export const leastOwnCharacters = 6

/** A word shorter than this says nothing about what surrounds it. */
const shortestStem = 3

/** A repeated part shorter than this is guessable whatever it is. */
const shortestUnit = 4

/** Keys in a row on QWERTY, QWERTZ and AZERTY keyboards, digits and the alphabet, in both directions. */
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
 * What a password looks like to a guesser: compatibility forms, accents, case and invisible characters do not
 * matter. For comparing only; the password itself is hashed as it was typed.
 */
export function foldPassword(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(invisible, (character) => (/\s/.test(character) ? ' ' : ''))
    .toLowerCase()
}

/** Digits and marks that stand for letters; `1` and `!` stand for two, so there are two readings. */
const substitutes = [readings('i'), readings('l')]

function readings(one: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      ...{ '0': 'o', '1': one, '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
      ...{ '@': 'a', $: 's', '!': one, '+': 't', '€': 'e', '|': one },
    }),
  )
}

/** The text, and what it reads as when digits and marks stand for letters. Each is as long as the text. */
export function withSubstitutes(text: string): readonly string[] {
  if (!/\p{L}/u.test(text)) return [text]
  return [text, ...substitutes.map((map) => Array.from(text, (sign) => map.get(sign) ?? sign).join(''))]
}

/**
 * True for a password that is blank, common, a keyboard walk or a repetition, also with digits for letters and
 * with a few digits or marks around it. An empty password is guessable too.
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

/** The text without marks, and without digits and marks, at either end, where that takes little away. */
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

/** Where the text may begin: at its start, after its first marks, and after its first marks and digits. */
function edgesOf(signs: readonly string[]): ReadonlySet<number> {
  const first = (pattern: RegExp) =>
    Math.max(
      0,
      signs.findIndex((sign) => pattern.test(sign)),
    )
  return new Set([0, first(/[\p{L}\p{N}]/u), first(/\p{L}/u)])
}

/** The shortest text that the given one repeats at least twice, the last time perhaps in part; else the text. */
function repeatedUnit(text: string): string {
  const longest = Math.min(Math.floor(text.length / 2), longestKnown)
  for (let length = 1; length <= longest; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  }
  return text
}
