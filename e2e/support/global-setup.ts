import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import './environment.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the built server on a free port with its own data folder, and one browser for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'))
  const port = await freePort()
  const appUrl = `http://localhost:${port}`
  const server = await startServer({
    ...process.env,
    NODE_ENV: 'development',
    PORT: String(port),
    APP_URL: appUrl,
    DATA_DIR: dataDir,
    DEMO: '1',
    SUPPORT_EMAIL: 'help@example.test',
    APP_WEBMAIL_URL: '/webmail/',
    LOG_LEVEL: 'warn',
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
  project.provide('appUrl', appUrl)
  project.provide('outbox', join(dataDir, 'outbox'))
  project.provide('browserEndpoint', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await stopServer(server)
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

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Resolves when the server says that it is ready; rejects with its output when it ends before. */
async function startServer(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const server = spawn(process.execPath, [join(root, 'packages/server/dist/main.js')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('is ready')) resolve()
    }
    server.stdout.on('data', listen)
    server.stderr.on('data', listen)
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  server.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  return server
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}
