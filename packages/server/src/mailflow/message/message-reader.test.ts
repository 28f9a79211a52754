import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerValues, subjectOf } from './header-fields.ts'
import { MessageReader, readMessage } from './message-reader.ts'
import { decodedText } from './part-text.ts'

const message = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
const all = () => true
const texts = (raw: Buffer, limits = {}) => {
  const read = readMessage(raw, all, limits)
  return read.parts.map((part) => [part.path, part.contentType.value, decodedText(part)])
}

const mixed = message(
  'From: Jane <jane@acme.test>',
  'Subject: =?utf-8?q?Caf=C3=A9?=',
  ' today',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  'preamble',
  '--outer',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  '',
  'plain',
  '--inner',
  'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('BEGIN:VCALENDAR Zürich').toString('base64'),
  '--inner--',
  'epilogue',
  '--outer',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe=20 ',
  'and=',
  ' more',
  '--outer--',
  '',
)

describe('a message', () => {
  test('is split into the parts of nested multiparts', () => {
    expect(texts(mixed)).toEqual([
      ['1.1', 'text/plain', 'plain'],
      ['1.2', 'text/calendar', 'BEGIN:VCALENDAR Zürich'],
      ['2', 'text/html', 'Grüße \r\nand more'],
    ])
  })

  test('keeps its header fields in their order and unfolds them', () => {
    const { fields, isTruncated } = readMessage(mixed)
    expect(fields.map(({ name }) => name)).toEqual(['From', 'Subject', 'Content-Type'])
    expect(fields[1]?.value).toBe('=?utf-8?q?Caf=C3=A9?=\n today')
    expect(subjectOf(fields)).toBe('Café today')
    expect(isTruncated).toBe(false)
  })

  test('reads the same when the mail server has separated the header', () => {
    const raw = readMessage(mixed, all)
    const reader = new MessageReader(all)
    for (const { name, value } of raw.fields) reader.addField(name, Buffer.from(value))
    reader.endHeader()
    reader.write(mixed.subarray(mixed.indexOf('\r\n\r\n') + 4))
    const { fields, parts } = reader.end()
    expect({ fields, parts }).toEqual({ fields: raw.fields, parts: raw.parts })
  })

  test.each([
    ['without a header', message('', 'text'), [['1', 'text/plain', 'text']]],
    ['without a body', message('Subject: x'), [['1', 'text/plain', '']]],
    ['that is empty', Buffer.alloc(0), [['1', 'text/plain', '']]],
    [
      'with bare line feeds',
      Buffer.from('Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n'),
      [
        ['1', 'text/plain', 'one'],
        ['2', 'text/plain', 'two'],
      ],
    ],
    [
      'whose boundary never ends',
      message('Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'one'),
      [['1', 'text/plain', 'one']],
    ],
    [
      'whose inner multipart never ends',
      message(
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: multipart/mixed; boundary=c',
        '',
        '--c',
        '',
        'one',
        '--b',
        '',
        'two',
        '--b--',
      ),
      [
        ['1.1', 'text/plain', 'one'],
        ['2', 'text/plain', 'two'],
      ],
    ],
    [
      'whose boundary is the start of another one',
      message(
        'Content-Type: multipart/mixed; boundary=bb',
        '',
        '--bb',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        'one',
        '--bb',
        '',
        'two',
        '--bb--',
      ),
      [
        ['1.1', 'text/plain', 'one'],
        ['2', 'text/plain', 'two'],
      ],
    ],
    [
      'that is a multipart without a boundary',
      message('Content-Type: multipart/mixed', '', 'text'),
      [['1', 'multipart/mixed', 'text']],
    ],
    [
      'with an attached message, which stays closed',
      message('Content-Type: message/rfc822', '', 'Content-Type: text/calendar', '', 'x'),
      [['1', 'message/rfc822', 'Content-Type: text/calendar\r\n\r\nx']],
    ],
    [
      'in base64 with characters that do not belong there',
      message('Content-Transfer-Encoding: BASE64', '', 'aGVs*bG8=', 'junk!'),
      [['1', 'text/plain', expect.stringContaining('hello')]],
    ],
  ])('%s', (_, raw, expected) => {
    expect(texts(raw)).toEqual(expected)
  })

  test('keeps only contents that are asked for, and the sizes of all', () => {
    const { parts } = readMessage(mixed, ({ contentType }) => contentType.value === 'text/calendar')
    expect(parts.map(({ content, size }) => [content?.length, size > 4])).toEqual([
      [undefined, true],
      [32, true],
      [undefined, true],
    ])
  })
})

describe('limits hold for', () => {
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index))

  test('the number of header fields', () => {
    const read = readMessage(message(...many(5000, (index) => `X-${index}: x`), '', 'text'), all)
    expect(read.fields).toHaveLength(1000)
    expect(read.isTruncated).toBe(true)
    expect(read.parts[0]?.content?.toString()).toBe('text')
  })

  test('the size of one header field, folded or not', () => {
    for (const value of ['x'.repeat(200_000), 'x\r\n '.repeat(100_000)]) {
      const read = readMessage(message(`X: ${value}`, 'Subject: hello', '', ''))
      expect(read.isTruncated).toBe(true)
      expect(headerValues(read.fields, 'x').join('').length).toBeLessThanOrEqual(64 * 1024)
      expect(subjectOf(read.fields)).toBe('hello')
    }
  })

  test('the depth of multiparts', () => {
    const nested = many(
      200,
      (index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}`,
    )
    const read = readMessage(message(...nested, '', 'deep'), all)
    expect(read.isTruncated).toBe(true)
    expect(read.parts).toHaveLength(1)
  })

  test('the number of parts', () => {
    const lines = many(10_000, (index) => `--b\r\n\r\n${index}`)
    const read = readMessage(message('Content-Type: multipart/mixed; boundary=b', '', ...lines), all)
    expect(read.parts).toHaveLength(300)
    expect(read.isTruncated).toBe(true)
  })

  test('the content that is kept', () => {
    const lines = many(4, () => `--b\r\n\r\n${'x'.repeat(90)}`)
    const raw = message('Content-Type: multipart/mixed; boundary=b', '', ...lines, '--b--')
    const { parts } = readMessage(raw, all, { contentSize: 40, totalContentSize: 100 })
    expect(parts.map(({ content, size, isWhole }) => [content?.length, size, isWhole])).toEqual([
      [40, 90, false],
      [40, 90, false],
      [20, 90, false],
      [0, 90, false],
    ])
  })

  test('memory, with a message of 50 MB that consists of one line, short lines or boundaries', () => {
    for (const line of ['x', 'x'.repeat(76).concat('\r\n'), '\n', '--\n', '--b\r\n\r\n']) {
      const reader = new MessageReader(all)
      reader.write(message('Content-Type: multipart/mixed; boundary=b', '', '--b', '', ''))
      const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)))
      const before = process.memoryUsage()
      let peak = 0
      for (let written = 0; written < 50_000_000; written += chunk.length) {
        reader.write(chunk)
        const { heapUsed, external } = process.memoryUsage()
        peak = Math.max(peak, heapUsed + external - before.heapUsed - before.external)
      }
      expect(reader.end().size).toBeGreaterThan(50_000_000)
      expect(peak).toBeLessThan(100_000_000)
    }
  }, 60_000)
})

describe('any bytes', () => {
  const piece = fc.constantFrom(
    ...['\r\n', '\n', '\r', '--b', '--', '--b--', '--c\r\n', ' ', 'x', 'é', '\0', '='],
    ...['Content-Type: multipart/mixed; boundary=b\r\n', 'Content-Type: multipart/mixed; boundary="c"\r\n'],
    ...['Content-Transfer-Encoding: base64\r\n', 'Subject: =?utf-8?b?4oI=?=\r\n', 'x'.repeat(500)],
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
    fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''))),
  )

  test('are read the same however they are cut into chunks', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (raw, sizes) => {
        for (const wants of [all, () => false]) {
          const reader = new MessageReader(wants)
          for (let [at, turn] = [0, 0]; at < raw.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1
            reader.write(raw.subarray(at, at + size))
            at += size
          }
          expect(reader.end()).toEqual(readMessage(raw, wants))
        }
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('never fail, and nothing grows', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        const { parts, fields, size } = readMessage(raw, all)
        expect(size).toBe(raw.length)
        subjectOf(fields)
        for (const part of parts) expect(decodedText(part).length).toBeLessThanOrEqual(raw.length)
      }),
      { seed: 8, numRuns: 500 },
    )
  })
})
