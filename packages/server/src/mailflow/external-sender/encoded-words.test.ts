import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEncodedWords, encodeHeaderText } from './encoded-words.ts'

describe('encoded words', () => {
  test.each([
    ['plain', 'plain'],
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?utf-8?B?R3LDvMOfZQ==?= an alle', 'Grüße an alle'],
    ['=?ISO-8859-1?Q?a_b=E9?=', 'a bé'],
    ['=?iso-2022-jp?B?GyRCOnkbKEI=?=', '桜'],
    ['=?us-ascii*en?Q?Hello?=', 'Hello'],
    ['=?UTF-8?Q?one?= =?UTF-8?Q?two?=', 'onetwo'],
    ['=?UTF-8?Q?one?= and =?UTF-8?Q?two?=', 'one and two'],
    ['=?UTF-8?Q?=E2=82?= =?UTF-8?Q?=AC?=', '€'],
    ['=?UTF-8?Q?=C3=A9?=  =?ISO-8859-1?Q?=E9?=', 'éé'],
    ['=?x-unknown?Q?a=20b?=', '=?x-unknown?Q?a=20b?='],
    ['=?UTF-8?X?abc?=', '=?UTF-8?X?abc?='],
    ['=?UTF-8?Q?open', '=?UTF-8?Q?open'],
    ['=?UTF-8?Q?=ZZ=4?=', '=ZZ=4'],
  ])('%s say %s', (value, text) => {
    expect(decodeEncodedWords(value)).toBe(text)
  })

  test('say what was encoded, in lines of at most 76 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const value = encodeHeaderText(text)
        const lines = value.split('\n')
        const unfolded = lines.join('')
        expect(decodeEncodedWords(unfolded)).toBe(text.replace(/\p{Cc}+/gu, ' '))
        if (value.startsWith('=?')) expect(lines.every((line) => line.length <= 76)).toBe(true)
      }),
    )
  })

  test('are written for texts that would be taken for encoded words', () => {
    const text = 'see =?UTF-8?Q?this?='
    expect(decodeEncodedWords(encodeHeaderText(text))).toBe(text)
  })

  test('cannot bring line breaks or characters without meaning into a header', () => {
    expect(encodeHeaderText('a\r\nBcc: x@evil.test\0\ud800')).toBe('a Bcc: x@evil.test ')
  })

  test('that are broken in any way are read without an error', () => {
    const piece = fc.constantFrom(
      '=?',
      '?=',
      '?',
      '=',
      'UTF-8',
      'utf-16',
      'Q',
      'B',
      '*',
      '_',
      ' ',
      'é',
      '=C3',
      'A',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(typeof decodeEncodedWords(pieces.join(''))).toBe('string')
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['=?', '=?a', '=?a?q?', '=?utf-8?q?=41?= ', '=?utf-8?q?=41?=x', '=?*'])(
    'of 300 kB are read in linear time when they repeat %j',
    (piece) => {
      expect(decodeEncodedWords(piece.repeat(300_000 / piece.length)).length).toBeGreaterThan(0)
    },
  )
})
