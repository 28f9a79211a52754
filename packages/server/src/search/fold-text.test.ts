import { displayDomain } from '@gatehouse/contract/canonical-address'
import { foldText } from '@gatehouse/contract/fold-text'
import { expect, test } from 'vitest'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

/**
 * All characters of European and Middle Eastern scripts and compatibility forms; a range per East Asian
 * script.
 */
function characters(): string[] {
  const ranges = [
    [0x20, 0x58f],
    [0x5d0, 0x6ff],
    [0x900, 0x97f],
    [0x1e00, 0x20cf],
    [0x2100, 0x218f],
    [0x3041, 0x30ff],
    [0x4e00, 0x4eff],
    [0xac00, 0xacff],
    [0xf900, 0xf9ff],
    [0xfb00, 0xfb4f],
    [0xff01, 0xffee],
    [0x1d400, 0x1d4ff],
  ] as const
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)),
  )
}

test('the database folds every character like the application does', async () => {
  const { rows } = await app().database.pool.query<{ text: string; folded: string }>(
    'select text, fold_text(text) as folded from unnest($1::text[]) text',
    [characters()],
  )
  expect(rows.length).toBeGreaterThan(4000)
  expect(rows.filter(({ text, folded }) => folded !== foldText(text))).toEqual([])
})

test.each(['Anna MÜLLER-Straße', 'ΟΔΟΣ', 'ÅNGSTRÖM Łódź', '𝕏éΣ', 'plain'])(
  'the database folds %j like the application does',
  async (text) => {
    const { rows } = await app().database.pool.query('select fold_text($1) as folded', [text])
    expect(rows).toEqual([{ folded: foldText(text) }])
  },
)

test.each([
  'acme.test',
  'xn--mller-kva.ch',
  'www.xn--strae-oqa.example',
  'xn--bcher-kva.xn--p1ai',
  'xn--fiqs8s.test',
  'xn--e1afmkfd.xn--80akhbyknj4f',
])('the database decodes the domain %s like the application does', async (name) => {
  const { rows } = await app().database.pool.query('select readable_domain($1) as readable', [name])
  expect(rows).toEqual([{ readable: displayDomain(name) }])
})

test.each(['xn--', 'xn--!', 'xn--999999999999', 'xn--a-b-c-', 'a..b', ''])(
  'invalid Punycode %j is not an error',
  async (name) => {
    const { rows } = await app().database.pool.query<{ readable: string }>(
      'select readable_domain($1) as readable',
      [name],
    )
    expect(typeof rows[0]?.readable).toBe('string')
  },
)
