import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldPassword, isGuessable, withSubstitutes } from './common-passwords.ts'

describe('a guessable password is', () => {
  test.each([
    ['empty', ''],
    ['of blanks', '        '],
    ['of blanks that are no ASCII', '\u2003\u00a0\u3000\u2028'],
    ['of invisible characters', '\u200b\u200d\u2060\u00ad\u3164\uffa0\u115f\u2800\ufe0f'],
    ['of control characters', '\t\n\u0007\u007f'],
    ['one of the most common', '123456'],
    ['one of the less common', 'bhrh0h2oof6xbqjeh'],
    ['common in another case', 'PaSsWoRd'],
    ['common in full-width letters', 'ｐａｓｓｗｏｒｄ'],
    ['common with accents', 'pässwörd'],
    ['common with invisible characters in it', 'pass\u200bword'],
    ['common with digits for letters', 'dr4g0n'],
    ['common with marks for letters', '$un$h!ne'],
    ['common with a year', 'Sommer2026'],
    ['common with a year and a mark', 'Sommer2026!'],
    ['common with marks around', '**dragon**'],
    ['common with digits in front', '2026dragon'],
    ['common with digits for letters and digits behind', 'dr4g0n99'],
    ['common with a common end', 'password1!'],
    ['common twice', 'dragondragon'],
    ['one character again and again', 'zzzzzzzzzzzzzzzzzzzz'],
    ['three characters again and again', 'x7$x7$x7$x7$'],
    ['a repetition with digits behind', 'zzzzzzzz42'],
    ['digits in their order', '0123456789012345'],
    ['the alphabet', 'abcdefghijklm'],
    ['the alphabet backwards', 'ponmlkji'],
    ['a row of QWERTZ keys with digits behind', 'qwertzui123'],
    ['a row of AZERTY keys', 'azertyuio'],
    ['a row of keys with Shift', '!@#$%^&*()'],
  ])('%s: %j', (_, password) => {
    expect(isGuessable(password)).toBe(true)
  })

  test.each([
    ['a passphrase', 'correct horse battery'],
    ['a passphrase of common words', 'dragon-summer-kitchen'],
    ['words and a number', 'tulip-anchor-42'],
    ['random characters', 'k7Qz!92m'],
    ['a common word with six other characters', 'dragon#4Kx2v'],
    ['in another script', 'поёт-соловей-утром'],
    ['Japanese', '青い傘と三毛猫'],
    ['pictures', '🐙🚲🧊🎺🌵🪁'],
    ['with umlauts', 'Käsekuchen im Zug'],
  ])('not %s: %j', (_, password) => {
    expect(isGuessable(password)).toBe(false)
  })
})

test('a common password with invisible characters is common', () => {
  const filler = fc.constantFrom('\u200b', '\u00ad', '\u2060', '\ufe0f', '\u3164')
  fc.assert(
    fc.property(fc.constantFrom('password', 'dragon', 'sunshine'), fc.array(filler), (word, fillers) => {
      const text = Array.from(word, (letter, index) => letter + (fillers[index] ?? '')).join('')
      expect(isGuessable(text)).toBe(true)
    }),
  )
})

test('the check never fails for any input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect(typeof isGuessable(text)).toBe('boolean')
      for (const reading of withSubstitutes(foldPassword(text))) {
        expect(Array.from(reading)).toHaveLength(Array.from(foldPassword(text)).length)
      }
    }),
  )
})

test('a thousand passwords of full length are checked in a few seconds', () => {
  const begin = performance.now()
  for (let round = 0; round < 250; round++) {
    for (const text of ['a'.repeat(1023), '1'.repeat(1023), 'ab'.repeat(511), 'p4ss-'.repeat(204)]) {
      isGuessable(`${text}x`)
    }
  }
  expect(performance.now() - begin).toBeLessThan(5000)
})
