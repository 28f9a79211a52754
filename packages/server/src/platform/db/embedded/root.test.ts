import { chmod, cp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'

import { readLocation } from './placement.ts'
import { isAlive } from './process/process-identity.ts'
import { chooseSystemUser } from './process/system-user.ts'
import {
  copyPackage,
  disposeShared,
  isRoot,
  killHard,
  namesIn,
  query,
  TestWorld,
} from './testing/test-support.ts'

const LONG = { timeout: 60_000 }
const WRITE = 'create table kept as select 42 as number'
const READ = 'select number from kept'
const KEPT = [{ number: 42 }]

afterAll(disposeShared)

// An ordinary user can't become another one, so none of this applies.
describe.skipIf(!isRoot)('as root', () => {
  let world: TestWorld
  const enter = async (open: boolean) => {
    world = await TestWorld.create(open)
  }
  afterEach(() => world.dispose())

  describe('below accessible folders', () => {
    beforeEach(() => enter(true))

    test('the server runs as another user, who owns only its data', LONG, async () => {
      const user = await chooseSystemUser()
      const folder = world.folder()
      const { url } = await world.start(folder)
      const postmaster = await world.postmaster(folder)
      expect((await stat(`/proc/${postmaster?.pid}`)).uid).toBe(user.uid)
      for (const name of ['data', 'run']) expect((await stat(join(folder, name))).uid).toBe(user.uid)
      for (const name of ['.', 'users', 'lock', 'postgres.log', 'gatehouse.conf'])
        expect((await stat(join(folder, name))).uid).toBe(0)
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(await namesIn(folder)).not.toContain('location.json')
    })

    test('the data folder may be private: it is ours and is made traversable', LONG, async () => {
      const folder = world.folder()
      await (await world.start(folder)).stop()
      await chmod(folder, 0o700)
      await world.start(folder)
      expect((await stat(folder)).mode & 0o777).toBe(0o711)
    })

    test('existing data is served as its owner', LONG, async () => {
      const folder = world.folder()
      await (await world.start(folder)).stop()
      const { uid } = await stat(join(folder, 'data'))
      await world.start(folder)
      const postmaster = await world.postmaster(folder)
      expect((await stat(`/proc/${postmaster?.pid}`)).uid).toBe(uid)
    })

    test('a folder that became inaccessible later is rejected with instructions', LONG, async () => {
      const folder = world.folder()
      await (await world.start(folder)).stop()
      await chmod(world.root, 0o700)
      await expect(world.start(folder)).rejects.toThrow('chmod o+x')
    })

    test('binaries below an inaccessible folder are copied once', LONG, async () => {
      const closed = join(world.root, 'checkout')
      const npmBinaries = await copyPackage(closed, { links: true })
      await chmod(closed, 0o700)
      const surroundings = { ...world.surroundings, npmBinaries, machineBinaries: [] }
      const server = await world.start(world.folder(), { surroundings })
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(await namesIn(surroundings.binaryCaches[0] ?? '')).toHaveLength(1)
    })
  })

  describe('below an inaccessible folder', () => {
    beforeEach(() => enter(false))

    test('the data is placed elsewhere, the folder records it, and later starts find it', LONG, async () => {
      const folder = world.folder()
      const first = await world.start(folder, { durable: true })
      await query(first.url, WRITE)
      const { place = '' } = await readLocation(folder)
      expect(place).toMatch(/\/[0-9a-f]{16}$/)
      expect(place.startsWith(world.surroundings.sharedData)).toBe(true)
      expect((await namesIn(place)).sort()).toEqual(['belongs-to.json', 'data', 'gatehouse.conf', 'run'])
      expect(await namesIn(folder)).not.toContain('data')
      await killHard(await world.postmaster(folder))

      const second = await world.start(folder, { durable: true })
      expect(await query(second.url, READ)).toEqual(KEPT)
      expect((await readLocation(folder)).place).toBe(place)
      await first.stop()
      await second.stop()
      expect(await world.postmaster(folder)).toBeNull()
    })

    test('a moved folder keeps its data, and a copied one is rejected', LONG, async () => {
      const folder = world.folder()
      const first = await world.start(folder)
      await query(first.url, WRITE)
      await first.stop()
      const moved = world.folder('moved')
      await rename(folder, moved)
      const second = await world.start(moved)
      expect(await query(second.url, READ)).toEqual(KEPT)
      await second.stop()

      const copied = world.folder('copied')
      await cp(moved, copied, { recursive: true })
      await expect(world.start(copied)).rejects.toThrow(`${copied} is a copy of ${moved}`)
      await rm(join(copied, 'location.json'))
      const fresh = await world.start(copied)
      await expect(query(fresh.url, READ)).rejects.toThrow('does not exist')
    })

    test('a recreated folder starts empty; old data is moved away and its server ended', LONG, async () => {
      const folder = world.folder()
      const child = await world.spawn(folder)
      await query(await child.url(), WRITE)
      const orphan = await world.postmaster(folder)
      await child.kill()
      await rm(folder, { recursive: true })

      const fresh = await world.start(folder)
      await expect(query(fresh.url, READ)).rejects.toThrow('does not exist')
      expect(await world.postmaster(folder)).not.toEqual(orphan)
      if (orphan === null) throw new Error('the killed process left no server')
      expect(await isAlive(orphan)).toBe(false)
      const { place = '' } = await readLocation(folder)
      expect(await namesIn(`${place}.previous`)).toContain('data')
    })

    test('missing data is not replaced by an empty database', LONG, async () => {
      const folder = world.folder()
      await (await world.start(folder)).stop()
      await rm((await readLocation(folder)).place ?? '', { recursive: true })
      await expect(world.start(folder)).rejects.toThrow('which no longer exists')
    })
  })
})
