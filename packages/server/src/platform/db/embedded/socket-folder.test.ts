import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

import { readLocation } from './placement.ts'
import { fitsSocket, LONGEST_SOCKET_PATH } from './socket-folder.ts'
import { disposeShared, killHard, namesIn, query, TestWorld } from './testing/test-support.ts'

let world: TestWorld
beforeEach(async () => {
  world = await TestWorld.create()
})
afterEach(() => world.dispose())
afterAll(disposeShared)

const LONG = { timeout: 60_000 }
const DEEP = `${'deep/'.repeat(25)}postgres`

test('the path limit is counted in bytes, inclusive', () => {
  const room = LONGEST_SOCKET_PATH - '/.s.PGSQL.5432'.length - 1
  expect(fitsSocket(`/${'a'.repeat(room)}`)).toBe(true)
  expect(fitsSocket(`/${'a'.repeat(room + 1)}`)).toBe(false)
  expect(fitsSocket(`/${'ä'.repeat(room)}`)).toBe(false)
})

test('PostgreSQL accepts the longest path considered to fit', LONG, async () => {
  const room = LONGEST_SOCKET_PATH - join(world.root, 'x', 'run', '.s.PGSQL.5432').length + 1
  const folder = world.folder('p'.repeat(room))
  const server = await world.start(folder)
  expect(server.url).toContain(`host=${join(folder, 'run')}&`)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a deep folder has its socket in a short private one, which is recorded and reused', LONG, async () => {
  const folder = world.folder(DEEP)
  const first = await world.start(folder)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const { sockets = '', place } = await readLocation(folder)
  expect(place).toBeUndefined()
  expect(first.url).toContain(`host=${sockets}&`)
  const { mode, uid } = await lstat(sockets)
  expect(mode & 0o777).toBe(0o700)
  expect(uid).toBe((await lstat(join(folder, 'data'))).uid)
  expect(world.surroundings.temporary).toContain(dirname(sockets))

  await killHard(await world.postmaster(folder))
  const second = await world.start(folder)
  expect(second.url).toBe(first.url)
  await first.stop()
  await second.stop()
  expect(await namesIn(dirname(sockets))).not.toContain(sockets.slice(dirname(sockets).length + 1))

  const third = await world.start(folder)
  expect(third.url).toBe(first.url)
})

test('a folder replaced by another user is not used', LONG, async () => {
  const folder = world.folder(DEEP)
  await (await world.start(folder)).stop()
  const { sockets = '' } = await readLocation(folder)
  await mkdir(sockets)
  await chmod(sockets, 0o777)
  try {
    const server = await world.start(folder)
    expect(server.url).not.toContain(sockets)
    expect((await readLocation(folder)).sockets).not.toBe(sockets)
  } finally {
    await rm(sockets, { recursive: true })
  }
})

test('the error explains what to do if there is no short folder either', LONG, async () => {
  const temporary = [join(world.root, 'x'.repeat(100))]
  const surroundings = { ...world.surroundings, temporary }
  await expect(world.start(world.folder(DEEP), { surroundings })).rejects.toThrow('set TMPDIR')
})
