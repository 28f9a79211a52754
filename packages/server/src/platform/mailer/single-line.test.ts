import { describe, expect, it } from 'vitest'
import { singleLine } from './single-line.ts'

describe('a single line', () => {
  it.each([
    ['Jane\r\nBcc: all@example.test', 'Jane Bcc: all@example.test'],
    ['a\u0000b\tc\u0085d\u2028e', 'a b c d e'],
    ['  two   words ', 'two words'],
    ['evil\u202egnp.exe', 'evilgnp.exe'],
    ['Zoë 👩‍🚀 Müller', 'Zoë 👩‍🚀 Müller'],
  ])('normalizes %j', (text, line) => {
    expect(singleLine(text)).toBe(line)
  })

  it('never splits a surrogate pair at the end', () => {
    expect(singleLine('aa👍', 3)).toBe('aa')
  })
})
