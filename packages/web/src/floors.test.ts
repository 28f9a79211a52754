import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = import.meta.dirname

/**
 * Rooms by floor, from the ground up. A room may only import from rooms on lower floors; see
 * docs/decisions/0071-web-floors.md.
 */
const floors = [
  ['state'],
  ['i18n'],
  ['router'],
  ['ui'],
  ['platform'],
  ['domain'],
  ['features'],
  ['app', 'companion-app'],
  ['main.tsx'],
]

const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)))

/** Production files; tests and test helpers may import from anywhere. Declarations apply to all floors. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(tsx?|css)$/.test(file) && !/\.test\.|\.test-data\.|\.d\.ts$/.test(file),
)

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

/** Returns the room of a file; each feature is its own room. */
function roomOf(file: string): string {
  const [first = '', second] = file.split('/')
  return first === 'features' ? `features/${second}` : first
}

function floorOfRoom(room: string): number | undefined {
  return floorOf.get(room.split('/')[0] ?? '')
}

/** Returns the imports that leave a room, including types. */
function arrowsOf(file: string): { from: string; to: string; text: string }[] {
  return [...readFileSync(join(source, file), 'utf8').matchAll(imported)].flatMap(([, target = '']) => {
    const path = relative(source, join(source, dirname(file), target))
    const [from, to] = [roomOf(file), roomOf(path)]
    return from === to ? [] : [{ from, to, text: `${file} imports ${path}` }]
  })
}

function leadsDown({ from, to }: { from: string; to: string }): boolean {
  return (floorOfRoom(to) ?? Number.POSITIVE_INFINITY) < (floorOfRoom(from) ?? -1)
}

const contract = join(source, '../../contract/src')

const valueImport = /^(?:import|export) (?!type )([^'"]*?) from '([^']+)'/gm

/** Returns the modules of which a file imports more than types. */
function valuesFrom(text: string): string[] {
  return [...text.matchAll(valueImport)].flatMap(([, names = '', module = '']) =>
    /^\{\s*(?:type \w+,?\s*)*\}$/.test(names) ? [] : [module],
  )
}

/** Whether a module of the contract has schemas, or imports one that has. */
function hasSchemas(path: string): boolean {
  return valuesFrom(readFileSync(path, 'utf8')).some(
    (module) => module === 'zod' || (module.startsWith('.') && hasSchemas(join(dirname(path), module))),
  )
}

describe('the floors of the web application', () => {
  test('contain every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => floorOfRoom(room) === undefined)).toEqual([])
  })

  test('only import downwards, and never from feature to feature', () => {
    const wrong = files.flatMap(arrowsOf).filter((arrow) => !leadsDown(arrow))
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  // Zod is large, and it tries eval, which browsers report as violations of the CSP.
  test('import only types of contract modules with schemas', () => {
    const wrong = files.flatMap((file) =>
      valuesFrom(readFileSync(join(source, file), 'utf8'))
        .filter((module) => module.startsWith('@gatehouse/contract/'))
        .map((module) => module.replace('@gatehouse/contract/', ''))
        .filter((module) => hasSchemas(join(contract, `${module}.ts`)))
        .map((module) => `${file} imports ${module}`),
    )
    expect(wrong).toEqual([])
  })
})
