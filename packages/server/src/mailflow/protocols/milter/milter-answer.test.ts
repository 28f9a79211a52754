import { describe, expect, test } from 'vitest'
import { InvalidAnswer } from '../connections/protocol-errors.ts'
import { headerSection, headerText, receivedHeader, sentValue } from './message-headers.ts'
import { encodeAnswer, encodeVerdict, type MilterAnswer, type MilterVerdict } from './milter-answer.ts'
import { type Agreement, allStages, negotiate } from './negotiation.ts'

const agree = (steps: number): Agreement =>
  negotiate(
    { version: 6, actions: 0x1ff, steps },
    {
      actions: [
        'add-headers',
        'replace-body',
        'add-recipients',
        'delete-recipients',
        'change-headers',
        'quarantine',
      ],
      stages: new Set(allStages),
      wantsBody: true,
    },
  )
const exact = agree(0x1fffff)
const stripped = agree(0)

const shown = (packets: readonly Buffer[]) => packets.map((packet) => packet.toString('latin1'))

describe('a verdict', () => {
  test.each<[MilterVerdict, string]>([
    [{ verdict: 'continue' }, '\0\0\0\x01c'],
    [{ verdict: 'accept' }, '\0\0\0\x01a'],
    [{ verdict: 'discard' }, '\0\0\0\x01d'],
    [{ verdict: 'reject' }, '\0\0\0\x01r'],
    [{ verdict: 'tempfail' }, '\0\0\0\x01t'],
    [{ verdict: 'reject', reply: '550 5.7.1 No [L5]' }, '\0\0\0\x13y550 5.7.1 No [L5]\0'],
    [{ verdict: 'tempfail', reply: '450 4.7.1 Later' }, '\0\0\0\x11y450 4.7.1 Later\0'],
    [{ verdict: 'reject', reply: '550 5.7.1 100% %s' }, '\0\0\0\x15y550 5.7.1 100%% %%s\0'],
    [{ verdict: 'reject', reply: '550 5.7.1 a\r\n250 OK\0' }, '\0\0\0\x14y550 5.7.1 a 250 OK\0'],
  ])('%j is sent as %j', (verdict, expected) => {
    expect(encodeVerdict(verdict, 'mail').toString('latin1')).toBe(expected)
  })

  test.each<[MilterVerdict, 'connect' | 'helo' | 'message']>([
    [{ verdict: 'discard' }, 'connect'],
    [{ verdict: 'discard' }, 'helo'],
    [{ verdict: 'reject', reply: '450 4.7.1 Later' }, 'message'],
    [{ verdict: 'tempfail', reply: '550 5.7.1 No' }, 'message'],
    [{ verdict: 'reject', reply: 'No' }, 'message'],
  ])('%j is not possible at %s', (verdict, stage) => {
    expect(() => encodeVerdict(verdict, stage)).toThrow(InvalidAnswer)
  })
})

describe('an answer to a message', () => {
  const answer: MilterAnswer = {
    verdict: 'accept',
    edits: [
      { edit: 'insert-header', index: 0, name: 'X-A', value: 'b' },
      { edit: 'add-header', name: 'X-C', value: 'd' },
      { edit: 'change-header', name: 'Subject', occurrence: 1, value: '[EXTERNAL] Hi' },
      { edit: 'change-header', name: 'X-Old', occurrence: 2, value: '' },
      { edit: 'add-recipient', address: 'a@b.de' },
      { edit: 'delete-recipient', address: '"c d"@e.fr' },
    ],
    quarantine: 'Held\r\nfor review',
  }

  test('sends edits, then the quarantine, then the verdict', () => {
    const { edits, last } = encodeAnswer(answer, stripped)
    expect(shown(edits)).toEqual([
      '\0\0\0\x0bi\0\0\0\0X-A\0b\0',
      '\0\0\0\x07hX-C\0d\0',
      '\0\0\0\x1bm\0\0\0\x01Subject\0[EXTERNAL] Hi\0',
      '\0\0\0\x0cm\0\0\0\x02X-Old\0\0',
      '\0\0\0\x0a+<a@b.de>\0',
      '\0\0\0\x0e-<"c d"@e.fr>\0',
    ])
    expect(shown(last)).toEqual(['\0\0\0\x11qHeld for review\0', '\0\0\0\x01a'])
  })

  test('sends the space after the colon if the mail server wants it, but not to delete a header', () => {
    const [insert, , change, remove] = shown(encodeAnswer(answer, exact).edits)
    expect(insert).toBe('\0\0\0\x0ci\0\0\0\0X-A\0 b\0')
    expect(change).toBe('\0\0\0\x1cm\0\0\0\x01Subject\0 [EXTERNAL] Hi\0')
    expect(remove).toBe('\0\0\0\x0cm\0\0\0\x02X-Old\0\0')
  })

  test('leaves out edits of mail that is not accepted', () => {
    const { edits, last } = encodeAnswer({ ...answer, verdict: 'reject' }, exact)
    expect([...edits, ...last].length).toBe(1)
  })

  test.each<MilterAnswer>([
    { verdict: 'accept', edits: [{ edit: 'add-header', name: 'X A', value: '' }] },
    { verdict: 'accept', edits: [{ edit: 'add-header', name: 'X-A\nX-B', value: '' }] },
    { verdict: 'accept', edits: [{ edit: 'add-header', name: '', value: 'x' }] },
    { verdict: 'accept', edits: [{ edit: 'add-header', name: 'X', value: 'x'.repeat(70_000) }] },
    { verdict: 'accept', edits: [{ edit: 'change-header', name: 'X', occurrence: 0, value: '' }] },
    { verdict: 'accept', edits: [{ edit: 'insert-header', index: -1, name: 'X', value: '' }] },
    { verdict: 'accept', edits: [{ edit: 'add-recipient', address: '' }] },
    { verdict: 'accept', edits: [{ edit: 'add-recipient', address: 'a@b\0c' }] },
    { verdict: 'accept', edits: [{ edit: 'add-recipient', address: 'a@b> <c@d' }] },
  ])('cannot be sent: %#', (wrong) => {
    expect(() => encodeAnswer(wrong, exact)).toThrow(InvalidAnswer)
  })

  test('cannot use an action that the milter has not asked for', () => {
    const agreement = { ...exact, actions: new Set<never>() }
    for (const edit of answer.edits ?? []) {
      expect(() => encodeAnswer({ verdict: 'accept', edits: [edit] }, agreement)).toThrow(InvalidAnswer)
    }
    expect(() => encodeAnswer({ verdict: 'accept', body: [] }, agreement)).toThrow(InvalidAnswer)
    expect(() => encodeAnswer({ verdict: 'accept', quarantine: 'x' }, agreement)).toThrow(InvalidAnswer)
  })
})

describe('header values', () => {
  test.each([
    ['plain', 'plain'],
    ['  spaces  ', 'spaces'],
    ['folded\r\n and\r\n\tagain', 'folded\n and\n\tagain'],
    ['one\r\nX-Injected: two', 'one X-Injected: two'],
    ['one\nX-Injected: two', 'one X-Injected: two'],
    ['one\r\rtwo', 'one two'],
    ['one\r\n\r\nbody', 'one body'],
    ['one\r\n \r\n body', 'one\n body'],
    ['a\0b\u0007c\td', 'abc\td'],
    ['\r\n first', 'first'],
    ['', ''],
  ])('%j are sent as %j', (value, expected) => {
    expect(sentValue(value, false)).toBe(expected)
    expect(sentValue(value, true)).toBe(expected === '' ? '' : ` ${expected}`)
  })

  test('are received exactly, also those that are no UTF-8', () => {
    const header = receivedHeader('Subject', Buffer.from('  a\xff\n b', 'latin1'), true)
    expect(header.raw).toEqual(Buffer.from('  a\xff\r\n b', 'latin1'))
    expect(receivedHeader('Subject', Buffer.from('a'), false).raw.toString()).toBe(' a')
    expect(headerText(receivedHeader('Subject', Buffer.from('Grüße\n\taus  Bern '), true))).toBe(
      'Grüße\taus  Bern',
    )
    const section = headerSection([header, receivedHeader('To', Buffer.from('c'), false)])
    expect(section.toString('latin1')).toBe('Subject:  a\xff\r\n b\r\nTo: c\r\n\r\n')
  })
})
