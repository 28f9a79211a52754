import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** The table in docs/OPENID-CONFORMANCE.md matches the tests exactly. */

const here = fileURLToPath(new URL('.', import.meta.url))
const page = readFileSync(new URL('../../../../../docs/OPENID-CONFORMANCE.md', import.meta.url), 'utf8')

interface Row {
  readonly check: string
  readonly state: string
  readonly file: string
}

const rows: readonly Row[] = [...page.matchAll(/^\| (oidcc-[\w-]+) \| (.*?) \| ?(.*?) ?\|$/gm)].map(
  ([, check = '', state = '', file = '']) => ({ check, state, file }),
)

/** Check names at the beginning of test titles, by file. */
const tests = new Map(
  readdirSync(here)
    .filter((name) => name.startsWith('conformance') && name !== 'conformance-table.test.ts')
    .map((name) => {
      const text = readFileSync(`${here}${name}`, 'utf8')
      const titles = [...text.matchAll(/(?:\btest\(|\[)\s*'(oidcc-[\w-]+)/g)]
      return [name, titles.map(([, title = '']) => title)]
    }),
)

test('the table contains the checks of the four plans', () => {
  expect(rows.length).toBeGreaterThan(45)
  expect(new Set(rows.map(({ check }) => check)).size).toBe(rows.length)
})

describe('a check of the table', () => {
  test.each(rows.filter(({ file }) => file !== ''))('$check is a test in $file', ({ check, state, file }) => {
    expect(tests.get(file)).toContain(check)
    expect(state).not.toContain('does not apply')
  })

  test.each(rows.filter(({ file }) => file === ''))('$check has none and gives a reason', ({ state }) => {
    expect(state).toMatch(/^does not apply: .{10,}/)
  })
})

test('every test with the name of a check is in the table', () => {
  const known = rows.map(({ check, file }) => `${file} ${check}`)
  const all = [...tests].flatMap(([file, checks]) => checks.map((check) => `${file} ${check}`))
  expect(all.filter((one) => !known.includes(one))).toEqual([])
})
