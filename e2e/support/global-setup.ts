import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
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
  const server = await startServer({
    DATA_DIR: dataDir,
    DEMO: '1',
    SUPPORT_EMAIL: 'help@example.test',
    APP_WEBMAIL_URL: '/webmail/',
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
  project.provide('outbox', join(dataDir, 'outbox'))
  project.provide('browserEndpoint', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await server.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
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
