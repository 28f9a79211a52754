import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Repository root; bundled benchmarks run from `bench/dist`. */
export const root = resolve(import.meta.dirname, '../..')

export interface RunningServer extends AsyncDisposable {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Milliseconds from process start to the first successful readiness check. */
  readonly startUp: number
}

/** Starts the built server with demo data in its own folder, or in one used before. */
export async function startServer(
  dataDir?: string,
  env: Record<string, string> = {},
): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-bench-')))
  // the database may run as another user, who needs access; otherwise its files are elsewhere
  await chmod(folder, 0o711)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, 'packages/server/dist/main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), APP_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent', ...env },
  })
  await untilOutput(child, 'is ready')
  const startUp = performance.now() - began
  return {
    url,
    dataDir: folder,
    pid: child.pid ?? 0,
    startUp,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the bare framework on the database of a running server. */
export async function startBaseline(dataDir: string): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort()
  const script = join(root, 'bench/dist/baseline-server.js')
  const child = spawn(process.execPath, [script, await databaseAddress(dataDir), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilOutput(child, 'is ready')
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

export async function untilOutput(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  await new Promise<void>((ready, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) ready()
    })
    child.once('exit', (code) => fail(new Error(`exited with ${code} before it was ready: ${output}`)))
  })
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** URL of a server's embedded database. */
export async function databaseAddress(dataDir: string): Promise<string> {
  return `postgres://gatehouse@/gatehouse?host=${await socketFolder(dataDir)}&port=5432`
}

/** Process id of a server's embedded database. */
export async function databaseProcess(dataDir: string): Promise<number> {
  const { place } = await databasePlace(dataDir)
  return Number((await readFile(join(place, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Socket folder of the embedded database: below the data folder, unless its user can't access that. */
async function socketFolder(dataDir: string): Promise<string> {
  const { place, sockets } = await databasePlace(dataDir)
  return sockets ?? join(place, 'run')
}

async function databasePlace(dataDir: string): Promise<{ place: string; sockets?: string }> {
  const folder = join(dataDir, 'postgres')
  const recorded = await readFile(join(folder, 'location.json'), 'utf8').catch(() => '{}')
  return { place: folder, ...(JSON.parse(recorded) as { place?: string; sockets?: string }) } // written by the server
}

export interface Session {
  readonly id: number
  readonly access_token: string
  readonly refresh_token: string
}

export async function signIn(
  url: string,
  email = 'owner@acme.test',
  password = 'simple123',
): Promise<Session> {
  const response = await askToSignIn(url, email, password)
  if (!response.ok) throw new Error(`login returned ${response.status}`)
  return (await response.json()) as Session // API response
}

/** Sends a sign-in request, with the client address set as by a trusted proxy. */
export function askToSignIn(url: string, email: string, password: string, ip?: string): Promise<Response> {
  return fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(ip !== undefined && { 'x-forwarded-for': ip }) },
    body: JSON.stringify({ email, password }),
  })
}
