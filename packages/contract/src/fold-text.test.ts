import { describe, expect, test } from 'vitest'
import { findFolded, foldText } from './fold-text.ts'

test.each([
  ['Müller', 'muller'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['Weiẞ', 'weiss'],
  ['Mu\u0308ller', 'muller'],
  ['Ærø Łódź', 'aero lodz'],
  ['Œuvre', 'oeuvre'],
  ['İstanbul ılık', 'istanbul ilik'],
  ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
  ['Ёлка', 'елка'],
  ['ﬁne ＡＢ', 'fine ab'],
  ['東京', '東京'],
  ['100%_\\', '100%_\\'],
  ['', ''],
])('%j is folded to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

describe('the matched part', () => {
  const marked = (text: string, part: string) => {
    const found = findFolded(text, part)
    return found && text.slice(found.start, found.end)
  }

  test.each([
    ['Anna Müller', 'muller', 'Müller'],
    ['Anna Mu\u0308ller', 'mu', 'Mu\u0308'],
    ['Hauptstraße 1', 'strasse', 'straße'],
    ['Straße', 'stras', 'Straß'],
    ['jane@acme.test', 'NE@ac', 'ne@ac'],
    ['Straße', 'straße', 'Straße'],
    ['𝕏 Muß', 'mus', 'Muß'],
  ])('of %j by %j is %j', (text, part, expected) => {
    expect(marked(text, part)).toBe(expected)
  })

  test.each([
    ['Anna', 'otto'],
    ['Anna', ''],
    ['Anna', '\u0301'],
  ])('is not in %j by %j', (text, part) => {
    expect(marked(text, part)).toBeUndefined()
  })
})
