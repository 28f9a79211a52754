import { spawn } from 'node:child_process'

import { systemErrorCode } from '../errors.ts'

/** The system user that a command runs as. */
export interface RunAs {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Result of a command. `code` is null if it couldn't be started or was killed. */
export interface CommandResult {
  readonly code: number | null
  readonly output: string
  /** Why it couldn't be started, e.g. ENOENT or EACCES. */
  readonly spawnError: string | null
}

/**
 * Returns the environment for PostgreSQL's programs. It starts empty, because PGDATA, PGPORT, LANG and the
 * like would otherwise affect the server.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** Runs a command to completion, optionally as another user, and collects its output. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  runAs: RunAs | null = null,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...(runAs ? { uid: runAs.uid, gid: runAs.gid } : {}),
      // The current directory may be inaccessible to the other user.
      cwd: '/',
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    const output = () => Buffer.concat(chunks).toString('utf8')
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', (error) =>
      resolve({ code: null, output: output(), spawnError: systemErrorCode(error) ?? error.message }),
    )
    child.once('close', (code) => resolve({ code, output: output(), spawnError: null }))
  })
}
