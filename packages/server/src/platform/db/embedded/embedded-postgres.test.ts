import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findBinaries } from './binaries.ts'
import { initialiseCluster } from './cluster.ts'
import { chooseUser } from './placement.ts'
import { isAlive } from './process/process-identity.ts'
import { disposeShared, namesIn, query, TestWorld } from './testing/test-support.ts'

let world: TestWorld
beforeEach(async () => {
  world = await TestWorld.create()
})
afterEach(() => world.dispose())
afterAll(disposeShared)

const LONG = { timeout: 60_000 }

/** Measures the duration of an action, excluding the cleanup it returns. */
async function milliseconds(action: () => Promise<() => Promise<void>>): Promise<number> {
  const begin = performance.now()
  const cleanUp = await action()
  const taken = performance.now() - begin
  await cleanUp()
  return taken
}

/** The lower bound for a first start. */
async function bareInitdb(root: string): Promise<() => Promise<void>> {
  const place = await mkdtemp(join(root, 'bare-'))
  await chmod(place, 0o755)
  const runAs = await chooseUser(place)
  const binaries = await findBinaries({
    surroundings: world.surroundings,
    runAs,
    dataFolder: place,
    dataVersion: null,
    log: () => undefined,
  })
  await initialiseCluster({ place, binaries, runAs, durable: true })
  return () => rm(place, { recursive: true })
}

describe('first and later starts', () => {
  test('create data, serve it, and serve it again', LONG, async () => {
    const folder = world.folder()
    const first = await world.start(folder)
    await query(first.url, 'create table kept (word text); insert into kept values ($$Grüße$$)')
    await first.stop()

    const second = await world.start(folder)
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'Grüße' }])
    expect(second.url).toBe(first.url)
  })

  test('are durable if requested, and fast otherwise', LONG, async () => {
    const asked = "select string_agg(name || '=' || setting, ' ' order by name) as settings from pg_settings"
    const which = "where name in ('fsync', 'full_page_writes', 'synchronous_commit')"
    const durable = await world.start(world.folder('durable'), { durable: true })
    expect(await query(durable.url, `${asked} ${which}`)).toEqual([
      { settings: 'fsync=on full_page_writes=on synchronous_commit=on' },
    ])
    const quick = await world.start(world.folder('quick'))
    expect(await query(quick.url, `${asked} ${which}`)).toEqual([
      { settings: 'fsync=off full_page_writes=off synchronous_commit=off' },
    ])
  })

  test('make a running server durable if a second user requires it', LONG, async () => {
    const folder = world.folder()
    await world.start(folder)
    const durable = await world.start(folder, { durable: true })
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    const quick = await world.start(folder)
    expect(await query(quick.url, 'show fsync')).toEqual([{ fsync: 'on' }])
  })

  // The best of several runs, relative to initdb's duration at the same time on a busy machine.
  test('take at most 1.5 s for the first and 0.5 s for later ones', LONG, async () => {
    const first: number[] = []
    const later: number[] = []
    const initdbAlone: number[] = []
    for (const name of ['one', 'two', 'three']) {
      for (const times of [first, later])
        times.push(
          await milliseconds(async () => {
            const server = await world.start(world.folder(name), { durable: true })
            return () => server.stop()
          }),
        )
      initdbAlone.push(await milliseconds(() => bareInitdb(world.root)))
    }
    const alone = Math.min(...initdbAlone)
    expect(Math.min(...first)).toBeLessThan(Math.max(1500, alone * 2))
    expect(Math.min(...later)).toBeLessThan(Math.max(500, alone * 0.7))
  })

  test('create each database once, support several, and reject unusual names', LONG, async () => {
    const folder = world.folder()
    const first = await world.start(folder, { database: 'Test-1.x_y' })
    await query(first.url, 'create table here ()')
    const again = await world.start(folder, { database: 'Test-1.x_y' })
    expect(await query(again.url, 'select count(*)::int as rows from here')).toEqual([{ rows: 0 }])
    const other = await world.start(folder, { database: 'other' })
    expect(await query(other.url, 'select current_database() as name')).toEqual([{ name: 'other' }])
    for (const database of ['', 'x'.repeat(64), 'a/b', 'a b', 'ä', '"'])
      await expect(world.start(folder, { database })).rejects.toThrow('1 to 63 letters')
  })

  test('support a folder name with a space, comma, quotes, percent sign and umlaut', LONG, async () => {
    const server = await world.start(world.folder(`it's "my", 100% ä+b`))
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('the running server', () => {
  test(
    'handles text independently of the machine: UTF-8, Unicode case mapping, code point order',
    LONG,
    async () => {
      const { url } = await world.start(world.folder())
      expect(await query(url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
      expect(await query(url, "select lower('ÄÖÉ') as small, 'a' > 'Z' as by_code")).toEqual([
        { small: 'äöé', by_code: true },
      ])
      expect(
        await query(url, "select datlocprovider as p from pg_database where datname = 'gatehouse'"),
      ).toEqual([{ p: 'b' }])
    },
  )

  test('listens on no network address, and its socket is private', LONG, async () => {
    const folder = world.folder()
    const { url } = await world.start(folder)
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(url).toBe(`postgres://gatehouse@/gatehouse?host=${join(folder, 'run')}&port=5432`)
    expect((await stat(join(folder, 'run'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700)
    const rules = await query(url, 'select distinct type, auth_method as method from pg_hba_file_rules')
    expect(rules.filter(({ method }) => method !== 'reject')).toEqual([{ type: 'local', method: 'trust' }])
  })

  test('has settings for a small host', LONG, async () => {
    const { url } = await world.start(world.folder())
    expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '100' }])
    expect(await query(url, 'show shared_buffers')).toEqual([{ shared_buffers: '128MB' }])
    expect(await query(url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }])
  })

  test('ignores environment variables meant for other PostgreSQL servers', LONG, async () => {
    const before = { ...process.env }
    Object.assign(process.env, { PGPORT: '6543', PGDATA: '/nowhere', PGHOST: 'nowhere.invalid', LANG: 'xx' })
    try {
      const { url } = await world.start(world.folder())
      expect(await query(url, 'show port')).toEqual([{ port: '5432' }])
    } finally {
      for (const name of ['PGPORT', 'PGDATA', 'PGHOST', 'LANG']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })

  test('logs to the folder and truncates the log beyond 10 MB at start', LONG, async () => {
    const folder = world.folder()
    const log = join(folder, 'postgres.log')
    const first = await world.start(folder)
    await query(first.url, 'select 1/0').catch(() => undefined)
    await first.stop()
    expect(await readFile(log, 'utf8')).toContain('division by zero')

    await truncate(log, 10 * 1024 * 1024)
    await (await world.start(folder)).stop()
    expect((await stat(log)).size).toBeGreaterThan(10 * 1024 * 1024)

    await (await world.start(folder)).stop()
    const { size } = await stat(log)
    expect(size).toBeGreaterThan(0)
    expect(size).toBeLessThan(100_000)
  })
})

describe('stopping', () => {
  test('ends the server despite open connections, is idempotent, and leaves no process', LONG, async () => {
    const folder = world.folder()
    const server = await world.start(folder)
    const postmaster = await world.postmaster(folder)
    if (postmaster === null) throw new Error('no server runs')
    const sleeper = query(server.url, 'select pg_sleep(600)').catch((error: Error) => error.message)
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    expect(await isAlive(postmaster)).toBe(false)
    // which one depends on the query's progress and on who closes the socket first
    expect(await sleeper).toMatch(/terminat|shutting down|connection error|ECONNRESET/)
    expect(await namesIn(join(folder, 'users'))).toEqual([])
    expect(await namesIn(join(folder, 'run'))).toEqual([])
    expect(await world.postmaster(folder)).toBeNull()
  })

  test('happens at the end of `await using`', LONG, async () => {
    const folder = world.folder()
    {
      await using server = await world.start(folder)
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    }
    expect(await world.postmaster(folder)).toBeNull()
  })

  test('installs no signal or exit handlers in the process', LONG, async () => {
    const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'beforeExit', 'uncaughtException']
    const before = events.map((event) => process.listenerCount(event))
    await world.start(world.folder())
    expect(events.map((event) => process.listenerCount(event))).toEqual(before)
  })

  test('on Ctrl-C in the terminal ends the process but not the server', LONG, async () => {
    const folder = world.folder()
    const child = await world.spawn(folder)
    const url = await child.url()
    const { pid } = child.process
    if (pid === undefined) throw new Error('the process did not start')
    const ended = new Promise((resolve) => child.process.once('exit', (_, signal) => resolve(signal)))
    process.kill(-pid, 'SIGINT')
    expect(await ended).toBe('SIGINT')
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('happens if a start fails late, leaving no server behind', LONG, async () => {
    const folder = world.folder()
    await (await world.start(folder)).stop()
    await writeFile(join(folder, 'data', 'pg_hba.conf'), 'local all all reject\n')
    await expect(world.start(folder)).rejects.toThrow(/pg_hba.conf rejects/)
    expect(await world.postmaster(folder)).toBeNull()
    expect(await namesIn(join(folder, 'users'))).toEqual([])
  })
})
