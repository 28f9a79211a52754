import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

/** The rooms of each floor, from the ground up. A room imports rooms of lower floors only. */
const floors = [
  ['platform'],
  ['tenants', 'users', 'sessions', 'passwords'],
  ['billing', 'subscriptions', 'provisioning'],
  ['directory', 'files', 'meetings', 'mailflow', 'mail-access', 'oauth', 'signup', 'content'],
  ['operator', 'staff', 'automation', 'bulk', 'account-lifecycle', 'search', 'overview'],
  ['main'],
]

/** Arrows between rooms of one floor; docs/decisions/0019-floors.md says why. */
const sameFloor = new Set([
  'passwords → users',
  'sessions → passwords',
  'sessions → users',
  'tenants → users',
  'billing → subscriptions',
  'signup → oauth',
  'mailflow → directory',
  'account-lifecycle → automation',
  'bulk → account-lifecycle',
  'staff → account-lifecycle',
  'staff → bulk',
  'operator → account-lifecycle',
  'operator → bulk',
  'operator → staff',
  'overview → operator',
  'overview → staff',
])

const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)))

/** Production files; tests and what only tests use may import from anywhere. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\/|\/testing\/|\/simulation\//.test(file),
)

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

function roomOf(file: string): string {
  return file.split('/')[0] ?? ''
}

/** Imports that lead out of a room, types included. */
function arrowsOf(file: string): { arrow: string; text: string }[] {
  return [...readFileSync(join(source, file), 'utf8').matchAll(imported)].flatMap(([, target = '']) => {
    const to = relative(source, join(source, dirname(file), target))
    const [here, there] = [roomOf(file), roomOf(to)]
    return here === there ? [] : [{ arrow: `${here} → ${there}`, text: `${file} imports ${to}` }]
  })
}

function leadsDown(arrow: string): boolean {
  const [from = -1, to = Number.POSITIVE_INFINITY] = arrow.split(' → ').map((room) => floorOf.get(room))
  return to < from || sameFloor.has(arrow)
}

describe('the floors of the server', () => {
  test('hold every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !floorOf.has(room))).toEqual([])
  })

  test('have imports that lead down, or along one of the named pairs', () => {
    const wrong = files.flatMap(arrowsOf).filter(({ arrow }) => !leadsDown(arrow))
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  test('have no circle among the pairs of one floor', () => {
    const pairs = [...sameFloor].map((pair) => pair.split(' → '))
    const reachable = (room: string, seen: readonly string[]): boolean =>
      pairs.some(([from, to = '']) => from === room && (seen.includes(to) || reachable(to, [...seen, to])))
    expect([...floorOf.keys()].filter((room) => reachable(room, [room]))).toEqual([])
  })
})

const statement = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`]*>)?`|\.query\(/

const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** SQL without comments and string literals. */
const withoutTexts = (text: string) => text.replace(/--.*/g, '').replace(/'[^']*'/g, "''")

describe('the tables of the rooms', () => {
  const schemas = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql') && !file.includes('/migrations/'))
    .map((file) => ({ file, room: roomOf(file), text: withoutTexts(textOf(file)) }))
  const tables = new Map(
    schemas.flatMap(({ room, text }) =>
      [...text.matchAll(/^create (?:table|view) (\w+)/gm)].map(([, name = '']) => [name, room] as const),
    ),
  )

  test('are used by schemas of the rooms above only, apart from foreign keys', () => {
    expect(tables.size).toBeGreaterThan(80)
    // a column says "references wallets", and one that an upper room adds "add foreign key"
    const withoutKeys = (text: string) =>
      text.replace(/\breferences \w+/g, '').replace(/^alter table \w+ add foreign key.*/gm, '')
    const wrong = schemas.flatMap(({ file, room, text }) =>
      [...new Set(withoutKeys(text).match(/\b[a-z_0-9]+\b/g))].flatMap((word) => {
        const owner = tables.get(word)
        return owner === undefined || owner === room || leadsDown(`${room} → ${owner}`)
          ? []
          : [`${file}: ${word}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('the files of a room', () => {
  test('have SQL in stores only', () => {
    const isStore = (file: string) => /(?:^|[/-])store\.ts$/.test(file)
    // proves that the pattern finds statements at all
    expect(files.filter((file) => isStore(file) && statement.test(textOf(file))).length).toBeGreaterThan(100)
    // the connection to the database and what records its migrations are the database, not a use of it; the tables are in
    // files of SQL, and only a migration that SQL can't do is code
    const others = files.filter(
      (file) => !isStore(file) && !/^platform\/db\/|^operator\/schema\/migrations\//.test(file),
    )
    expect(others.filter((file) => statement.test(textOf(file)))).toEqual([])
  })

  test('have no transaction in a route', () => {
    const routes = files.filter((file) => file.endsWith('routes.ts'))
    expect(routes.length).toBeGreaterThan(20)
    expect(routes.filter((file) => /\.transaction\(\)/.test(textOf(file)))).toEqual([])
  })
})
