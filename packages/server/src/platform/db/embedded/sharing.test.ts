import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

import { disposeShared, namesIn, query, TestWorld } from './testing/test-support.ts'

let world: TestWorld
beforeEach(async () => {
  world = await TestWorld.create()
})
afterEach(() => world.dispose())
afterAll(disposeShared)

const LONG = { timeout: 60_000 }
const ONE = [{ one: 1 }]

test('two processes started concurrently on a new folder share one server', LONG, async () => {
  const folder = world.folder()
  const first = await world.spawn(folder)
  const second = await world.spawn(folder)
  const urls = await Promise.all([first.url(), second.url()])
  expect(urls[0]).toBe(urls[1])
  expect(await query(urls[0], 'select 1 as one')).toEqual(ONE)
  expect(await namesIn(join(folder, 'users'))).toHaveLength(2)

  const postmaster = await world.postmaster(folder)
  await first.stop()
  expect(await world.postmaster(folder)).toEqual(postmaster)
  expect(await query(urls[1], 'select 1 as one')).toEqual(ONE)
  await second.stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('one process may use a server several times', LONG, async () => {
  const folder = world.folder()
  const servers = await Promise.all([world.start(folder), world.start(folder), world.start(folder)])
  const [first, second, third] = servers
  await Promise.all([first.stop(), second.stop()])
  expect(await query(third.url, 'select 1 as one')).toEqual(ONE)
  await third.stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('a killed process does not count as a user', LONG, async () => {
  const folder = world.folder()
  const child = await world.spawn(folder)
  await child.url()
  const server = await world.start(folder)
  await child.kill()
  await server.stop()
  expect(await world.postmaster(folder)).toBeNull()
  expect(await namesIn(join(folder, 'users'))).toEqual([])
})

test('a start during the last stop gets a working server', LONG, async () => {
  const folder = world.folder()
  const first = await world.start(folder)
  const [, second] = await Promise.all([first.stop(), world.start(folder)])
  expect(await query(second.url, 'select 1 as one')).toEqual(ONE)
})
