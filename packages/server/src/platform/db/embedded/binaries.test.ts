import { mkdir, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findBinaries } from './binaries.ts'
import { machineSurroundings, versionFolders } from './surroundings.ts'
import { copyPackage, disposeShared, namesIn, query, TestWorld } from './testing/test-support.ts'

const LONG = { timeout: 60_000 }
const machine = await machineSurroundings()
const onMachine = await findBinaries({
  surroundings: { ...machine, npmBinaries: null },
  runAs: null,
  dataFolder: '',
  dataVersion: null,
  log: () => undefined,
}).catch(() => null)

describe('the selected binaries', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'gatehouse-binaries-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  /** Creates a program that only prints its version, or fails. */
  async function fake(name: string, says: string, code = 0): Promise<string> {
    const bin = join(root, name)
    await mkdir(bin, { recursive: true })
    for (const program of ['postgres', 'initdb'])
      await writeFile(join(bin, program), `#!/bin/sh\necho '${says}'\nexit ${code}\n`, { mode: 0o755 })
    return bin
  }
  const version = (number: string) => `postgres (PostgreSQL) ${number}`
  const find = (npm: string | null, machineBinaries: string[], dataVersion: string | null = null) =>
    findBinaries({
      surroundings: { npmBinaries: npm, machineBinaries, binaryCaches: [join(root, 'cache')] },
      runAs: null,
      dataFolder: '/data',
      dataVersion,
      log: () => undefined,
    })

  test('come from npm rather than from the machine', async () => {
    const bin = await fake('npm/bin', version('18.4'))
    const found = await find(join(root, 'npm'), [await fake('m', version('19.1'))])
    expect(found).toEqual({ bin, version: '18.4', major: 18 })
  })

  test("come from the machine in order of preference if npm's are missing", async () => {
    const wanted = await fake('second', version('17.2'))
    const found = await find(null, [join(root, 'absent'), wanted, await fake('third', version('16.1'))])
    expect(found).toEqual({ bin: wanted, version: '17.2', major: 17 })
  })

  test("come from the machine if npm's don't run, even as a copy", async () => {
    await fake('npm/native/bin', 'error while loading shared libraries', 127)
    await writeFile(join(root, 'npm', 'package.json'), '{"version":"1.2.3"}')
    const wanted = await fake('m', version('15.18 (Debian 15.18-0+deb12u1)'))
    expect(await find(join(root, 'npm', 'native'), [wanted])).toMatchObject({ bin: wanted, version: '15.18' })
    expect(await namesIn(join(root, 'cache'))).toEqual([
      `postgresql-1.2.3-${process.platform}-${process.arch}`,
    ])
  })

  test('are not older than 15, and the error names what was found', async () => {
    const old = await fake('old', version('14.20'))
    const broken = await fake('broken', 'cannot open libicu', 1)
    await expect(find(null, [old, broken])).rejects.toThrow(
      `${old}: version 14.20 is too old\n  ${broken}: does not run: cannot open libicu`,
    )
    await expect(find(null, [])).rejects.toThrow('nothing found')
  })

  test('match the version of existing data, otherwise the error names both versions', async () => {
    await fake('npm/bin', version('18.4'))
    const fifteen = await fake('m', version('15.18'))
    expect(await find(join(root, 'npm'), [fifteen], '15')).toMatchObject({ bin: fifteen })
    const refusal = find(join(root, 'npm'), [fifteen], '16')
    await expect(refusal).rejects.toThrow(/data was created by PostgreSQL 16.* is 18\.4 .* and 15\.18 /)
    expect(await namesIn(root)).not.toContain('cache')
  })

  test('are the newest of parallel installations, compared numerically', async () => {
    for (const name of ['9', '15', '16', 'common']) await mkdir(join(root, name))
    expect(await versionFolders(root, '')).toEqual(['16', '15', '9'].map((name) => join(root, name, 'bin')))
  })
})

describe('real binaries', () => {
  let world: TestWorld
  beforeEach(async () => {
    world = await TestWorld.create()
  })
  afterEach(() => world.dispose())
  afterAll(disposeShared)

  test('get their library links in a copy if installed without install scripts', LONG, async () => {
    const npmBinaries = await copyPackage(join(world.root, 'package'), { links: false })
    const surroundings = { ...world.surroundings, npmBinaries, machineBinaries: [] }
    const folder = world.folder()
    const first = await world.start(folder, { surroundings })
    expect(await query(first.url, "select 'ä' < 'b' collate \"und-x-icu\" as icu")).toEqual([{ icu: true }])
    await first.stop()

    const cache = surroundings.binaryCaches[0] ?? ''
    const [copy = ''] = await namesIn(cache)
    expect(await readlink(join(cache, copy, 'lib', 'libpq.so.5'))).toMatch(/^libpq\.so\.5\.\d+$/)
    const { ino } = await stat(join(cache, copy))
    await world.start(folder, { surroundings })
    expect(await namesIn(cache)).toEqual([copy])
    expect((await stat(join(cache, copy))).ino).toBe(ino)
  })

  test('have partial copies of killed processes removed, but not of running ones', LONG, async () => {
    const npmBinaries = await copyPackage(join(world.root, 'package'), { links: false })
    const surroundings = { ...world.surroundings, npmBinaries, machineBinaries: [] }
    const cache = surroundings.binaryCaches[0] ?? ''
    const manifest = join(npmBinaries, '..', 'package.json')
    await writeFile(manifest, '{"version":"1.0.0"}')
    const name = `postgresql-1.0.0-${process.platform}-${process.arch}`
    await mkdir(join(cache, `${name}.partial-${2 ** 22 + 1}-x`), { recursive: true })
    await mkdir(join(cache, `${name}.partial-${process.pid}-x`), { recursive: true })
    await world.start(world.folder(), { surroundings })
    expect((await namesIn(cache)).sort()).toEqual([name, `${name}.partial-${process.pid}-x`])
  })

  test.skipIf(onMachine === null)("of the machine are used if npm's are missing", LONG, async () => {
    const folder = world.folder()
    const surroundings = { ...world.surroundings, npmBinaries: null }
    const server = await world.start(folder, { surroundings })
    expect(await query(server.url, 'show server_version_num')).toEqual([
      { server_version_num: expect.stringMatching(new RegExp(`^${onMachine?.major}`)) },
    ])
    expect(await query(server.url, "select lower('ÄÖÉ') as small")).toEqual([{ small: 'äöé' }])
  })

  test('reject data of another major version', LONG, async () => {
    const folder = world.folder()
    await (await world.start(folder)).stop()
    await writeFile(join(folder, 'data', 'PG_VERSION'), '13\n')
    await expect(world.start(folder)).rejects.toThrow(/PostgreSQL 13, but the installed version is 18\./)
  })
})
