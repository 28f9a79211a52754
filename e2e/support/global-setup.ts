import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import './environment.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts'
import { makeDataFolder } from '../../packages/server/src/testing/data-folder.ts'
import { administer, databaseUrl } from '../../packages/server/src/testing/database.ts'
import { memoryFolder } from '../../packages/server/src/testing/memory-folder.ts'
import { browserArguments, findBrowser } from '../../scripts/browser.mjs'
import { demoContent } from './demo-content.ts'
import { startServer } from './server-process.ts'

const template = `gatehouse_demo_${process.pid}`

/** The values provided to tests, and the teardown function. */
interface Surroundings {
  readonly provided: Pick<ProvidedContext, 'adminUrl' | 'template' | 'demoFolder' | 'browserEndpoint'>
  readonly end: () => Promise<void>
}

/** Global, because each project loads its own copy of this module. */
const shared = globalThis as { gatehouseBrowserTests?: { opened: Promise<Surroundings>; users: number } }

/** Shared by all projects of a run: the first one starts it, the last one stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.gatehouseBrowserTests ??= { opened: openSurroundings(), users: 0 }
  const use = shared.gatehouseBrowserTests
  use.users++
  const { provided, end } = await use.opened
  project.provide('adminUrl', provided.adminUrl)
  project.provide('template', provided.template)
  project.provide('demoFolder', provided.demoFolder)
  project.provide('browserEndpoint', provided.browserEndpoint)
  return async () => {
    if (--use.users > 0) return
    delete shared.gatehouseBrowserTests
    await end()
  }
}

/** One browser for all tests, and a database with demo data that each file's server gets a copy of. */
async function openSurroundings(): Promise<Surroundings> {
  await buildWhatIsStale()
  const folder = await makeDataFolder('e2e')
  const databaseFolder = await makeDataFolder('e2e-database', await memoryFolder())
  const external = process.env.DATABASE_URL
  const postgres =
    external === undefined
      ? await startEmbeddedPostgres({
          folder: databaseFolder,
          database: 'postgres',
          durable: false,
          log: () => {},
        })
      : undefined
  const adminUrl = postgres?.url ?? external ?? ''
  await administer(adminUrl, `create database ${template}`)
  await loadDemo(databaseUrl(adminUrl, template), folder)
  const browser = await launchBrowser()
  return {
    provided: { adminUrl, template, demoFolder: folder, browserEndpoint: browser.wsEndpoint() },
    async end() {
      await browser.close()
      await administer(adminUrl, `drop database ${template} with (force)`)
      await postgres?.stop()
      await rm(databaseFolder, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function buildWhatIsStale(): Promise<void> {
  const root = resolve(import.meta.dirname, '../..')
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root })
}

/** Loads the demo as on the first start of an installation: through the server itself. */
async function loadDemo(url: string, folder: string): Promise<void> {
  const server = await startServer({
    DATA_DIR: folder,
    DATABASE_URL: url,
    DEMO: '1',
    ...demoContent(folder),
  })
  await server.stop()
}

function launchBrowser() {
  const executablePath = findBrowser()
  if (executablePath === undefined) {
    throw new Error('No Chromium found. Install it, or set CHROMIUM to its path.')
  }
  return chromium.launchServer({
    executablePath,
    args: [...browserArguments, '--use-fake-device-for-media-stream=fps=10'],
  })
}
