import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** docs/ASVS.md names tests and sections that exist, and every requirement of levels 1 and 2. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(`${root}docs/ASVS.md`, 'utf8')

interface Row {
  readonly id: string
  readonly level: string
  readonly state: string
  readonly evidence: string
}

const rows: readonly Row[] = [
  ...page.matchAll(/^\| (\d+\.\d+\.\d+) [^|]+ \| ([12]) \| ([\w/]+) \| (.+) \|$/gm),
].map(([, id = '', level = '', state = '', evidence = '']) => ({ id, level, state, evidence }))

/** A test that a row names: its file and the beginning of its title; `*` stands for every test of the file. */
interface Proof {
  readonly file: string
  readonly title: string
}

function proofsOf(row: Row): Proof[] {
  return [...row.evidence.matchAll(/`([^`]+\.(?:test|e2e)\.tsx?)`: (.+?)(?= · |\)|$)/g)].map(
    ([, file = '', title = '']) => ({ file, title }),
  )
}

/** Sections of the documentation that a row names, as `docs/FILE.md#section`. */
function sectionsOf(row: Row): string[] {
  return [...row.evidence.matchAll(/docs\/[\w-]+\.md#[\w-]+/g)].map(([section]) => section)
}

function textOf({ file }: Proof): string {
  const isFromRoot = file.startsWith('packages/') || file.startsWith('e2e/')
  const path = `${root}${isFromRoot ? '' : 'packages/server/src/'}${file}`
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : ''
}

/** The anchor that a heading has where Markdown is rendered. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

test('the table has the 70 requirements of level 1 and the 183 of level 2, each once', () => {
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253)
})

describe('a row of the table', () => {
  test.each(rows.filter(({ state }) => state === 'met'))('$id is met, and says by what', (row) => {
    expect(proofsOf(row).length + sectionsOf(row).length).toBeGreaterThan(0)
  })

  test.each(rows.filter(({ state }) => state !== 'met'))('$id is $state, and says why', (row) => {
    expect(['n/a', 'open', 'operator']).toContain(row.state)
    expect(row.evidence).toMatch(/^.{6,}/)
  })
})

test.each(rows.flatMap((row) => proofsOf(row).map((proof) => ({ id: row.id, ...proof }))))(
  '$id names a test that exists: $file',
  (proof) => {
    const text = textOf(proof)
    expect(text).toMatch(/\b(test|it)\b/)
    if (proof.title !== '*') expect(text).toContain(proof.title)
  },
)

test.each(rows.flatMap((row) => sectionsOf(row).map((section) => ({ id: row.id, section }))))(
  '$id names a section that exists: $section',
  ({ section }) => {
    const [file = '', anchor] = section.split('#')
    const headings = readFileSync(`${root}${file}`, 'utf8').matchAll(/^#+ (.+)$/gm)
    expect([...headings].map(([, heading = '']) => anchorOf(heading))).toContain(anchor)
  },
)
