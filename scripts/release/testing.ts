import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../packages/server/src/testing/free-port.ts'

/** Runs a program to completion and returns its standard output. */
export async function output(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024, ...options })
  return stdout
}

/** A folder that every user may enter, because PostgreSQL runs as another user if the tests run as root. */
export async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-release-'))
  await chmod(path, 0o755)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** An environment without anything of the test run: only the folder of a Node.js and of system programs. */
export function plainEnvironment(node = process.execPath): Record<string, string> {
  return { PATH: `${dirname(node)}:/usr/bin:/bin` }
}

/** A portal that runs from a release. */
export interface RunningPortal extends AsyncDisposable {
  readonly url: string
  /** What it printed until now. */
  output(): string
  /** Resolves to its exit code when it ends, null if it was killed. */
  readonly ended: Promise<number | null>
  /** Stops it like a service manager. Returns its exit code, null if it was killed. */
  stop(): Promise<number | null>
}

/** Starts a portal and waits until it's ready. */
export async function startPortal(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningPortal> {
  const port = await freePort()
  const child = spawn(program, [], { env: { ...env, PORT: String(port) }, cwd: '/' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const url = `http://localhost:${port}`
  await ready(child, () => printed)
  const ended = once(child, 'exit').then(() => child.exitCode)
  const stop = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  const portal: RunningPortal = {
    url,
    output: () => printed,
    ended,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
  return portal
}

/** Resolves when the portal says that it's ready. Throws if it ends before. */
async function ready(child: ChildProcess, printed: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (printed().includes('is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the portal ended with code ${code}: ${printed()}`)))
    child.once('error', reject)
  })
}
