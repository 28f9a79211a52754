import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

const sources = [
  'e2e',
  'bench',
  'deploy/mail',
  ...['contract', 'media', 'server', 'web'].map((name) => `packages/${name}/src`),
]

const files = sources.flatMap((source) =>
  readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    .map((file) => `${source}/${file}`)
    .filter((file) => /\.(ts|tsx|css|sql)$/.test(file) && !file.includes('/node_modules/')),
)

/** Data folders whose files are looked up by name. */
const lookedUp: Readonly<Record<string, string>> = {
  'packages/server/src/operator/schema/migrations': 'a migration each, in the order in which they ran',
  'packages/server/src/platform/i18n/messages': 'an area and a language each',
  'packages/web/src/i18n/messages': 'an area and a language each',
}

/** Files over the limit, with the reason. */
const long: Readonly<Record<string, string>> = {
  'packages/server/src/meetings/signalling/signalling.test.ts': 'the protocol, message by message',
  'packages/server/src/platform/db/tables.ts': 'generated',
}

const isTest = (file: string) => /\.(test|e2e|test-data)\.tsx?$/.test(file)

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1
}

describe('the code base', () => {
  test('has at most 25 files in a folder', () => {
    const counts = new Map<string, number>()
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    const crowded = [...counts].filter(([folder, count]) => count > 25 && !(folder in lookedUp))
    expect(crowded.map(([folder, count]) => `${folder}: ${count}`)).toEqual([])
  })

  test('has no source file over 400 lines and no test over 500, except with a reason', () => {
    const tooLong = files.filter((file) => linesOf(file) > (isTest(file) ? 500 : 400))
    expect(tooLong.sort()).toEqual(Object.keys(long).sort())
  })

  test('adds rooms in a composition of at most 150 lines', () => {
    expect(linesOf('packages/server/src/main/compose.ts')).toBeLessThanOrEqual(150)
  })

  test('adds each room in its own scope', () => {
    const composition = readFileSync(join(root, 'packages/server/src/main/compose.ts'), 'utf8')
    expect(composition.match(/\baddRoom\(ground, (?:add|serve)\w+/g)?.length).toBeGreaterThan(15)
    // the pages answer everything that no room does
    expect(composition.match(/\b(?:add|serve)(?!Room)\w+\(/g)).toEqual(['addPages('])
  })

  describe('has a manifest for each room, which', () => {
    const source = join(root, 'packages/server/src')
    const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
    const server = files.filter((file) => file.startsWith('packages/server/src/') && !isTest(file))
    const roomOf = (file: string) => file.split('/')[3] ?? ''
    const manifestOf = (room: string) => `packages/server/src/${room}/manifest.ts`

    test('is listed in rooms.ts', () => {
      const manifests = readdirSync(source).filter((room) => server.includes(manifestOf(room)))
      expect(manifests.length).toBeGreaterThan(10)
      const list = textOf('packages/server/src/main/rooms.ts')
      expect(manifests.filter((room) => !list.includes(`from '../${room}/manifest.ts'`))).toEqual([])
    })

    test.each([
      ['settings', /^export const (\w+Settings) = \{/gm, 15],
      ['commands', /^export const (\w+Commands?): /gm, 25],
      ['health checks', /^export const (\w+): (?:readonly )?HealthCheck\b/gm, 2],
    ])('names the %s of the room', (_what, declaration, least) => {
      const declared = server
        // commands about settings run without a room
        .filter((file) => roomOf(file) !== 'main')
        .flatMap((file) => [...textOf(file).matchAll(declaration)].map(([, name = '']) => ({ file, name })))
      expect(declared.length).toBeGreaterThanOrEqual(least)
      // settings may be part of others
      const forgotten = declared.filter(
        ({ file, name }) =>
          !new RegExp(`\\b${name}\\b`).test(textOf(manifestOf(roomOf(file)))) &&
          !server.some((other) => roomOf(other) === roomOf(file) && textOf(other).includes(`...${name},`)),
      )
      expect(forgotten).toEqual([])
    })
  })

  test("serves a room's routes only from its plugin or inside the room", () => {
    const server = files.filter((file) => file.startsWith('packages/server/src/') && !isTest(file))
    const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
    const roomOf = (file: string) => file.split('/')[3]
    const served = server
      .filter((file) => file.endsWith('routes.ts'))
      .flatMap((file) =>
        [...textOf(file).matchAll(/^export (?:async )?function (serve\w+)/gm)].map(([, name = '']) => ({
          name,
          room: roomOf(file),
        })),
      )
    expect(served.length).toBeGreaterThan(40)
    const uses = server.flatMap((file) => {
      const called = new Set([...textOf(file).matchAll(/\b(serve\w+)\(/g)].map(([, name]) => name))
      return served.filter(({ name }) => called.has(name)).map(({ name, room }) => ({ file, name, room }))
    })
    const inPlugins = new Set(uses.filter(({ file }) => file.endsWith('/plugin.ts')).map(({ name }) => name))
    expect(inPlugins.size).toBeGreaterThan(40)
    expect(uses.filter(({ file }) => roomOf(file) === 'main')).toEqual([])
    expect(uses.filter(({ file, room }) => file.endsWith('/plugin.ts') && roomOf(file) !== room)).toEqual([])
  })
})
