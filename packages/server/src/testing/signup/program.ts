import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The server's programs, built into a folder next to the usual one. */
export interface Programs extends AsyncDisposable {
  /** Runs a program to completion in its own process, with only these settings. */
  run(program: 'main' | 'cli', settings: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended>
  /** Starts a program that the test may kill. */
  start(program: 'main' | 'cli', settings: Readonly<Record<string, string>>, ...args: string[]): Running
}

/** How a program ended. */
export interface Ended {
  /** Null if it was killed. */
  readonly code: number | null
  readonly output: string
}

export interface Running {
  /** Kills it without cleanup. */
  kill(): void
  readonly ended: Promise<Ended>
}

/** Timeout of a program in milliseconds, long enough for a busy machine. */
const longestRun = 90_000

export async function buildPrograms(): Promise<Programs> {
  const source = join(import.meta.dirname, '../..')
  // at the same depth as the built server, which resolves themes and packages from there
  const folder = await mkdtemp(join(source, '../.programs-'))
  await build({
    entryPoints: { main: join(source, 'main/server.ts'), cli: join(source, 'main/cli.ts') },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    loader: { '.sql': 'text' },
    outExtension: { '.js': '.mjs' },
    plugins: [
      {
        name: 'packages as they are installed',
        setup: (builder) =>
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@gatehouse/') ? null : { path, external: true },
          ),
      },
    ],
  })
  const start: Programs['start'] = (program, settings, ...args) => {
    const { PATH = '' } = process.env
    const env = { PATH, ...settings }
    // kill a hanging program, so that the test fails instead of leaving it behind
    const options = { env, timeout: longestRun, killSignal: 'SIGKILL' } as const
    const child = spawn(process.execPath, [join(folder, `${program}.mjs`), ...args], options)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, output }))
    })
    return { ended, kill: () => child.kill('SIGKILL') }
  }
  return {
    start,
    run: (...what) => start(...what).ended,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
