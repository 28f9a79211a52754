import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { makeCountryFile } from '../../testing/country-file.ts'
import { buildPrograms } from '../../testing/signup/program.ts'
import { makeStaff } from '../../testing/staff.ts'
import { createTestApp, testSecret, useTestApp } from '../../testing/test-app.ts'
import { Locator } from '../location.ts'
import { CountriesRefused, CountryDatabase } from './country-database.ts'
import { readCountryFacts } from './country-store.ts'
import { mostCountryBytes, renewCountries, renewCountriesJob } from './renew-countries.ts'

const swiss = '185.70.40.1'
/** Newer than the one shipped with the product. */
const newer = makeCountryFile({ builtAt: new Date('2030-01-01T00:00:00Z') })
const older = makeCountryFile({ builtAt: new Date('2020-01-01T00:00:00Z') })
const addressesOfOneFamily = await readFile(
  createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb',
  ),
)

/** Responses of the source by path. */
const paths: Record<string, (response: ServerResponse) => void> = {
  '/good': (response) => response.end(newer),
  '/moved': (response) => response.writeHead(302, { location: '/good' }).end(),
  '/loop': (response) => response.writeHead(301, { location: '/loop' }).end(),
  '/away': (response) => response.writeHead(302, { location: `${other.origin}/good` }).end(),
  '/missing': (response) => response.writeHead(404).end('not here'),
  '/html': (response) => response.end(`<!doctype html>${'<p>Sign in first</p>'.repeat(500)}`),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': newer.length }).write(newer.subarray(0, 100))
    response.socket?.end()
  },
  '/short': (response) => response.end(newer.subarray(0, newer.length - 40)),
  '/one-family': (response) => response.end(addressesOfOneFamily),
  '/elsewhere': (response) => response.end(makeCountryFile({ builtAt: new Date(), country: 'XX' })),
  '/huge': (response) => response.writeHead(200, { 'content-length': mostCountryBytes + 1 }).flushHeaders(),
  '/endless': (response) => {
    const more = Buffer.alloc(1024 * 1024)
    const pour = () => {
      while (!response.destroyed && response.write(more));
    }
    response.on('drain', pour)
    pour()
  },
  '/slow': (response) => response.write(newer.subarray(0, 100)),
}

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { server, port, origin: `http://127.0.0.1:${port}`, close }
}

const asked: string[] = []
const source = await serve((request, response) => {
  asked.push(request.url ?? '')
  const answer = paths[request.url?.split('?')[0] ?? '']
  if (answer !== undefined) answer(response)
})
/** A second private server that must not be contacted. */
let askedElsewhere = 0
const other = await serve((_, response) => {
  askedElsewhere++
  response.end(newer)
})
afterAll(() => {
  source.close()
  other.close()
})

const settings = { GEO_DATABASE: `${source.origin}/good`, GEO_DATABASE_PRIVATE: '1' }
const app = useTestApp(settings)
const run = commandLine(app, settings)

beforeEach(async () => {
  await app().database.db.deleteFrom('countryDatabase').execute()
})

const renew = (from: string, { mayBePrivate = true, timeout = 60_000 } = {}) => {
  const { database, clock } = app()
  const config = { GEO_DATABASE: from, GEO_DATABASE_PRIVATE: mayBePrivate }
  return renewCountries({ db: database.db, clock, config }, from, timeout)
}
const stored = () => readCountryFacts(app().database.db)
const locator = (from?: string) => Locator.open(app().database.db, from)

describe('a country database', () => {
  test('is shipped with the product', async () => {
    const shipped = await locator()
    expect([swiss, '::ffff:185.70.40.1', '127.0.0.1', 'nowhere'].map((ip) => shipped.country(ip))).toEqual([
      'CH',
      'CH',
      undefined,
      undefined,
    ])
    expect(shipped.source).toBeUndefined()
  })

  test.each([false, true])('is read in both formats (nested: %s)', (isNested) => {
    const database = CountryDatabase.read(makeCountryFile({ builtAt: new Date(0), isNested }))
    expect([database.country(swiss), database.builtAt]).toEqual(['NL', new Date(0)])
  })

  test.each(['/good', '/moved', '/good?key=secret'])('is fetched from %s', async (path) => {
    await renew(`${source.origin}${path}`)
    const facts = await stored()
    expect(facts).toMatchObject({ bytes: newer.length, fetchedAt: app().clock.now() })
    expect(facts?.source).not.toContain('secret')
  })

  test('is loaded from a file', async () => {
    const file = join(app().dataDir, 'countries.mmdb')
    await writeFile(file, newer)
    await renew(file)
    expect(await stored()).toMatchObject({ source: file })
    await expect(renew(join(app().dataDir, 'nowhere.mmdb'))).rejects.toThrow('cannot be read')
  })
})

test.each<[string, string]>([
  ['/missing', 'returned status 404'],
  ['/html', 'not a complete MMDB file'],
  ['/broken', 'connection failed'],
  ['/short', 'not a complete MMDB file'],
  ['/one-family', 'places 2001:67c:2e8:22::c100:68b in US instead of NL'],
  ['/elsewhere', 'places 193.0.6.139 in XX instead of NL'],
  ['/huge', `more than ${mostCountryBytes} bytes`],
  ['/endless', `more than ${mostCountryBytes} bytes`],
  ['/loop', 'redirects too often'],
  ['/away', 'is a private address'],
])('a database from %s is rejected with %s and the previous one is kept', async (path, reason) => {
  await renew(`${source.origin}/good`)
  const before = await stored()
  await expect(renew(`${source.origin}${path}?key=secret`)).rejects.toSatisfy(
    (error) =>
      error instanceof CountriesRefused &&
      error.message.includes(reason) &&
      !error.message.includes('secret'),
  )
  expect(await stored()).toEqual(before)
  expect(askedElsewhere).toBe(0)
})

test('a source that never completes is aborted', async () => {
  await expect(renew(`${source.origin}/slow`, { timeout: 200 })).rejects.toThrow('took too long')
  expect(await stored()).toBeUndefined()
})

test.each(['https://127.0.0.1', 'https://localhost', 'https://[::1]', 'http://127.0.0.1'])(
  'the private address %s is not asked unless that is configured',
  async (origin) => {
    const before = asked.length
    await expect(renew(`${origin}:${source.port}/good`, { mayBePrivate: false })).rejects.toThrow(
      'is a private address',
    )
    expect(asked.length).toBe(before)
  },
)

test('a process killed during a fetch changes nothing, and the next one succeeds', async () => {
  await using programs = await buildPrograms()
  const { connectionString = '' } = app().database.pool.options
  const env = {
    ...{ ...settings, NODE_ENV: 'test', SECRET_KEY: testSecret, DEMO: '0' },
    ...{ DATABASE_URL: connectionString, DATA_DIR: app().dataDir },
  }
  await renew(`${source.origin}/good`)
  const before = await stored()
  const arrived = new Promise<void>((here) => {
    source.server.on('request', (request) => request.url === '/slow' && here())
  })
  const victim = programs.start('cli', env, 'geo:update', `${source.origin}/slow`)
  await Promise.race([arrived, victim.ended])
  victim.kill()
  expect((await victim.ended).code).toBeNull()
  expect(await stored()).toEqual(before)
  expect(await programs.run('cli', env, 'geo:update')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Stored: built 1 January 2030'),
  })
}, 180_000)

describe('the database used by a process', () => {
  test('is what another process has stored, within a minute', async () => {
    const mine = await locator('configured')
    expect(mine.country(swiss)).toBe('CH')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const stop = mine.watch({ ...console, fatal: console.error })
      await renew(`${source.origin}/good`)
      vi.advanceTimersByTime(60_000)
      await vi.waitFor(() => expect(mine.country(swiss)).toBe('NL'))
      stop()
    } finally {
      vi.useRealTimers()
    }
    expect(mine.source).toBe(`${source.origin}/good`)
    expect((await locator('configured')).country(swiss)).toBe('NL')
  })

  test("is kept if the stored one can't be read", async () => {
    const mine = await locator('configured')
    await renew(`${source.origin}/good`)
    const content = Buffer.from('spoilt')
    const spoilt = { version: 'x', content, bytes: content.length }
    await app().database.db.updateTable('countryDatabase').set(spoilt).execute()
    await expect(mine.refresh()).rejects.toThrow(CountriesRefused)
    expect(mine.country(swiss)).toBe('CH')
    expect((await locator('configured')).source).toBeUndefined()
  })

  test('is the stored one if a source is configured, otherwise the newer one', async () => {
    const file = join(app().dataDir, 'older.mmdb')
    await writeFile(file, older)
    await renew(file)
    expect((await locator(file)).country(swiss)).toBe('NL')
    expect((await locator()).country(swiss)).toBe('CH')
    await renew(`${source.origin}/good`)
    expect((await locator()).country(swiss)).toBe('NL')
  })
})

test('the nightly job renews the database, and health and metrics show its age', async () => {
  await using own = await createTestApp(settings)
  const { jobs, database, clock } = own
  const part = async () => {
    const admin = await makeStaff(own, 'admin')
    const { body } = await admin.call('GET /api/v4/health')
    return body.parts.find(({ name }: { name: string }) => name === 'countries')
  }
  expect(await part()).toMatchObject({ state: 'degraded', facts: { ageDays: 0, source: null } })
  await jobs.enqueue(database.db, renewCountriesJob, {})
  await jobs.drain()
  expect(await jobs.failed()).toEqual([])
  expect(await part()).toMatchObject({ state: 'ok', facts: { source: settings.GEO_DATABASE } })
  const age = (Date.parse('2030-01-01T12:00:00Z') - clock.now().getTime()) / 1000
  clock.advance(age + 181 * 86_400)
  expect(await part()).toMatchObject({ state: 'degraded', facts: { ageDays: 181 } })
  const metrics = await own.call('GET /api/webhooks/metrics')
  expect(metrics.body).toContain(`gatehouse_country_database_age_seconds ${181.5 * 86_400}`)
})

test('the command line shows and renews it', async () => {
  expect(await run('geo:show')).toEqual([
    expect.stringMatching(/^in use: built \d+ [A-Z][a-z]+ 20\d\d, bundled$/),
    expect.stringMatching(/^bundled: built/),
  ])
  expect(await run('geo:update')).toEqual([expect.stringContaining('Stored: built 1 January 2030')])
  expect((await run('geo:show')).slice(0, 2)).toEqual([
    `in use: built 1 January 2030, ${source.origin}/good`,
    expect.stringMatching(/^stored: built 1 January 2030, fetched \d+ [A-Z][a-z]+ 20\d\d, 0\.0 MB/),
  ])
  await expect(run('geo:update', `${source.origin}/html`)).rejects.toThrow('not a complete MMDB file')
  await expect(commandLine(app)('geo:update')).rejects.toThrow('GEO_DATABASE is not set')
})
