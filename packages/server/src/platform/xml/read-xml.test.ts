import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readElements, readXmlText, UnreadableXml } from './read-xml.ts'
import { element, writeXml } from './write-xml.ts'

const read = (xml: string) => Object.fromEntries(readElements(xml, ['EMailAddress', 'Schema']))

describe('an XML document', () => {
  test.each([
    ['<a><EMailAddress>jo@acme.test</EMailAddress></a>', { EMailAddress: 'jo@acme.test' }],
    [
      '<?xml version="1.0"?>\n<!-- hi > < -->\n<x:a xmlns:x="y"><x:EMailAddress > jo </x:EMailAddress></x:a>\n',
      { EMailAddress: 'jo' },
    ],
    ['<EMailAddress>a&amp;b&#64;c&#x2e;d&lt;</EMailAddress>', { EMailAddress: 'a&b@c.d<' }],
    ['<a><EMailAddress><![CDATA[a<b>&c]]></EMailAddress></a>', { EMailAddress: 'a<b>&c' }],
    ['<a><EMailAddress>one</EMailAddress><EMailAddress>two</EMailAddress></a>', { EMailAddress: 'one' }],
    ['<a><EMailAddress>one<b>two</b></EMailAddress><Schema/></a>', { EMailAddress: 'one', Schema: '' }],
    ['<a b="c"/>', {}],
  ])('%s is parsed', (xml, elements) => {
    expect(read(xml)).toEqual(elements)
  })

  test.each([
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a/><b/>',
    '<a>&nbsp;</a>',
    '<a>&xxe;</a>',
    '<a>&#0;</a>',
    '<a>&#x110000;</a>',
    '<a>& </a>',
    '<a><!-- </a>',
    '<a><![CDATA[</a>',
    '<?xml',
    '<',
    '<>',
    '< a/>',
    '<a/>text',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a/>',
    '<a><!ENTITY x "y"></a>',
    `${'<a>'.repeat(33)}${'</a>'.repeat(33)}`,
  ])('%s is rejected', (xml) => {
    expect(() => read(xml)).toThrow(UnreadableXml)
  })

  test('survives a round trip with any content', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(texts, texts, (text, value) => {
        const xml = writeXml(element('a', [element('EMailAddress', text)], { b: value }))
        const kept = text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
        expect(read(xml)).toEqual({ EMailAddress: kept.trim() })
      }),
    )
  })

  test('with arbitrary characters is parsed or rejected in linear time', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '&',
      ';',
      '!',
      '--',
      '[CDATA[',
      ']]>',
      '/',
      'a',
      ' ',
      '?',
      '"',
      '#',
      'x',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        try {
          read(parts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableXml)
        }
      }),
    )
    for (const long of ['<', '&', '<!--', '<a b="', '<a', '&#', '<a>&', '<![CDATA[']) {
      const begin = performance.now()
      expect(() => read(`<a>${long.repeat(32_000 / long.length)}`)).toThrow(UnreadableXml)
      expect(performance.now() - begin).toBeLessThan(500)
    }
  })
})

test('a body may be UTF-16 with a byte order mark, but not invalid text', () => {
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a/>', 'utf16le')])
  expect(readXmlText(little)).toBe('<a/>')
  expect(readXmlText(Buffer.from('\ufeff<a/>'))).toBe('<a/>')
  expect(() => readXmlText(Buffer.from([0x3c, 0xff, 0x3e]))).toThrow(UnreadableXml)
})
