import { describe, expect, test } from 'vitest'
import { readMessage } from '../message/message-reader.ts'
import { calendarTextOf, isCalendarPart } from './calendar-part.ts'
import { invitationUid } from './invitation.ts'
import { calendarText, eventText } from './testing/calendar-texts.ts'

const text = calendarText('REQUEST', eventText('SUMMARY:Sitzung in Zürich'))
const part = (headers: readonly string[], body: string | Buffer) =>
  Buffer.concat([Buffer.from([...headers, '', ''].join('\r\n')), Buffer.from(body)])
const nested = (levels: number, inner: Buffer): Buffer => {
  let message = inner
  for (let level = 0; level < levels; level++) {
    message = Buffer.concat([
      Buffer.from(`Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`),
      Buffer.from(`Content-Type: text/plain\r\n\r\nhello\r\n--b${level}\r\n`),
      message,
      Buffer.from(`\r\n--b${level}--\r\n`),
    ])
  }
  return message
}
const quoted = (content: string) =>
  [...Buffer.from(content)]
    .map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
    .replace(/.{72}/g, '$&=\r\n')
const calendarTextIn = (raw: Buffer) => calendarTextOf(readMessage(raw, isCalendarPart))
const type = 'Content-Type: text/calendar; charset=utf-8; method=REQUEST'

describe('an invitation is found', () => {
  test.each([
    ['as the message itself', part([type], text)],
    ['in base64', part([type, 'Content-Transfer-Encoding: base64'], Buffer.from(text).toString('base64'))],
    ['in quoted-printable', part([type, 'Content-Transfer-Encoding: quoted-printable'], quoted(text))],
    [
      'in a charset that the part names',
      part([type.replace('utf-8', 'iso-8859-1')], Buffer.from(text, 'latin1')),
    ],
    ['in a charset other than the part names', part([type], Buffer.from(text, 'latin1'))],
    ['in nested multiparts', nested(8, part([type], text))],
    ['as a file', nested(1, part(['Content-Type: application/ics; name=invite.ics'], text))],
  ])('%s', (_, raw) => {
    const found = calendarTextIn(raw)
    expect(found).toContain('Sitzung in Zürich')
    expect(invitationUid(found ?? '')).toBe('event-1')
  })

  test('in the part that names its method, before files', () => {
    const file = part(
      ['Content-Type: text/calendar; name=old.ics'],
      calendarText(null, eventText('UID:other')),
    )
    const raw = Buffer.concat([
      Buffer.from('Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'),
      file,
      Buffer.from('\r\n--x\r\n'),
      part([type], text),
      Buffer.from('\r\n--x--\r\n'),
    ])
    expect(invitationUid(calendarTextIn(raw) ?? '')).toBe('event-1')
  })
})

describe('no invitation is found in', () => {
  test.each([
    ['a message that is attached', nested(1, part(['Content-Type: message/rfc822'], part([type], text)))],
    ['an archive', nested(1, part(['Content-Type: application/zip; name=invite.ics'], 'PK'))],
    ['a text', part(['Content-Type: text/plain'], text)],
    ['parts nested too deeply', nested(50, part([type], text))],
    ['a part that is too large', part([type], text + 'x'.repeat(2_000_000))],
  ])('%s', (_, raw) => {
    expect(calendarTextIn(raw)).toBeUndefined()
  })
})
