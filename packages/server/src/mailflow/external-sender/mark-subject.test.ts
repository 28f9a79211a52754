import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEncodedWords } from './encoded-words.ts'
import { markedSubject, markSubject } from './mark-subject.ts'

const word = (text: string, charset = 'UTF-8') => `=?${charset}?B?${Buffer.from(text).toString('base64')}?=`
const read = (value: string) => decodeEncodedWords(value.replaceAll('\n', '')).trim()

describe('a marked subject', () => {
  test.each([
    ['Hello', '[EXTERNAL] Hello'],
    ['', '[EXTERNAL]'],
    ['   ', '[EXTERNAL]'],
    ['Re: Hello', '[EXTERNAL] Re: Hello'],
    ['[EXTERNAL] Hello', '[EXTERNAL] Hello'],
    ['[EXTERNAL]', '[EXTERNAL]'],
    ['[EXTERNAL]Hello', '[EXTERNAL] Hello'],
    ['[External] Hello', '[EXTERNAL] Hello'],
    ['[ external ] Hello', '[EXTERNAL] Hello'],
    ['[EXTERNAL] [EXTERNAL] Hello', '[EXTERNAL] Hello'],
    ['[EXTERNAL][EXTERNAL][EXTERNAL]', '[EXTERNAL]'],
    ['Re: [EXTERNAL] Hello', '[EXTERNAL] Re: Hello'],
    ['[EXTERNAL] Re: [EXTERNAL] Hello', '[EXTERNAL] Re: Hello'],
    ['AW: WG: [EXTERNAL] Hallo', '[EXTERNAL] AW: WG: Hallo'],
    ['RE : [EXTERNAL] Bonjour', '[EXTERNAL] RE : Bonjour'],
    ['Re[2]: [EXTERNAL] Hello', '[EXTERNAL] Re[2]: Hello'],
    ['About the [EXTERNAL] mark', '[EXTERNAL] About the [EXTERNAL] mark'],
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=', '[EXTERNAL] =?UTF-8?Q?Gr=C3=BC=C3=9Fe?='],
    ['[EXTERNAL] =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=', '[EXTERNAL] =?UTF-8?Q?Gr=C3=BC=C3=9Fe?='],
    ['Re: [EXTERNAL] =?x-odd?Q?=80?=', '[EXTERNAL] Re: =?x-odd?Q?=80?='],
    ['=?UTF-8?Q?=5BEXTERNAL=5D_Hello?=', '=?UTF-8?Q?=5BEXTERNAL=5D_Hello?='],
    ['=?UTF-8?Q?Re:_=5BEXTERNAL=5D_Hello?=', '[EXTERNAL] Re: Hello'],
    ['=?UTF-8?Q?=5BEXTE?= =?UTF-8?Q?RNAL=5DHello?=', '[EXTERNAL] Hello'],
    ['=?x-odd?Q?=5BEXTERNAL=5D?=', '[EXTERNAL] =?x-odd?Q?=5BEXTERNAL=5D?='],
    ['one\n two', '[EXTERNAL] one\n two'],
    ['one\r\n\ttwo', '[EXTERNAL] one\n\ttwo'],
    ['\n one', '[EXTERNAL] one'],
    ['Re: [EXTER\n NAL] x', '[EXTERNAL] Re: [EXTER\n NAL] x'],
    ['Re:\n [EXTERNAL] one', '[EXTERNAL] Re: one'],
  ])('of %j is %j', (raw, value) => {
    expect(markedSubject(raw)).toBe(value)
  })

  test('keeps umlauts when a mark inside an encoded word is moved to the front', () => {
    const value = markedSubject(word('Re: [EXTERNAL] Grüße aus Zürich'))
    expect(read(value)).toBe('[EXTERNAL] Re: Grüße aus Zürich')
    expect(value).not.toMatch(/[^\n -~]/)
  })

  test('keeps UTF-8 that was read byte by byte', () => {
    const bytes = Buffer.from('Grüße Ünal').toString('latin1')
    expect(markedSubject(bytes)).toBe(`[EXTERNAL] ${bytes}`)
    expect(markedSubject(`Re: [EXTERNAL] ${bytes}`)).toBe(`[EXTERNAL] Re: ${bytes}`)
  })

  test('has the mark on a line of its own when the first line is long', () => {
    const long = 'x'.repeat(980)
    expect(markedSubject(long)).toBe(`[EXTERNAL]\n ${long}`)
  })

  test('is folded at blanks when a mark was removed from a long text', () => {
    const text = 'word '.repeat(60).trim()
    const value = markedSubject(`Re: [EXTERNAL] ${text}`)
    expect(value.split('\n').every((line) => line.length <= 78)).toBe(true)
    expect(value.replaceAll('\n', '')).toBe(`[EXTERNAL] Re: ${text}`)
  })

  test('of more than 10,000 characters is cut, so that the mail server takes it', () => {
    const value = markedSubject(`Grüße ${'x'.repeat(100_000)}`)
    expect(read(value)).toBe(`[EXTERNAL] Grüße ${'x'.repeat(994)}…`)
  })

  test.each([
    ['a\nBcc: x@evil.test', '[EXTERNAL] a Bcc: x@evil.test'],
    ['a\r\n\r\nbody', '[EXTERNAL] a  body'],
    ['a\rX: 1', '[EXTERNAL] a X: 1'],
    ['a\n \n b', '[EXTERNAL] a\n b'],
    ['a\n\t', '[EXTERNAL] a'],
    ['a\0b', '[EXTERNAL] a b'],
    ['=?UTF-8?Q?[EXTERNAL][EXTERNAL]a=0D=0ABcc:_x?=', '[EXTERNAL] a Bcc: x'],
  ])('of the hostile %j is %j', (raw, value) => {
    expect(markedSubject(raw)).toBe(value)
  })

  const piece = fc.oneof(
    fc.constantFrom(
      '[EXTERNAL]',
      '[external] ',
      'Re: ',
      'AW:',
      '\n ',
      '\r\n\t',
      '\n',
      '\r',
      '\0',
      ' ',
      '=?',
      '?=',
    ),
    fc.constantFrom(
      word('[EXTERNAL] '),
      word('Re: '),
      word('Grüße'),
      '=?utf-8?Q?=5B?=',
      '=?utf-8?q?=0A?=',
      '=?x?b?a?=',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  const subjects = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  test('is safe in a header, starts with the mark once, and is not changed by marking it again', () => {
    fc.assert(
      fc.property(subjects, (raw) => {
        const value = markedSubject(raw)
        expect(value).not.toMatch(/\n(?![\t ])|[^\P{Cc}\t\n\u0080-\u009f]|\n[\t ]*(\n|$)/u)
        expect(read(value)).toMatch(/^\[EXTERNAL\](?! ?\[EXTERNAL\])( |$)/)
        expect(markedSubject(value)).toBe(value)
      }),
      { numRuns: 3000 },
    )
  })

  test('of a text without a mark is the same text behind the mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '' && !/external/i.test(text) && !text.includes('=?'))
        return markedSubject(text).replaceAll('\n', '') === `[EXTERNAL] ${text.trim()}`
      }),
    )
  })

  test.each([
    'Re: ',
    '[EXTERNAL] ',
    '[ ',
    'Re:[EXTERNAL]',
    ' ',
    '\n ',
    '\n',
    '=?utf-8?q?=5BEXTERNAL=5D?= ',
    'é',
  ])('of 300 kB is made in linear time when it repeats %j', (part) => {
    const raw = `[EXTERNAL] Re: [EXTERNAL]${part.repeat(300_000 / part.length)}end`
    expect(markedSubject(raw)).toMatch(/^\[EXTERNAL\]/)
  })
})

describe('the edits that mark a subject', () => {
  const change = (occurrence: number, value: string) => ({
    edit: 'change-header',
    name: 'Subject',
    occurrence,
    value,
  })

  test('replace the field', () => {
    expect(markSubject(['Hello'])).toEqual([change(1, '[EXTERNAL] Hello')])
  })

  test('insert a field when there is none', () => {
    const insert = { edit: 'insert-header', index: 0, name: 'Subject', value: '[EXTERNAL]' }
    expect(markSubject([])).toEqual([insert])
  })

  test('are none when the message is marked', () => {
    expect(markSubject(['[EXTERNAL] Hello'])).toEqual([])
    expect(markSubject(['[EXTERNAL] Hello\r\n world'])).toEqual([])
  })

  test('remove further subjects, from the last to the second', () => {
    expect(markSubject(['[EXTERNAL] Hello', 'two', 'three'])).toEqual([change(3, ''), change(2, '')])
    expect(markSubject(['one', 'two'])).toEqual([change(2, ''), change(1, '[EXTERNAL] one')])
  })
})
