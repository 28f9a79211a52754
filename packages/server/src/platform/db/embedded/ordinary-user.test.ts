import { chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, type TestContext, test } from 'vitest'

import { type RunAs, runCommand } from './process/run-command.ts'
import { canEnter, machineUsers } from './process/system-user.ts'
import { copyPackage, disposeShared, isRoot, query, TestWorld } from './testing/test-support.ts'

let world: TestWorld
beforeEach(async () => {
  world = await TestWorld.create()
})
afterEach(() => world.dispose())
afterAll(disposeShared)

const LONG = { timeout: 60_000 }

/** Returns an ordinary user who can run Node, with their own folder. */
async function ordinaryUser({ skip }: TestContext): Promise<{ user: RunAs; home: string }> {
  if (!isRoot) skip('not root: all the other tests run as an ordinary user already')
  const user = await machineUsers.find('nobody')
  if (user === null) return skip('there is no user "nobody"')
  const { code } = await runCommand(process.execPath, ['--version'], user)
  if (code !== 0) skip('the user "nobody" may not run this Node')
  const home = join(world.root, 'home')
  await mkdir(home)
  await chown(home, user.uid, user.gid)
  return { user, home }
}

/** Returns surroundings with binaries readable by the user, wherever the checkout is. */
async function readableFor(user: RunAs) {
  const { npmBinaries } = world.surroundings
  if (npmBinaries !== null && (await canEnter(npmBinaries, user))) return world.surroundings
  return {
    ...world.surroundings,
    npmBinaries: await copyPackage(join(world.root, 'package'), { links: true }),
  }
}

test('the server runs as the user who starts it and is found again after kill -9', LONG, async (context) => {
  const { user, home } = await ordinaryUser(context)
  const surroundings = await readableFor(user)
  const folder = world.folder('home/data/postgres')
  const first = await world.spawn(folder, user, { surroundings })
  await query(await first.url(), 'create table kept as select 42 as number')
  const postmaster = await world.postmaster(folder)
  for (const path of [`/proc/${postmaster?.pid}`, folder, join(folder, 'data'), join(folder, 'run')])
    expect((await stat(path)).uid).toBe(user.uid)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(folder.startsWith(home)).toBe(true)
  await first.kill()

  const second = await world.spawn(folder, user, { surroundings })
  expect(await query(await second.url(), 'select number from kept')).toEqual([{ number: 42 }])
  expect(await world.postmaster(folder)).toEqual(postmaster)
  await second.stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('without install scripts and a cache, the copy is placed next to the data', LONG, async (context) => {
  const { user } = await ordinaryUser(context)
  const npmBinaries = await copyPackage(join(world.root, 'package'), { links: false })
  const surroundings = { ...world.surroundings, npmBinaries, machineBinaries: [] }
  const folder = world.folder('home/postgres')
  const child = await world.spawn(folder, user, { surroundings })
  expect(await query(await child.url(), 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(folder, 'binaries'))).uid).toBe(user.uid)
  await child.stop()
})

test('data of another user is rejected with instructions', LONG, async (context) => {
  const { user } = await ordinaryUser(context)
  const surroundings = await readableFor(user)
  const folder = world.folder('home/postgres')
  await mkdir(join(folder, 'data'), { recursive: true })
  await chown(folder, user.uid, user.gid)
  const child = await world.spawn(folder, user, { surroundings })
  await expect(child.url()).rejects.toThrow(/belongs to user id 0, but this process runs as \d+/)
})
