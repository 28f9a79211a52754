import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseUrl } from '../../packages/server/src/platform/db/embedded/settings.ts'
import { makeDataFolder } from '../../packages/server/src/testing/data-folder.ts'
import { startServer } from '../support/server-process.ts'

const signIn = { email: 'owner@acme.test', password: 'simple123' }

test('a server recovers within five seconds after its embedded database was killed', async () => {
  const dataDir = await makeDataFolder('database-killed')
  // no DATABASE_URL: the server starts its own database, regardless of the other tests
  const server = await startServer({ DATA_DIR: dataDir, DEMO: '1' })
  const call = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${server.url}${path}`, {
      headers: { 'content-type': 'application/json' },
      ...init,
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  try {
    const begun = performance.now()
    expect((await call('/api/auth/login', signIn)).status).toBe(200)
    const usual = performance.now() - begun
    expect((await call('/api/health/readiness')).status).toBe(200)
    for (const time of ['at rest', 'after much was written']) {
      if (time !== 'at rest') await writeMuch(await socketFolder(dataDir))
      process.kill(await postmaster(dataDir), 'SIGKILL')
      const killed = performance.now()
      const during = await call('/api/auth/login', signIn)
      // recovery may finish before the first call
      if (during.status !== 200) expect(during).toEqual({ status: 503, retryAfter: '2' })
      await expect
        .poll(async () => (await call('/api/auth/login', signIn)).status, { timeout: 60_000, interval: 100 })
        .toBe(200)
      // five seconds, plus some sign-ins on a machine under load
      expect(performance.now() - killed).toBeLessThan(5000 + 10 * usual)
      expect((await call('/api/health/readiness')).status).toBe(200)
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 180_000)

/** The PID file of the embedded database. */
const processFile = (dataDir: string) => readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')

async function postmaster(dataDir: string): Promise<number> {
  const [pid = ''] = (await processFile(dataDir)).split('\n')
  return Number(pid)
}

async function socketFolder(dataDir: string): Promise<string> {
  const [, , , , folder = ''] = (await processFile(dataDir)).split('\n')
  return folder
}

/** Writes more WAL than can be replayed in five seconds, unless its size is limited. */
async function writeMuch(folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(folder, 'gatehouse') })
  await client.connect()
  await client.query('create table ballast (n int primary key, text text)')
  for (let part = 0; part < 10; part++) {
    await client.query(
      `insert into ballast select n, repeat(md5(n::text), 10) from generate_series($1::int, $1 + 99999) n`,
      [part * 100_000],
    )
  }
  await client.end()
}
