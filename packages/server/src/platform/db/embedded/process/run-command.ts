import { spawn } from 'node:child_process'

import { systemErrorCode } from '../errors.ts'

/** The system user a command runs as. */
export interface RunAs {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** How a command ended. `code` is null when it could not be started or was killed. */
export interface CommandResult {
  readonly code: number | null
  readonly output: string
  /** Why it could not be started at all, e.g. ENOENT or EACCES. */
  readonly spawnError: string | null
}

/**
 * The environment for PostgreSQL's programs. It starts from nothing, because PGDATA, PGPORT, LANG and
 * the like would otherwise steer the server from outside.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** Runs a command to its end, as another user when told so, and gathers what it prints. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  runAs: RunAs | null = null,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...(runAs ? { uid: runAs.uid, gid: runAs.gid } : {}),
      // The folder we stand in may be closed for the other user.
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
