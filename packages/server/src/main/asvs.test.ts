import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** docs/ASVS.md covers every requirement of levels 1 and 2 and only names tests and sections that exist. */

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

/** A test named by a row: its file and the beginning of its title; `*` stands for every test in the file. */
interface Proof {
  readonly file: string
  readonly title: string
}

function proofsOf(row: Row): Proof[] {
  return [...row.evidence.matchAll(/`([^`]+\.(?:test|e2e)\.tsx?)`: (.+?)(?= · |\)|$)/g)].map(
    ([, file = '', title = '']) => ({ file, title }),
  )
}

/** Returns the documentation sections named by a row, as `docs/FILE.md#section`. */
function sectionsOf(row: Row): string[] {
  return [...row.evidence.matchAll(/docs\/[\w-]+\.md#[\w-]+/g)].map(([section]) => section)
}

function textOf({ file }: Proof): string {
  const isFromRoot = file.startsWith('packages/') || file.startsWith('e2e/')
  const path = `${root}${isFromRoot ? '' : 'packages/server/src/'}${file}`
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : ''
}

/** Returns the anchor that Markdown renderers generate for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

test('the table contains the 70 requirements of level 1 and the 183 of level 2 once each', () => {
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253)
})

describe('a row of the table', () => {
  test.each(rows.filter(({ state }) => state === 'met'))('$id is met and names its proof', (row) => {
    expect(proofsOf(row).length + sectionsOf(row).length).toBeGreaterThan(0)
  })

  test.each(rows.filter(({ state }) => state !== 'met'))('$id is $state and gives a reason', (row) => {
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
