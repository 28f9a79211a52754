import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '../programs/program.ts'

/** Milliseconds between looks at a program. */
const interval = 500

/** Starts programs, and starts each again whenever it has ended, until the process gets SIGTERM. */
export async function supervise(programs: readonly Program[]): Promise<void> {
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())
  await Promise.all(programs.map((program) => watch(program, stopping.signal)))
}

async function watch(program: Program, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    if (!(await program.isRunning())) {
      process.stdout.write(`${new Date().toISOString()} starting ${program.name}\n`)
      await program
        .start()
        .catch((error: unknown) => process.stdout.write(`${program.name}: ${String(error)}\n`))
    }
    await pause(interval, undefined, { signal: stopping }).catch(() => {})
  }
}
