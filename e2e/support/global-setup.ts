import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import './environment.ts'
import { embeddedDatabaseUrl } from './database.ts'
import { ownDatabase, startServer } from './server-process.ts'

/** Starts the built server on a free port with its own data folder, and one browser for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'))
  const database = await ownDatabase()
  const dnsPort = await freePort()
  const server = await startServer({
    DATA_DIR: dataDir,
    DEMO: '1',
    SUPPORT_EMAIL: 'help@example.test',
    APP_WEBMAIL_URL: '/webmail/',
    DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    DNS_TIMEOUT: '500',
    ...database.settings,
  })
  const browser = await chromium.launchServer({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
  project.provide('appUrl', server.url)
  project.provide('databaseUrl', database.settings.DATABASE_URL ?? (await embeddedDatabaseUrl(dataDir)))
  project.provide('dnsPort', dnsPort)
  project.provide('outbox', join(dataDir, 'outbox'))
  project.provide('browserEndpoint', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await server.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A port on which nobody listens at this moment. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (typeof address !== 'object' || address === null) throw new Error('a port has no number')
  return address.port
}

/** Debian's Chromium, or another one that CHROMIUM names. */
function browserPath(): string {
  const candidates = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  const found = candidates.find((path) => path !== undefined && existsSync(path))
  if (found === undefined) throw new Error('No Chromium found. Install it, or set CHROMIUM to its path.')
  return found
}
