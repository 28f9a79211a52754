import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

import { chooseUser } from './placement.ts'
import { identifyProcess } from './process/process-identity.ts'
import { disposeShared, killHard, namesIn, query, TestWorld, within30s } from './testing/test-support.ts'

let world: TestWorld
beforeEach(async () => {
  world = await TestWorld.create()
})
afterEach(() => world.dispose())
afterAll(disposeShared)

const LONG = { timeout: 60_000 }
const WRITE = 'create table kept as select 42 as number'
const READ = 'select number from kept'
const KEPT = [{ number: 42 }]

test('kill -9 of the parent: the server survives, is reused and then stopped', LONG, async () => {
  const folder = world.folder()
  const child = await world.spawn(folder)
  await query(await child.url(), WRITE)
  const before = await world.postmaster(folder)
  await child.kill()

  const server = await world.start(folder)
  expect(await world.postmaster(folder)).toEqual(before)
  expect(await query(server.url, READ)).toEqual(KEPT)
  await server.stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('kill -9 of PostgreSQL: recovers at the next start', LONG, async () => {
  const folder = world.folder()
  const broken = await world.start(folder, { durable: true })
  await query(broken.url, WRITE)
  await killHard(await world.postmaster(folder))
  expect(await namesIn(join(folder, 'data'))).toContain('postmaster.pid')

  const server = await world.start(folder, { durable: true })
  expect(await query(server.url, READ)).toEqual(KEPT)
  await broken.stop()
  expect(await query(server.url, READ)).toEqual(KEPT)
})

test('kill -9 of PostgreSQL during a statement', LONG, async () => {
  const folder = world.folder()
  const broken = await world.start(folder, { durable: true })
  await query(broken.url, WRITE)
  // A busy server process doesn't notice that its postmaster has died.
  const busy = query(broken.url, 'select count(*) from generate_series(1, 5000000) a')
  const lost = busy.catch((error: Error) => error)
  await within30s(async () => {
    const rows = await query(broken.url, "select 1 from pg_stat_activity where query like '%series%'")
    return rows.length > 1
  })
  await killHard(await world.postmaster(folder))

  const server = await world.start(folder, { durable: true })
  expect(await query(server.url, READ)).toEqual(KEPT)
  await lost
})

test(
  'kill -9 of PostgreSQL alone: it is available again at the same address within five seconds',
  LONG,
  async () => {
    const folder = world.folder()
    const server = await world.start(folder, { durable: true, isWatched: true })
    await query(server.url, WRITE)
    for (const _time of [1, 2]) {
      await killHard(await world.postmaster(folder))
      const killed = Date.now()
      await within30s(() =>
        query(server.url, READ).then(
          () => true,
          () => false,
        ),
      )
      expect(Date.now() - killed).toBeLessThan(5000)
      expect(await query(server.url, READ)).toEqual(KEPT)
    }
    await server.stop()
    expect(await world.postmaster(folder)).toBeNull()
  },
)

test('two processes that watch a server restart it once', LONG, async () => {
  const folder = world.folder()
  const one = await world.start(folder, { isWatched: true })
  const two = await world.start(folder, { isWatched: true })
  await killHard(await world.postmaster(folder))
  await within30s(() =>
    query(one.url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  const started = await world.postmaster(folder)
  await one.stop()
  expect(await world.postmaster(folder)).toEqual(started)
  await two.stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('a deliberately stopped server is not restarted', LONG, async () => {
  const folder = world.folder()
  const server = await world.start(folder, { isWatched: true })
  await server.stop()
  await (await world.start(folder)).stop()
  expect(await world.postmaster(folder)).toBeNull()
})

test('kill -9 of both', LONG, async () => {
  const folder = world.folder()
  const child = await world.spawn(folder, null, { durable: true })
  await query(await child.url(), WRITE)
  const postmaster = await world.postmaster(folder)
  await child.kill()
  await killHard(postmaster)

  const server = await world.start(folder, { durable: true })
  expect(await query(server.url, READ)).toEqual(KEPT)
})

test('kill -9 of the parent during initdb: starts over from scratch', LONG, async () => {
  const folder = world.folder()
  const child = await world.spawn(folder)
  await within30s(async () => {
    const unfinished = (await namesIn(folder)).find((name) => name.startsWith('data.unfinished-'))
    return unfinished !== undefined && (await namesIn(join(folder, unfinished))).includes('global')
  })
  await child.kill()
  expect(await namesIn(folder)).not.toContain('data')

  const server = await world.start(folder)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  // The orphaned initdb may outlive the first cleanup, but has ended at the next start.
  await world.start(folder)
  expect((await namesIn(folder)).filter((name) => name.startsWith('data'))).toEqual(['data'])
})

test('kill -9 of the parent during server start: joins the server when ready', LONG, async () => {
  const folder = world.folder()
  await (await world.start(folder)).stop()
  const child = await world.spawn(folder)
  await within30s(async () => (await world.postmaster(folder)) !== null)
  await child.kill()
  const server = await world.start(folder)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('postmaster.pid contains the id of an unrelated process', LONG, async () => {
  const folder = world.folder()
  const broken = await world.start(folder)
  await killHard(await world.postmaster(folder))
  const file = join(folder, 'data', 'postmaster.pid')
  // Of the same user, because PostgreSQL ignores processes it may not signal.
  const user = await chooseUser(folder)
  const stranger = spawn('sleep', ['600'], user ? { uid: user.uid, gid: user.gid } : {})
  try {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/^\d+/, String(stranger.pid)))
    const server = await world.start(folder)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await identifyProcess(stranger.pid ?? 0)).not.toBeNull()
    await server.stop()
    await broken.stop()
    expect(await identifyProcess(stranger.pid ?? 0)).not.toBeNull()
  } finally {
    stranger.kill('SIGKILL')
  }
})

test('files that are not a database are left alone', LONG, async () => {
  const folder = world.folder()
  await mkdir(join(folder, 'data'), { recursive: true })
  await writeFile(join(folder, 'data', 'photo.jpg'), 'precious')
  await expect(world.start(folder)).rejects.toThrow('no PG_VERSION')
  expect(await readFile(join(folder, 'data', 'photo.jpg'), 'utf8')).toBe('precious')
})

test('a server that fails to start reports the reason and its log file', LONG, async () => {
  const folder = world.folder()
  await (await world.start(folder)).stop()
  await writeFile(join(folder, 'data', 'postgresql.auto.conf'), "shared_buffers = 'plenty'\n")
  await expect(world.start(folder)).rejects.toThrow(/exited with code 1[\s\S]*postgres\.log[\s\S]*plenty/)
})
