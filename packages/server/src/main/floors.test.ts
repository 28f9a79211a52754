import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

/** The rooms of each floor, bottom up. A room imports only from lower floors. */
const floors = [
  ['platform'],
  ['tenants', 'users', 'sessions', 'passwords'],
  ['billing', 'subscriptions', 'provisioning'],
  [
    'directory',
    'files',
    'meetings',
    'mailflow',
    'mail-access',
    'mail-filters',
    'mail-import',
    'oauth',
    'signup',
    'content',
    'webhooks',
  ],
  [
    'operator',
    'staff',
    'automation',
    'bulk',
    'account-lifecycle',
    'search',
    'overview',
    'scim',
    'data-export',
  ],
  ['main'],
]

/** Allowed imports between rooms of the same floor; see docs/decisions/0019-floors.md. */
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
  'operator → scim',
  'operator → data-export',
  'scim → account-lifecycle',
])

const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)))

/** Production files. Tests and test utilities may import from anywhere. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\/|\/testing\/|\/simulation\//.test(file),
)

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

function roomOf(file: string): string {
  return file.split('/')[0] ?? ''
}

/** Returns the imports that leave a room, including types. */
function arrowsOf(file: string): { arrow: string; text: string }[] {
  return [...readFileSync(join(source, file), 'utf8').matchAll(imported)].flatMap(([, target = '']) => {
    const to = relative(source, join(source, dirname(file), target))
    const [here, there] = [roomOf(file), roomOf(to)]
    // the root's manifest states the version
    return here === there || to === '../../../package.json'
      ? []
      : [{ arrow: `${here} → ${there}`, text: `${file} imports ${to}` }]
  })
}

function leadsDown(arrow: string): boolean {
  const [from = -1, to = Number.POSITIVE_INFINITY] = arrow.split(' → ').map((room) => floorOf.get(room))
  return to < from || sameFloor.has(arrow)
}

describe('the floors of the server', () => {
  test('contain every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !floorOf.has(room))).toEqual([])
  })

  test('have imports only downwards or between the listed pairs', () => {
    const wrong = files.flatMap(arrowsOf).filter(({ arrow }) => !leadsDown(arrow))
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  test('have no cycles among the pairs of a floor', () => {
    const pairs = [...sameFloor].map((pair) => pair.split(' → '))
    const reachable = (room: string, seen: readonly string[]): boolean =>
      pairs.some(([from, to = '']) => from === room && (seen.includes(to) || reachable(to, [...seen, to])))
    expect([...floorOf.keys()].filter((room) => reachable(room, [room]))).toEqual([])
  })
})

const statement = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`]*>)?`|\.query\(/

const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Removes comments and string literals from SQL. */
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

  test('are used only by schemas of rooms above, apart from foreign keys', () => {
    expect(tables.size).toBeGreaterThan(80)
    // a column has "references wallets", one added by a higher room has "add foreign key"
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
  test('contain SQL only in stores', () => {
    const isStore = (file: string) => /(?:^|[/-])store\.ts$/.test(file)
    // proves that the pattern matches statements
    expect(files.filter((file) => isStore(file) && statement.test(textOf(file))).length).toBeGreaterThan(100)
    // the database connection and the migration runner are the database itself; tables are defined in SQL files,
    // and only a migration that SQL can't express is code
    const others = files.filter(
      (file) => !isStore(file) && !/^platform\/db\/|^operator\/schema\/migrations\//.test(file),
    )
    expect(others.filter((file) => statement.test(textOf(file)))).toEqual([])
  })

  test('have no transactions in routes', () => {
    const routes = files.filter((file) => file.endsWith('routes.ts'))
    expect(routes.length).toBeGreaterThan(20)
    expect(routes.filter((file) => /\.transaction\(\)/.test(textOf(file)))).toEqual([])
  })
})
