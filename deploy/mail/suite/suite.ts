import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { accepts, waitUntil } from '../programs/connections.ts'
import { Daemon } from '../programs/daemon.ts'
import type { Program } from '../programs/program.ts'
import { missingPackages } from './packages.ts'
import { lastLines } from './programs.ts'
import type { SuitePlan } from './suite-plan.ts'

/** Something that the operator has to change. The message says what. */
export class SuiteError extends Error {
  override name = 'SuiteError'
}

/** Starts, stops and shows the programs of a suite. A supervisor keeps them running. */
export class Suite {
  readonly #plan: SuitePlan
  readonly #programs: readonly Program[]
  readonly #supervisor: Daemon

  constructor(plan: SuitePlan, programs: readonly Program[]) {
    this.#plan = plan
    this.#programs = programs
    this.#supervisor = new Daemon({
      command: process.execPath,
      args: [process.argv[1] ?? '', 'supervise'],
      cwd: plan.root,
      pidFile: join(plan.folder, 'run/supervisor.pid'),
      log: join(plan.folder, 'log/supervisor.log'),
    })
  }

  /** Writes the configuration, starts what doesn't run, and waits until everything answers. */
  async start(): Promise<void> {
    if (process.getuid?.() !== 0)
      throw new SuiteError('The suite needs root: its programs run as several users.')
    const missing = missingPackages()
    if (missing.length > 0) {
      throw new SuiteError(
        `Packages are missing: ${missing.join(', ')}. Install them with: npm run suite -- install`,
      )
    }
    await this.#requireAccess()
    if (!(await this.#supervisor.isRunning())) {
      await this.#requirePorts()
      await mkdir(dirname(this.#plan.authSocket), { recursive: true, mode: 0o755 })
      await Promise.all(this.#programs.map((program) => program.write()))
      await this.#supervisor.start()
    }
    await Promise.all(this.#programs.map((program) => this.#waitFor(program)))
  }

  /** Stops everything. Mail and accounts stay. */
  async stop(): Promise<void> {
    await this.#supervisor.stop()
    await Promise.all(this.#programs.map((program) => program.stop()))
  }

  /** Stops everything and deletes the mail, the accounts and all configuration. */
  async reset(): Promise<void> {
    await this.stop()
    await rm(this.#plan.folder, { recursive: true, force: true })
  }

  /** Returns the state of each program. */
  async states(): Promise<ReadonlyMap<string, 'answers' | 'does not answer' | 'stopped'>> {
    const entries = await Promise.all(
      this.#programs.map(async (program) => {
        if (!(await program.isRunning())) return [program.name, 'stopped'] as const
        return [program.name, (await program.answers()) ? 'answers' : 'does not answer'] as const
      }),
    )
    return new Map(entries)
  }

  async #waitFor(program: Program): Promise<void> {
    try {
      await waitUntil(
        async () => (await program.isRunning()) && program.answers(),
        `${program.name} doesn't answer. Its last messages:`,
      )
    } catch (error) {
      const lines = await lastLines(program, 20)
      throw new SuiteError([error instanceof Error ? error.message : '', ...lines].join('\n'))
    }
  }

  /** Throws SuiteError if the users of the programs can't reach the folder. */
  async #requireAccess(): Promise<void> {
    for (let path = this.#plan.folder; path !== '/'; path = dirname(path)) {
      const { mode } = await stat(path)
      if ((mode & 0o001) === 0) {
        throw new SuiteError(
          `Other users can't enter ${path}, but the programs of the suite run as several users. Set DATA_DIR to a folder they can enter, such as /var/lib/gatehouse.`,
        )
      }
    }
  }

  /** Throws SuiteError if another program uses a port. */
  async #requirePorts(): Promise<void> {
    const running = await Promise.all(this.#programs.map((program) => program.isRunning()))
    if (running.some(Boolean)) return
    const { portalPort, internal } = this.#plan
    const endpoints = [
      `127.0.0.1:${portalPort}`,
      ...Object.values(this.#plan.public),
      ...Object.values(internal),
    ]
    for (const endpoint of endpoints) {
      if (await accepts(endpoint)) {
        throw new SuiteError(
          `${endpoint} is in use. Set PORT for the portal or SUITE_PORT for the mail programs.`,
        )
      }
    }
  }
}
