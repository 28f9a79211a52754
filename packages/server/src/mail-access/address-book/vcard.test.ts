import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BookEntry } from './address-book-store.ts'
import { cardOf } from './vcard.ts'

const zoe: BookEntry = {
  kind: 'user',
  id: 7,
  email: 'zoe@acme.test',
  name: 'Zoë Abel',
  firstName: 'Zoë',
  lastName: 'Abel',
  organization: 'Acme; Sons, Ltd.',
  department: null,
  aliases: ['za@acme.test'],
}

const linesOf = (entry: BookEntry) => cardOf(entry).text.split('\r\n')
const unfold = (text: string) => text.replaceAll('\r\n ', '')

describe('a card', () => {
  test('of a user has names, addresses and organisation', () => {
    expect(linesOf(zoe)).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'UID:user-7',
      'FN:Zoë Abel',
      'N:Abel;Zoë;;;',
      'EMAIL;TYPE=INTERNET,PREF:zoe@acme.test',
      'EMAIL;TYPE=INTERNET:za@acme.test',
      String.raw`ORG:Acme\; Sons\, Ltd.;`,
      'END:VCARD',
      '',
    ])
  })

  test('of a user without a name shows the address', () => {
    const nameless = { ...zoe, name: '', firstName: null, lastName: null, organization: null }
    expect(linesOf(nameless)).toContain('FN:zoe@acme.test')
    expect(linesOf(nameless)).toContain('N:zoe@acme.test;;;;')
  })

  test('of a list is a group', () => {
    const list = { ...zoe, kind: 'group' as const, name: 'Team', firstName: null, lastName: null }
    expect(linesOf(list)).toContain('X-ADDRESSBOOKSERVER-KIND:group')
  })

  test('changes its tag with its content, and keeps its file name', () => {
    const renamed = cardOf({ ...zoe, name: 'Zoë Berg' })
    expect(renamed.file).toBe(cardOf(zoe).file)
    expect(renamed.etag).not.toBe(cardOf(zoe).etag)
    expect(cardOf({ ...zoe }).etag).toBe(cardOf(zoe).etag)
  })

  test('keeps any name in one property, in lines of at most 75 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const { text } = cardOf({ ...zoe, name })
        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        const properties = unfold(text).split('\r\n')
        expect(properties.map((line) => line.split(/[:;]/)[0])).toEqual(
          linesOf(zoe).map((line) => line.split(/[:;]/)[0]),
        )
      }),
    )
  })
})
