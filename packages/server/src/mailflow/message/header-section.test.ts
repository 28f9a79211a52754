import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markSubject } from '../external-sender/mark-subject.ts'
import { HeaderSection } from './header-section.ts'

function marked(message: string | Buffer): string {
  const header = new HeaderSection(Buffer.from(message))
  header.apply(markSubject(header.values('Subject')))
  return header.message().toString()
}

test.each([
  [
    'From: a@b.test\r\nSubject: Hi\r\n\r\nbody\r\n',
    'From: a@b.test\r\nSubject: [EXTERNAL] Hi\r\n\r\nbody\r\n',
  ],
  ['Subject: Hi\nFrom: a@b.test\n\nbody', 'Subject: [EXTERNAL] Hi\nFrom: a@b.test\n\nbody'],
  ['From: a@b.test\n\nSubject: body', 'Subject: [EXTERNAL]\nFrom: a@b.test\n\nSubject: body'],
  ['SUBJECT : Hi\n\n', 'Subject: [EXTERNAL] Hi\n\n'],
  ['Subject: a\nSubject: b\n\n', 'Subject: [EXTERNAL] a\n\n'],
  ['Subject: Grüße\n\nGrüße', 'Subject: [EXTERNAL] Grüße\n\nGrüße'],
  ['no field\nSubject: a\n\n', 'no field\nSubject: [EXTERNAL] a\n\n'],
  ['Subject: only a header', 'Subject: [EXTERNAL] only a header\n'],
  ['', 'Subject: [EXTERNAL]\n'],
])('%j becomes %j', (message, expected) => {
  expect(marked(message)).toBe(expected)
})

test('a folded subject stays folded', () => {
  expect(marked('Subject: one\r\n two\r\n\r\n')).toBe('Subject: [EXTERNAL] one\r\n two\r\n\r\n')
})

test('a subject that is no UTF-8 is read as Latin-1', () => {
  const message = Buffer.concat([Buffer.from('Subject: Gr'), Buffer.from([0xfc]), Buffer.from('n\n\n')])
  expect(marked(message)).toBe('Subject: [EXTERNAL] Grün\n\n')
})

test('without edits, every message stays as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const message = Buffer.from(bytes)
      return new HeaderSection(message).message().equals(message)
    }),
  )
})

test('the body is never changed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const message = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.from(bytes)])
      const header = new HeaderSection(message)
      header.apply(markSubject(header.values('Subject')))
      const end = header.message()
      return end.subarray(end.length - bytes.length).equals(Buffer.from(bytes))
    }),
  )
})
