import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { cachedRuntime, testedVersions } from '../../scripts/release/node-runtime.mjs'

const root = join(import.meta.dirname, '../..')
const [recommendedVersion = ''] = testedVersions
const recommended = join(cachedRuntime(recommendedVersion), 'bin/node')

/** The recommended version of Node.js, as in production; where it isn't installed, the version that runs the tests. */
const node = existsSync(recommended) ? recommended : process.execPath

/** Servers of all test files share compiled code, because compiling takes half of a start. */
const compiledCode = join(root, 'node_modules/.cache/gatehouse-server')

/** A server in a separate process. */
export interface ServerProcess {
  readonly url: string
  readonly process: ChildProcess
  /** Everything that the server has printed so far. */
  output(): string
  /** Stops it gracefully. Resolves to the exit code. */
  stop(): Promise<number | null>
  /** Kills it, as a crash would. */
  kill(): Promise<void>
}

/**
 * Starts the built server on a free port, or the one in the settings; resolves when it reports that it is
 * ready.
 */
export async function startServer(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const port = settings.PORT ?? (await freePort())
  const url = `http://localhost:${port}`
  const child = spawn(node, [join(root, 'packages/server/dist/main.js')], {
    cwd: root,
    env: {
      ...withoutSettings(process.env),
      NODE_ENV: 'development',
      PORT: String(port),
      APP_URL: url,
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: compiledCode,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('is ready')) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    url,
    process: child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      return child.exitCode
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** A separate database on the server in DATABASE_URL; without that variable each server embeds one. */
export async function ownDatabase(): Promise<{ settings: Record<string, string>; drop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url === undefined) return { settings: {}, drop: async () => {} }
  const name = `e2e_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name}`)
  const own = url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
  return {
    settings: { DATABASE_URL: own },
    drop: () => administer(url, `drop database ${name} with (force)`),
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The environment without settings that a developer may have set for their own server. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(DATABASE_URL|SMTP_URL|DATA_DIR|APP_|MAIL_)/.test(name),
  )
  return Object.fromEntries(kept)
}

/** A port that is currently free. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
