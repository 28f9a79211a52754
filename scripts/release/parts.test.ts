import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pack } from './archive.mjs'
import { licenceOf } from './licences.mjs'
import { sbomOf } from './sbom.mjs'
import { temporaryFolder } from './testing.ts'

const date = new Date('2026-11-27T12:00:00Z')

test('archives of equal folders are equal, whenever and in whatever order the files were written', async () => {
  await using folder = await temporaryFolder()
  const archives: Buffer[] = []
  for (const [place, names] of [
    ['one', ['a', 'b', 'c']],
    ['two', ['c', 'a', 'b']],
  ] as const) {
    const content = join(folder.path, place, 'gatehouse')
    await mkdir(content, { recursive: true })
    for (const [index, name] of names.entries()) {
      await writeFile(join(content, name), `file ${name}\n`)
      await chmod(join(content, name), 0o644)
      await utimes(join(content, name), index, place.length * 1000 + index)
    }
    const archive = join(folder.path, `${place}.tar.gz`)
    await pack(content, archive, date)
    archives.push(await readFile(archive))
  }
  expect(archives[0]?.equals(archives[1] ?? Buffer.alloc(0))).toBe(true)
})

test.each([
  ['MIT', 'MIT'],
  ['(MIT OR GPL-2.0)', '(MIT OR GPL-2.0)'],
  ['MIT AND OFL-1.1', 'MIT AND OFL-1.1'],
])('accepts packages with the licence %s', (license, expression) => {
  expect(licenceOf({ name: 'example', license })).toBe(expression)
})

test.each([
  ['GPL-3.0-only', "example has the licence GPL-3.0-only, which isn't accepted."],
  ['MIT AND AGPL-3.0', "example has the licence MIT AND AGPL-3.0, which isn't accepted."],
  ['SEE LICENSE IN FILE', "example has the licence SEE LICENSE IN FILE, which isn't accepted."],
  [undefined, 'example states no licence.'],
])('refuses packages with the licence %s', (license, message) => {
  expect(() => licenceOf({ name: 'example', license })).toThrow(message)
})

test('corrects licences only as far as they were reviewed', () => {
  expect(licenceOf({ name: 'node-datachannel', license: 'MPL 2.0' })).toBe('MPL-2.0')
  expect(() => licenceOf({ name: 'node-datachannel', license: 'GPL' })).toThrow('GPL')
})

test('lists of the same components are equal, and differ with them', () => {
  const component = {
    name: '@example/part',
    version: '1.0.0',
    path: 'node_modules/@example/part',
    use: 'runtime' as const,
    integrity: 'sha512-AAAA',
    requires: [],
    licence: 'MIT',
  }
  const release = { version: '1.0.0', date, components: [component] }
  const list = sbomOf(release)
  expect(sbomOf(release)).toBe(list)
  expect(JSON.parse(list).components[0].purl).toBe('pkg:npm/%40example/part@1.0.0')
  const other = JSON.parse(sbomOf({ ...release, components: [{ ...component, version: '1.0.1' }] }))
  expect(other.serialNumber).not.toBe(JSON.parse(list).serialNumber)
  expect(other.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
