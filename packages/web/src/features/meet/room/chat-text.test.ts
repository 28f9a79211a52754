import { describe, expect, test } from 'vitest'
import { type ChatPiece, chatPieces } from './chat-text.ts'

const links = (message: string) =>
  chatPieces(message).flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []))
const shown = (message: string) =>
  chatPieces(message)
    .map(({ text }: ChatPiece) => text)
    .join('')

test('links web and mail addresses', () => {
  expect(links('see https://example.org/a?b=1#c or http://x.test, write to jane@acme.test.')).toEqual([
    'https://example.org/a?b=1#c',
    'http://x.test/',
    'mailto:jane@acme.test',
  ])
})

test('keeps the surrounding text', () => {
  const message = '(https://example.org/a_(b)) and <jane@acme.test>!\nBye.'
  expect(shown(message)).toBe(message)
  expect(links(message)).toEqual(['https://example.org/a_(b)', 'mailto:jane@acme.test'])
})

test('excludes sentence punctuation from links', () => {
  expect(links('Is it https://example.org/x? Yes, https://example.org/y.')).toEqual([
    'https://example.org/x',
    'https://example.org/y',
  ])
})

test('truncates long links to 25 characters', () => {
  const [piece] = chatPieces('https://example.org/a/very/long/path/to/something')
  expect(piece).toMatchObject({ kind: 'link', isShortened: true })
  expect(Array.from(piece?.text ?? '')).toHaveLength(25)
})

describe('nothing else becomes a link', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt://example.org/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.org/1234',
    '//example.org',
    'www.example.org',
    '<a href="javascript:alert(1)">x</a>',
    '<img src=x onerror=alert(1)>',
    'https://',
    'https://good.test@evil.test/',
    'https://user:secret@evil.test/',
  ])('%s', (message) => {
    const found = links(message).filter((href) => !/^mailto:/.test(href))
    expect(found).toEqual([])
    expect(shown(message)).toContain(message.slice(0, 8))
  })
})

test('links only to http, https or mailto, whatever the message contains', () => {
  const parts = [
    'https://',
    'javascript:',
    '"',
    "'",
    '<',
    '>',
    ' ',
    '@',
    'a',
    '.b',
    '\u202e',
    '\u0000',
    '%0a',
    'é',
  ]
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let round = 0; round < 3000; round += 1) {
    const message = Array.from({ length: 1 + next(9) }, () => parts[next(parts.length)]).join('')
    for (const href of links(message)) expect(href).toMatch(/^(https?:\/\/|mailto:)[!-~]+$/)
  }
})

test("mail addresses can't inject headers", () => {
  expect(links('a?bcc=x@evil.test')).toEqual(['mailto:a%3Fbcc=x@evil.test'])
})

test("a direction mark ends an address, so that it can't be reversed", () => {
  expect(links('https://example.org/\u202egpj.exe')).toEqual(['https://example.org/'])
})

test('handles a message of maximum length quickly', () => {
  const begin = performance.now()
  chatPieces('a@'.repeat(1000))
  chatPieces('a.'.repeat(1000))
  chatPieces(`https://${'('.repeat(1990)}`)
  chatPieces(`a@${'b-'.repeat(990)}`)
  expect(performance.now() - begin).toBeLessThan(2000)
})
