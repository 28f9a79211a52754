import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relaxedBodyHash, relaxedField } from './canonical-form.ts'

const hashOf = (text: string) => createHash('sha256').update(text, 'latin1').digest('base64')

test.each([
  ['', ''],
  ['\r\n\r\n', ''],
  ['bye', 'bye\r\n'],
  [' C \r\nD \t E\r\n\r\n\r\n', ' C\r\nD E\r\n'],
  ['a\r\n\r\nb\r\n', 'a\r\n\r\nb\r\n'],
  [' \t\r\n', ''],
  ['a \t', 'a\r\n'],
])('the body %j is hashed as %j', (body, canonical) => {
  expect(relaxedBodyHash(Buffer.from(body, 'latin1'))).toBe(hashOf(canonical))
})

test('a body of many pieces is hashed as its lines are', () => {
  const line = `${'word  '.repeat(40)}\r\n`
  const body = line.repeat(12_000)
  expect(relaxedBodyHash(Buffer.from(body))).toBe(
    hashOf(`${'word '.repeat(40).trimEnd()}\r\n`.repeat(12_000)),
  )
})

test('any body is hashed as its lines are, one by one', () => {
  const lines = fc.array(fc.stringMatching(/^[ab \t]{0,6}$/), { maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.boolean(), (found, isEnded) => {
      const body = found.join('\r\n') + (isEnded ? '\r\n' : '')
      const plain = found.map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd())
      while (plain.at(-1) === '') plain.pop()
      const canonical = plain.map((line) => `${line}\r\n`).join('')
      expect(relaxedBodyHash(Buffer.from(body))).toBe(hashOf(canonical))
    }),
  )
})

test.each([
  ['SUBJect: Hello \r\n\t there  ', 'subject:Hello there'],
  ['From \t:  a@b ', 'from:a@b'],
  ['X:', 'x:'],
])('the field %j is signed as %j', (field, canonical) => {
  expect(relaxedField(field)).toBe(canonical)
})
