import { spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { waitUntil } from './connections.ts'
import { endGroup, endOrphans, recordProcess, runningProcess } from './process-record.ts'

/** A program that runs in the foreground, and thus has to be detached. */
export interface DaemonDescription {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly pidFile: string
  /** Gets what the program prints. */
  readonly log: string
}

/** Starts and stops a detached process in a group of its own. */
export class Daemon {
  readonly #description: DaemonDescription

  constructor(description: DaemonDescription) {
    this.#description = description
  }

  async isRunning(): Promise<boolean> {
    return (await runningProcess(this.#description.pidFile)) !== undefined
  }

  async start(): Promise<void> {
    const { command, args, cwd, env = process.env, pidFile, log } = this.#description
    if (await this.isRunning()) return
    await endOrphans(pidFile)
    for (const file of [pidFile, log]) await mkdir(dirname(file), { recursive: true })
    const output = await open(log, 'a')
    const child = spawn(command, [...args], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    await new Promise((started, failed) => {
      child.once('spawn', started)
      child.once('error', failed)
    })
    await output.close()
    if (child.pid !== undefined) await recordProcess(pidFile, child.pid)
    child.unref()
  }

  async stop(): Promise<void> {
    const id = await runningProcess(this.#description.pidFile)
    if (id === undefined) return
    process.kill(id, 'SIGTERM')
    await waitUntil(async () => !(await this.isRunning()), `${this.#description.command} didn't stop`)
    endGroup(id)
  }
}
